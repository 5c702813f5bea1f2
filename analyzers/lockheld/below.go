package lockheld

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A cause is what one finding says.
type cause struct {
	pos     token.Pos
	class   lock.Class // of the lock that is held
	sub     string
	site    rule.Site
	sure    rule.Confidence
	ever    bool // what waits there waits forever, locked or not
	writer  bool // all hold the lock for reading: it takes a writer that waits
	message string
	rel     []analysis.RelatedInformation
}

// Calls are the causes of one kind that lie behind one instruction, a call that has to be moved or changed once for all of them.
type calls struct {
	instr  ssa.Instruction
	what   string // "acquisition"
	causes []cause
}

// weight is the order in which causes are told: what is certain, what takes nobody else, and what takes a writer that waits.
func (c cause) weight() int {
	switch {
	case c.sure == rule.Certain:
		return 2
	case !c.writer:
		return 1
	}
	return 0
}

// below keeps c, which happens at instr or behind it, for reported.
func (r *reporter) below(instr ssa.Instruction, c cause, what string) {
	i := slices.IndexFunc(r.calls, func(g *calls) bool { return g.instr == instr && g.causes[0].sub == c.sub })
	if i < 0 {
		i = len(r.calls)
		r.calls = append(r.calls, &calls{instr: instr, what: what})
	}
	r.calls[i].causes = append(r.calls[i].causes, c)
}

// onlyBeyond puts off what is said of a wait with a lock that others want only if another package brings them there.
func (r *reporter) onlyBeyond(a lock.Alone, at token.Pos, sub string, v verdict, message string, rel []analysis.RelatedInformation) bool {
	f := rule.Finding{Pos: at, Sub: sub, Site: v.site, Message: message, Related: rel, Confidence: v.sure, Elsewhere: elsewhere(r.pass, at)}
	return r.unit.DeferUntilOneCalled(a.Beyond, f)
}

// behind makes possible what is certain behind something certain: nobody gets there before that is fixed. Nor does anybody with a lock that
// is taken for good elsewhere.
func (r *reporter) behind() {
	certain := func(c cause) bool { return c.sure == rule.Certain }
	var stops []*calls // in the order of what happens, where that is at one instruction
	for _, g := range r.calls {
		if slices.ContainsFunc(g.causes, certain) {
			stops = append(stops, g)
		}
	}
	for _, g := range r.calls {
		for i, c := range g.causes {
			if r.lost[c.class] && !c.ever {
				g.causes[i].sure = rule.Possible
			}
		}
	}
	for i, g := range stops {
		if slices.ContainsFunc(stops[:i], func(s *calls) bool { return s.instr == g.instr }) ||
			slices.ContainsFunc(stops, func(s *calls) bool { return s.instr != g.instr && comesBefore(s.instr, g.instr) }) {
			for c := range g.causes {
				g.causes[c].sure = rule.Possible
			}
		}
	}
}

// comesBefore reports whether who gets to b has been through a, a deferred call not counted, which runs at the end.
func comesBefore(a, b ssa.Instruction) bool {
	_, deferred := a.(*ssa.Defer)
	return !deferred && a.Parent() == b.Parent() && flow.Dominates(a, b)
}

// reported makes one finding of all that lies behind one instruction: that of the greatest weight, with the places of the others.
func (r *reporter) reported() {
	r.behind()
	for _, g := range r.calls {
		first := 0
		for i, c := range g.causes {
			if c.weight() > g.causes[first].weight() {
				first = i
			}
		}
		c := g.causes[first]
		for i, other := range g.causes {
			if i != first {
				c.rel = append(c.rel[:len(c.rel):len(c.rel)], other.rel...)
			}
		}
		switch n := len(g.causes) - 1; {
		case n == 1:
			c.message += "; so does 1 more " + g.what + " below this call"
		case n > 1:
			c.message += fmt.Sprintf("; so do %d more %ss below this call", n, g.what)
		}
		f := rule.Finding{Pos: c.pos, Sub: c.sub, Site: c.site, Message: c.message, Related: c.rel, Confidence: c.sure, Elsewhere: elsewhere(r.pass, c.pos)}
		if !r.unit.DeferUntilCalled(g.instr.Parent(), f) {
			r.say(f)
		}
	}
}
