package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// waysTo are the calls that lead to s, as far as they are in sight: those of its function. To a goroutine that is harmless once, those of what only calls
// the literal that starts it lead, too.
func (c *checker) waysTo(s site) []ssa.CallInstruction {
	fn := s.at.Parent()
	if calls := c.pkg.Callers(fn); len(calls) > 0 || !s.once {
		return calls
	}
	return c.handedCalls(fn)
}

// handedCalls are the calls of the literal lit in the functions of the package that it is handed to; none where somebody may do anything else with it.
func (c *checker) handedCalls(lit *ssa.Function) (calls []ssa.CallInstruction) {
	site := flow.ClosureSite(lit)
	for _, to := range handedTo(lit) {
		callee := c.pkg.Callee(to.Common())
		if callee == nil {
			return nil
		}
		for i, a := range flow.AllArgs(to.Common()) {
			if flow.Unwrap(a) != ssa.Value(site) {
				continue
			}
			of, only := callsOf(callee.Params[i])
			if !only {
				return nil
			}
			calls = append(calls, of...)
		}
	}
	return calls
}

// callsOf are the calls of the function v, and whether nothing else is done with it.
func callsOf(v ssa.Value) (calls []ssa.CallInstruction, only bool) {
	for in, v := range values.Uses(v) {
		call, ok := in.(ssa.CallInstruction)
		if !ok || call.Common().Value != v || slices.Contains(call.Common().Args, v) {
			return nil, false
		}
		calls = append(calls, call)
	}
	return calls, true
}
