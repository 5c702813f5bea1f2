package paths

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Calls are the results of a package's functions, by the truths of their arguments. It is not safe for concurrent use.
type Calls struct {
	pkg     *program.Program
	results program.Answers[callKey, []flow.Truth]
}

// callKey is a function and the truths of its parameters, a byte for each.
type callKey struct {
	fn     *ssa.Function
	params string
}

// NewCalls returns the results of the functions of pkg.
func NewCalls(pkg *program.Program) *Calls { return &Calls{pkg: pkg} }

// Results returns those of call if known holds of its arguments, as [Feasible.Results]; nil if the callee's body is
// unknown.
func (c *Calls) Results(call *ssa.Call, known func(ssa.Value) flow.Truth) []flow.Truth {
	callee := c.pkg.Callee(&call.Call)
	if callee == nil || !returnsTruth(callee) {
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
		results := func(v *Feasible, inner *ssa.Call) []flow.Truth { return c.Results(inner, v.Value) }
		return Reachable(callee, assume, results).Results()
	})
}

// returnsTruth reports whether fn returns a bool or an error.
func returnsTruth(fn *ssa.Function) bool {
	for v := range fn.Signature.Results().Variables() {
		if flow.IsBool(v.Type()) || flow.IsError(v.Type()) {
			return true
		}
	}
	return false
}
