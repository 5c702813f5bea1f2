package finalizerorder

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// swallowed is a cleanup in callee, or in what it calls, of which its callers do not hear how it went: its error is dropped or logged, and callee
// says that all is well, or nothing. Nil where there is none, and where callee tells something besides an error: it may say that something is left.
func (a *analyzer) swallowed(callee *ssa.Function) *ssa.Call {
	if callee == nil || callee.Blocks == nil || callee.Signature.Results().Len() > 1 {
		return nil
	}
	i := flow.ErrorResult(callee.Signature)
	if i < 0 && callee.Signature.Results().Len() > 0 {
		return nil
	}
	return a.swallows.Ask(callee, nil, func() *ssa.Call {
		for call := range flow.InstrsOf[*ssa.Call](callee) {
			if !a.givenBy(call, callee) {
				continue
			}
			if flow.ErrorResult(call.Call.Signature()) >= 0 && a.undoes(call) && !shruggedOff(call) && a.goesUnheard(call, i) {
				return call
			}
			if inner := a.swallowed(a.pkg.Callee(&call.Call)); inner != nil {
				return inner
			}
		}
		return nil
	})
}

// givenBy reports whether something that callee is given goes to call: an argument that is no context.
func (a *analyzer) givenBy(call *ssa.Call, callee *ssa.Function) bool {
	params := callee.Params
	if callee.Signature.Recv() != nil && len(params) > 0 {
		params = params[1:]
	}
	return slices.ContainsFunc(params, func(p *ssa.Parameter) bool {
		return !flow.IsError(p.Type()) && !kubeapi.IsContext(p.Type()) && a.isGiven(call, p)
	})
}

// goesUnheard reports whether the function of call may say that all is well, by its result i or by nothing, although call has failed, and nobody has asked
// why.
func (a *analyzer) goesUnheard(call *ssa.Call, i int) bool {
	err := flow.ErrorOf(call)
	w := walk{
		lost: err != nil && isOverwritten(call, err),
		goal: func(ssa.Instruction) bool { return false },
		stop: func(in ssa.Instruction) bool { // a look at the outside that comes after it says more
			look, ok := in.(*ssa.Call)
			return ok && look != call && look.Call.Signature().Results().Len() > 1 && isForeign(look)
		},
		exit: func(ret *ssa.Return, k *paths.State) bool {
			return i < 0 || k.Value(returned(ret, i)) == flow.True
		},
	}
	if !w.lost { // else what is returned may be that of another turn
		w.turn = func(b, s *ssa.BasicBlock) bool { return !returnsFailure(b, s, err) }
	}
	if err == nil { // dropped
		err = call
	}
	return w.from(a, call, err, flow.False)
}
