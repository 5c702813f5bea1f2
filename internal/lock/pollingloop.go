package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// ReacquiredInLoop reports whether o is the sleep of a polling loop that acquires h in each iteration before, and so
// releases it in between: the lock is held for one sleep only.
func (o *Occurrence) ReacquiredInLoop(h Hold) bool {
	if o.Instr == nil || len(o.Block.Hops()) > 0 {
		return false
	}
	_, spins := blocking.Spins(o.Instr)
	return spins && acquiredInEachIteration(h, o.Instr)
}

// acquiredInEachIteration reports whether h is acquired at a site that dominates at and lies in all loops around it.
func acquiredInEachIteration(h Hold, at ssa.Instruction) bool {
	return h.Site != nil && h.Site.Parent() == at.Parent() && flow.Dominates(h.Site, at) &&
		!slices.ContainsFunc(flow.Loops(at.Parent()), func(l *flow.Loop) bool {
			return l.Blocks[at.Block()] && !l.Blocks[h.Site.Block()]
		})
}

// spins records the wait w of the loop that sleeps at at. If each iteration reacquires the locks, it is a bounded
// wait as well.
func (in *interp) spins(at ssa.Instruction, w blocking.Wait, s *state) {
	in.wait(at, w, s)
	if slow, ok := in.e.table.SlowOf(at); ok && len(s.held) > 0 &&
		!slices.ContainsFunc(s.held, func(h Hold) bool { return !acquiredInEachIteration(h, at) }) {
		in.slow(at, slow, s)
	}
}
