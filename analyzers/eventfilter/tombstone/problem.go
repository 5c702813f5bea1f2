package tombstone

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// problem is one way in which a handler mishandles a tombstone.
type problem struct {
	noSafeFix bool // no edit of the code is certain to be right
	// call passes the tombstone to a function of another package that mishandles it; nil if a function of this package
	// does.
	call ssa.CallInstruction
	// passedBy is the call through which the followed function passes the tombstone to the callee that mishandles it; nil
	// if the function mishandles it itself.
	passedBy ssa.CallInstruction
	// by is the registered function of another package that mishandles the tombstone; nil if the function is of this
	// package.
	by     *types.Func
	pos    token.Pos
	text   string // the cause, and what to do
	panics bool   // the handler panics; otherwise the deletion is lost
	// notUnwrapped: the handler recognises the tombstone, but then uses it as if it were the object inside it.
	notUnwrapped bool
	// unconditional: the problem occurs even if other code of the function handles tombstones.
	unconditional bool
	// fn is the function that mishandles the tombstone, obj its parameter, for the fix. instead is the function to call
	// instead of the one at pos, if that is the whole fix.
	fn      *ssa.Function
	obj     ssa.Value
	instead string
	// skipped is the function that returns early: only its effect is lost.
	skipped *ssa.Function
}

// check reports the first problem of the function of e that loses something, if there is one.
func (t *tombstones) check(e entry) {
	problems := slices.Clone(t.follow(e.fn, e.obj, true).problems)
	slices.SortStableFunc(problems, func(a, b problem) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range problems {
		harmless := e.dropIsHarmless && !p.panics || t.losesNothing(e.fn, &p)
		uncertain := e.callersUnknown && !p.notUnwrapped
		if t.reported[p.pos] || harmless || uncertain {
			continue
		}
		t.report(e.role, e.at, t.withWrapped(t.fixes(p), e.wrapped), &p)
		return // one finding for each handler
	}
}

// rank orders the problems of a handler: those that panic in the handler itself and have no fix come first.
func rank(p problem) int {
	if p.panics && p.noSafeFix && p.call == nil {
		return 0
	}
	return 1
}

// report reports the problem p of the function that was registered as role at the position at; others are further
// related places.
func (t *tombstones) report(
	role string, at token.Pos, fixes []analysis.SuggestedFix, p *problem, others ...analysis.RelatedInformation,
) {
	t.reported[p.pos] = true
	site, does := rule.Site("ignored-tombstone"), "ignores"
	if p.panics {
		site, does = "panicking-handler", "panics on"
	}
	rule.Report(t.pass, rule.Finding{
		Pos: p.pos, Sub: "tombstone", Site: site,
		Message: fmt.Sprintf("%s (line %d) %s cache.DeletedFinalStateUnknown: %s", role, rule.Line(t.pass, at), does, p.text),
		Related: append([]analysis.RelatedInformation{{Pos: at, Message: role + " receives delete events here"}}, others...),
		Fixes:   fixes,
	})
}
