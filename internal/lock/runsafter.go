package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// runsOnlyAfter reports whether each chain of calls and go statements that leads to fn begins behind the instruction at, in its function: what
// at waits for is over by then. A function literal runs after it has been made, and of a declared function that is used as a value nothing is known.
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
				return !e.within.dominates(at, in) || e.within.inLoop(at.Block())
			}
			return !after(in.Parent())
		})
	}
	return after(fn)
}
