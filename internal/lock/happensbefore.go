package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// runsOnlyAfter reports whether fn happens after the instruction at: each chain of calls and go statements that leads
// to fn begins behind at in the function of at. A function literal runs after its closure is created. Declared
// functions that are used as values are not followed.
func (e *engine) runsOnlyAfter(fn *ssa.Function, at ssa.Instruction) bool {
	seen := map[*ssa.Function]bool{}
	var after func(fn *ssa.Function) bool
	after = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		if fn == at.Parent() || e.callable(fn) || e.handedOut(fn) {
			return false
		}
		var from []ssa.Instruction
		if mc := flow.ClosureSite(fn); mc != nil {
			from = append(from, *mc.Referrers()...)
		}
		for _, c := range e.origins.Callers(fn) {
			from = append(from, c)
		}
		return len(from) > 0 && !slices.ContainsFunc(from, func(in ssa.Instruction) bool {
			if in.Parent() == at.Parent() {
				return !e.cfg.dominates(at, in) || e.cfg.inLoop(at.Block())
			}
			return !after(in.Parent())
		})
	}
	return after(fn)
}

// comesAfter reports whether the function of r, a receive, has done one of sends before, each time.
func comesAfter(r peerOp, sends []peerOp) bool {
	return slices.ContainsFunc(sends, func(s peerOp) bool {
		at := r.instr
		if s.fn != r.fn {
			at = startOf(r.fn, s.fn)
		}
		return at != nil && at.Parent() == s.fn && flow.Dominates(s.instr, at) &&
			!flow.Reaches(at, at, func(in ssa.Instruction) bool { return in == s.instr })
	})
}

// joinedBefore reports whether an Add to the group g happens before wait, which is the Wait or a call that leads
// there: one function executes both, in that order.
func (e *engine) joinedBefore(wait peerOp, g origin.Group) bool {
	// What a go statement leads to may happen later.
	joins := e.peers.joins.Ask(g, sites{}, func() sites { return e.sitesLeadingTo(e.peers.groups[g][adds]) })
	waits := e.peers.waiters.Ask(wait.instr, sites{}, func() sites { return e.sitesAbove([]peerOp{wait}, true) })
	for fn, from := range joins.at {
		for _, a := range from {
			if slices.ContainsFunc(waits.at[fn],
				func(w ssa.Instruction) bool { return a != w && flow.Reaches(a, w, nil) }) {
				return true
			}
		}
	}
	return false
}

// Unjoined reports whether the group that o waits for may be empty, since no Add is known to happen before.
func (o *Occurrence) Unjoined() bool {
	p := o.Block.Peers
	return p.joined.Known() && o.Instr != nil && !p.engine.joinedBefore(peerOp{o.Instr.Parent(), o.Instr}, p.joined)
}
