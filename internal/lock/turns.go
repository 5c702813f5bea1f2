package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// BetweenTurns reports whether o is what a loop does between its turns, a sleep until something has happened, and h is a lock that each turn takes anew before that,
// and so has given back by then: it is held for one sleep, however often the loop turns.
func (o *Occurrence) BetweenTurns(h Hold) bool {
	if o.Instr == nil || len(o.Block.Hops()) > 0 {
		return false
	}
	_, spins := blocking.Spins(o.Instr)
	return spins && takenAnew(h, o.Instr)
}

// takenAnew reports whether each turn of all loops around at takes h before it comes there.
func takenAnew(h Hold, at ssa.Instruction) bool {
	return h.Site != nil && h.Site.Parent() == at.Parent() && flow.Dominates(h.Site, at) && !slices.ContainsFunc(flow.Loops(at.Parent()), func(l *flow.Loop) bool {
		return l.Blocks[at.Block()] && !l.Blocks[h.Site.Block()]
	})
}

// spins is the wait w of a loop that sleeps at in: for who has a lock that each turn takes anew it is only slow.
func (in *interp) spins(at ssa.Instruction, w blocking.Wait, s *state) {
	in.wait(at, w, s)
	if slow, ok := in.e.table.SlowOf(at); ok && len(s.held) > 0 && !slices.ContainsFunc(s.held, func(h Hold) bool { return !takenAnew(h, at) }) {
		in.slow(at, slow, s)
	}
}
