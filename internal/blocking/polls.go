package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// RunsForEver reports whether the condition of a poll that is given args can never hold, which is how the program writes a loop.
func RunsForEver(args []ssa.Value) bool {
	cond := condition(args)
	return cond != nil && !anyReturn(cond, func(ret *ssa.Return) bool { return flow.ConstTruth(ret.Results[0]) != flow.False })
}

// RetriesConflicts reports whether the condition of a poll that is given args asks for another turn only after a conflict, which is how the program
// writes a retry.
func RetriesConflicts(args []ssa.Value) bool {
	cond := condition(args)
	return cond != nil && !anyReturn(cond, func(ret *ssa.Return) bool {
		k, ok := ret.Results[1].(*ssa.Const)
		return (!ok || k.IsNil()) && !afterConflict(ret.Block()) && flow.ConstTruth(ret.Results[0]) != flow.True && !SurelyError(ret.Results[1], ret.Block())
	})
}

// condition is the function among args that a poll asks, nil where it is not in sight.
func condition(args []ssa.Value) *ssa.Function {
	for _, a := range args {
		if fn := flow.FuncValue(a); fn != nil && fn.Signature.Results().Len() == 2 && len(fn.Blocks) > 0 {
			return fn
		}
	}
	return nil
}

// anyReturn reports whether is is true of a return of fn.
func anyReturn(fn *ssa.Function, is func(*ssa.Return) bool) bool {
	return flow.Any(flow.Returns(fn), is)
}

// afterConflict reports whether control comes to b only where an update was refused because somebody else was faster.
func afterConflict(b *ssa.BasicBlock) bool {
	return flow.Any2(paths.Facts(b), func(v ssa.Value, t flow.Truth) bool {
		call, ok := v.(*ssa.Call)
		return ok && t == flow.True && kubeapi.Conflict.Has(flow.Callee(&call.Call))
	})
}

// SurelyError reports whether v, an error, is one that was just made, or that control comes to b only with.
func SurelyError(v ssa.Value, b *ssa.BasicBlock) bool {
	_, call := flow.Unwrap(v).(*ssa.Call)
	return call || paths.ValueAt(v, b) == flow.False
}
