package paths

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Calls tells what the functions of a package give. It is not safe for concurrent use.
type Calls struct {
	pkg     *program.Program
	results program.Answers[callKey, []flow.Truth]
}

// callKey is a function, and what is known of its parameters: a byte for each.
type callKey struct {
	fn     *ssa.Function
	params string
}

// NewCalls is for the functions of pkg.
func NewCalls(pkg *program.Program) *Calls { return &Calls{pkg: pkg} }

// Results are those of call, where known holds of its arguments; nil where no body is in sight. See [Feasible.Results].
func (c *Calls) Results(call *ssa.Call, known func(ssa.Value) flow.Truth) []flow.Truth {
	callee := c.pkg.Callee(&call.Call)
	if callee == nil || !tells(callee) {
		return nil
	}
	params := make([]byte, len(callee.Params))
	if args := flow.AllArgs(&call.Call); len(args) == len(params) {
		for i, a := range args {
			params[i] = byte(known(a))
		}
	}
	return c.results.Ask(callKey{callee, string(params)}, nil, func() []flow.Truth {
		assume := func(v ssa.Value) flow.Truth {
			if i := flow.ParamIndex(callee, v); i >= 0 {
				return flow.Truth(params[i])
			}
			return flow.Unknown
		}
		return Reachable(callee, assume, func(v *Feasible, inner *ssa.Call) []flow.Truth { return c.Results(inner, v.Value) }).Results()
	})
}

// tells reports whether fn gives a bool or an error.
func tells(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if flow.IsBool(v.Type()) || flow.IsError(v.Type()) {
			return true
		}
	}
	return false
}
