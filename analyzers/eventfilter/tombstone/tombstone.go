// Package tombstone finds delete handlers and predicates that do not handle DeletedFinalStateUnknown tombstones.
package tombstone

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// tombstones looks for handlers of deletions that do not expect a cache.DeletedFinalStateUnknown in the place of the
// object. A client-go informer sends one when it missed the deletion itself.
type tombstones struct {
	unit     *link.Unit[Part]
	pass     *analysis.Pass
	pkg      *program.Program
	reported map[token.Pos]bool
	memo     program.Answers[*ssa.Parameter, fate] // of the callees of handlers
	all      []*kubeapi.Handler                    // of the package
	fates    map[*ssa.Function]*Fate               // that have been asked for
	absences program.Answers[*ssa.Function, Absence]
	tells    func() bool // whether the package itself tells handlers of deletions
	kinds    func() map[*kubeapi.Handler][]types.Type
	unworked map[queue]bool // that have been asked for
}

// newTombstones is the look at a package with those handlers.
func newTombstones(u *link.Unit[Part], all []*kubeapi.Handler) *tombstones {
	t := &tombstones{
		unit: u, pass: u.Pass, pkg: program.Of(u.Pass), reported: map[token.Pos]bool{}, all: all,
		fates: map[*ssa.Function]*Fate{}, unworked: map[queue]bool{},
	}
	t.tells = sync.OnceValue(t.callsHandlers)
	t.kinds = sync.OnceValue(t.kindsOf)
	return t
}

// entry is a function that a client-go informer calls with a deleted object, or with its tombstone.
type entry struct {
	fn  *ssa.Function
	obj *ssa.Parameter
	// role is how the function was registered, and at where.
	role string
	at   token.Pos
	// dropsAreFine: the object is not wanted, so that only a panic hurts.
	dropsAreFine bool
	// behind is who gets what the function lets through, a filter.
	behind *kubeapi.Handler
	// anybody: it is not known who calls the function. Only what is wrong whoever does is said of it.
	anybody bool
}

// Run reports the delete handlers of informers, and the predicates of controller-runtime, that do not handle tombstones.
func Run(u *link.Unit[Part], all []*kubeapi.Handler) {
	t := newTombstones(u, all)
	if rule.InTestFolder(u.Pass) { // it is the business of who runs the tests
		t.export()
		return
	}
	t.handlers(all)
	if kubeapi.Imports(u.Pass.Pkg, func(path string) bool { return path == kubeapi.Event }) {
		t.predicates()
	}
	t.noteWatches()
	t.export()
}

func (t *tombstones) handlers(all []*kubeapi.Handler) {
	guarded := map[*kubeapi.Handler]bool{} // no tombstone gets there; the filter in front is told
	refused := map[ssa.Value]bool{}        // what is behind such a filter
	for _, h := range all {
		if h.Behind != nil && h.Val != nil && t.keptFrom(h.Val) {
			guarded[h.Behind] = true
		}
		p := t.elsewhere(h.Filter.Val)
		if h.Rest == nil || !slices.ContainsFunc(h.Filter.Fns, t.refuses) && p == nil {
			continue
		}
		refused[h.Rest] = true
		if h.Behind != nil {
			guarded[h.Behind] = true
		}
	}
	causes := map[*types.Func][]registered{} // functions of other packages
	var order []*types.Func
	elsewhere := func(part kubeapi.HandlerFunc, p *problem) {
		if causes[p.by] == nil {
			order = append(order, p.by)
		}
		causes[p.by] = append(causes[p.by], registered{part, p})
	}
	for _, h := range all {
		if h.Val != nil && t.keptFrom(h.Val) {
			continue
		}
		if h.Informer && !guarded[h] && !onlyBehind(h, guarded) {
			t.checkPart(h.Deleted, t.madeUpFor(h.Updated.Fns, h.Deleted.Fns), nil)
			if p := t.elsewhere(h.Deleted.Val); p != nil {
				elsewhere(h.Deleted, p)
			}
		}
		harmed, known := t.harmed(h)
		t.checkPart(h.Filter, h.Behind != nil && !h.Behind.Deleted.At.IsValid() || known && !harmed, h.Behind)
		if p := t.elsewhere(h.Filter.Val); p != nil && (p.panics || harmed) {
			elsewhere(h.Filter, p)
		}
	}
	for _, by := range order {
		t.reportElsewhere(causes[by])
	}
	for _, fn := range t.pkg.All() {
		for in := range flow.Calls(fn) {
			if call, ok := in.(*ssa.Call); ok && !refused[call] {
				fns := t.deletes(call)
				if len(fns) > 0 && t.keptFrom(call) {
					continue
				}
				for _, fn := range fns {
					t.checkPart(kubeapi.HandlerFunc{Fns: []*ssa.Function{fn}, Name: "the function passed to " + calleeName(&call.Call), At: call.Pos()}, t.alwaysBy(call) && t.madeUpFor(fns, fns), nil)
				}
			}
		}
	}
	// A function that looks for a tombstone gets some, whoever registers it, perhaps another package.
	for _, fn := range t.pkg.Funcs {
		asks := saysYesOrNo(fn) && !slices.ContainsFunc(all, func(h *kubeapi.Handler) bool { return slices.Contains(h.Filter.Fns, fn) })
		for _, p := range fn.Params {
			if kubeapi.IsAny(p.Type()) && (fn.Signature.Results().Len() == 0 || asks) && expectsTombstone(fn, p) {
				t.check(entry{fn: fn, obj: p, role: nameOf(fn), at: fn.Pos(), anybody: asks})
			}
		}
	}
}

// saysYesOrNo reports whether fn has one result, a bool, as filters have.
func saysYesOrNo(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() == 1 && flow.IsBool(results.At(0).Type())
}

// nameOf names fn, which nobody in sight registers, for a message.
func nameOf(fn *ssa.Function) string {
	if fn.Parent() != nil && saysYesOrNo(fn) {
		return "this filter function"
	}
	return flow.FuncName(fn)
}

// registered is a function of another package that goes wrong on tombstones, and where it was registered.
type registered struct {
	part kubeapi.HandlerFunc
	how  *problem
}

// reportElsewhere reports what was registered, all for one function's fault, as one finding.
func (t *tombstones) reportElsewhere(all []registered) {
	slices.SortFunc(all, func(a, b registered) int { // by the names of functions, which a move of the source does not change
		return cmp.Or(cmp.Compare(a.part.In, b.part.In), cmp.Compare(a.part.At, b.part.At))
	})
	first := all[0]
	var others []analysis.RelatedInformation
	for _, r := range all[1:] {
		others = append(others, analysis.RelatedInformation{Pos: r.part.At, Message: "likewise here"})
	}
	how := *first.how
	switch len(others) {
	case 0:
	case 1:
		how.text += " (and 1 more place)"
	default:
		how.text += fmt.Sprintf(" (and %d more places)", len(others))
	}
	t.report(first.part.Name, first.part.At, nil, &how, others...)
}

// deletes are the functions of the package that hear of deletions from the handler that call makes.
func (t *tombstones) deletes(call *ssa.Call) []*ssa.Function {
	if call.Call.Signature().Results().Len() != 1 || !kubeapi.IsResourceEventHandler(call.Type()) {
		return nil
	}
	f := t.known(&call.Call)
	if f == nil || f.Deletes == 0 || f.Deletes > len(call.Call.Args) {
		return nil
	}
	fns, _ := t.pkg.FunctionsIn(call.Call.Args[f.Deletes-1])
	return fns
}

// alwaysBy reports whether the function that hears of deletions from the handler that call makes hears of updates, too.
func (t *tombstones) alwaysBy(call *ssa.Call) bool {
	f := t.known(&call.Call)
	return f != nil && f.Always
}

// calleeName is the name of what call calls, for messages.
func calleeName(call *ssa.CallCommon) string {
	if fn := flow.Callee(call); fn != nil {
		return fn.Name()
	}
	if made, ok := call.Value.(*ssa.Call); ok && flow.Callee(&made.Call) != nil {
		return "the function returned by " + flow.Callee(&made.Call).Name()
	}
	return "the handler"
}

// behind is who hears of deletions, and of updates, behind the filter of h, as far as that is in sight: functions in a struct, those that a function makes a handler
// of, or the methods of a type.
func (t *tombstones) behind(h *kubeapi.Handler) (deleted, updated []*ssa.Function, known bool) {
	if h.Behind != nil {
		return h.Behind.Deleted.Fns, h.Behind.Updated.Fns, len(h.Behind.Deleted.Fns) > 0
	}
	if call, ok := h.Rest.(*ssa.Call); ok {
		deleted = t.deletes(call)
		if t.alwaysBy(call) {
			updated = deleted
		}
		return deleted, updated, true
	}
	if h.Rest != nil {
		if named := kubeapi.Named(flow.Unwrap(h.Rest).Type()); named != nil {
			for _, x := range t.all {
				if x.Type == named {
					return x.Deleted.Fns, x.Updated.Fns, len(x.Deleted.Fns) > 0
				}
			}
		}
	}
	return nil, nil, false
}

// harmed reports whether somebody in sight hears of deletions behind the filter of h, and does more about them than to queue keys for nothing; known says whether it
// is in sight who hears of them.
func (t *tombstones) harmed(h *kubeapi.Handler) (harmed, known bool) {
	deleted, updated, known := t.behind(h)
	if t.madeUpFor(updated, deleted) {
		return false, known
	}
	return slices.ContainsFunc(deleted, func(fn *ssa.Function) bool { return !t.idle(fn) && !onlyLogs(fn) && !doesNothing(fn) }), known
}

// doesNothing reports whether fn returns at once.
func doesNothing(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 {
		return false
	}
	_, ok := fn.Blocks[0].Instrs[0].(*ssa.Return)
	return ok
}

func (t *tombstones) checkPart(part kubeapi.HandlerFunc, dropsAreFine bool, behind *kubeapi.Handler) {
	for _, fn := range part.Fns {
		if obj := lastAny(fn); obj != nil {
			t.check(entry{fn: fn, obj: obj, role: part.Name, at: part.At, dropsAreFine: dropsAreFine || t.idle(fn), behind: behind})
		}
	}
}

// refuses reports whether the filter fn drops tombstones, or panics on them, as those are reported for.
func (t *tombstones) refuses(fn *ssa.Function) bool {
	if len(fn.Params) != 1 || !kubeapi.IsAny(fn.Params[0].Type()) {
		return false
	}
	return kubeapi.AssertsStruct(fn) != nil || len(t.follow(fn, fn.Params[0], true).problems) > 0
}

// onlyBehind reports whether the methods of h, a type, are what stands behind filters that no tombstone gets through: that is how they are registered.
func onlyBehind(h *kubeapi.Handler, guarded map[*kubeapi.Handler]bool) bool {
	if h.Type == nil {
		return false
	}
	for other := range guarded {
		if other != h && slices.ContainsFunc(other.Deleted.Fns, func(fn *ssa.Function) bool { return slices.Contains(h.Deleted.Fns, fn) }) {
			return true
		}
	}
	return false
}

// expectsTombstone reports whether fn asserts p to be a tombstone, or a pointer to one.
func expectsTombstone(fn *ssa.Function, p *ssa.Parameter) bool {
	return flow.Any(flow.InstrsOf[*ssa.TypeAssert](fn), func(a *ssa.TypeAssert) bool {
		return raw(a.X) == ssa.Value(p) && kubeapi.Tombstone.Is(a.AssertedType)
	})
}

// problem is one way in which a handler goes wrong on a tombstone.
type problem struct {
	byHand bool // no edit fixes it that is sure to be right
	// call gives the tombstone to a function of another package that goes wrong on it; nil where the function is one of this package.
	call ssa.CallInstruction
	// given is the call in the function looked at that gives the tombstone away; nil where it goes wrong there itself.
	given ssa.CallInstruction
	// by is the function of another package that goes wrong, nil where it is one of this package.
	by     *types.Func
	pos    token.Pos
	text   string // the cause, and what to do
	panics bool
	// unopened: the tombstone was put in the place of the object that is in it.
	unopened bool
	// sure: it goes wrong whatever else looks at the object.
	sure bool
	// fn is the function that goes wrong, obj its parameter. instead replaces the name at pos, if that is all it takes.
	fn      *ssa.Function
	obj     ssa.Value
	instead string
	// loses is the function that does not get to the object: no more than what that does is lost.
	loses *ssa.Function
}

func (t *tombstones) check(e entry) {
	problems := slices.Clone(t.follow(e.fn, e.obj, true).problems)
	slices.SortStableFunc(problems, func(a, b problem) int { // nothing comes behind one that panics in the handler itself
		return cmp.Compare(rank(a), rank(b))
	})
	for _, p := range problems {
		if t.reported[p.pos] || e.dropsAreFine && !p.panics || e.anybody && !p.unopened || t.losesNothing(e.fn, &p) {
			continue
		}
		t.report(e.role, e.at, t.withBehind(t.fixes(p), e.behind), &p)
		return // one a handler
	}
}

// rank is where p comes among the problems of a handler.
func rank(p problem) int {
	if p.panics && p.byHand && p.call == nil {
		return 0
	}
	return 1
}

// report reports the problem p of what was registered as role at the position at.
func (t *tombstones) report(role string, at token.Pos, fixes []analysis.SuggestedFix, p *problem, others ...analysis.RelatedInformation) {
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
