package unboundedsync

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
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
			of, only := callsOf(callee.Params[i], false)
			if !only {
				return nil
			}
			calls = append(calls, of...)
		}
	}
	return calls
}

// callsOf are the calls of the function v, or of the one in the variable at address v, and whether nothing else is done with it.
func callsOf(v ssa.Value, address bool) (calls []ssa.CallInstruction, only bool) {
	only = true
	for _, r := range *v.Referrers() {
		var of []ssa.CallInstruction
		is := false
		switch r := r.(type) {
		case *ssa.Store: // of the parameter, into the variable that a literal captures
			cell, local := r.Addr.(*ssa.Alloc)
			if is = address && r.Addr == v; !is && local && r.Val == v {
				of, is = callsOf(cell, true)
			}
		case *ssa.UnOp:
			if address {
				of, is = callsOf(r, false)
			}
		case *ssa.MakeClosure:
			if i := slices.Index(r.Bindings, v); address && i >= 0 {
				of, is = callsOf(r.Fn.(*ssa.Function).FreeVars[i], true)
			}
		case ssa.CallInstruction:
			of, is = []ssa.CallInstruction{r}, r.Common().Value == v && !slices.Contains(r.Common().Args, v)
		}
		calls, only = append(calls, of...), only && is
	}
	return calls, only
}
