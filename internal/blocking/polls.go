package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// RunsForEver reports whether the condition of a poll with args never holds: the poll is a loop.
func RunsForEver(args []ssa.Value) bool {
	cond := condition(args)
	return cond != nil &&
		!anyReturn(cond, func(ret *ssa.Return) bool { return flow.ConstTruth(ret.Results[0]) != flow.False })
}

// RetriesConflicts reports whether the condition of a poll with args fails only after a conflict: the poll is a
// retry.
func RetriesConflicts(args []ssa.Value) bool {
	cond := condition(args)
	return cond != nil && !anyReturn(cond, func(ret *ssa.Return) bool {
		k, ok := ret.Results[1].(*ssa.Const)
		return (!ok || k.IsNil()) && !afterConflict(ret.Block()) && flow.ConstTruth(ret.Results[0]) != flow.True &&
			!SurelyError(ret.Results[1], ret.Block())
	})
}

// condition returns the function among args that a poll calls, nil if it is not known.
func condition(args []ssa.Value) *ssa.Function {
	for _, a := range args {
		if fn := flow.FuncValue(a); fn != nil && fn.Signature.Results().Len() == 2 && len(fn.Blocks) > 0 {
			return fn
		}
	}
	return nil
}

// anyReturn reports whether is holds for a return of fn.
func anyReturn(fn *ssa.Function, is func(*ssa.Return) bool) bool {
	return flow.Any(flow.Returns(fn), is)
}

// afterConflict reports whether control reaches b only if an update failed with a conflict.
func afterConflict(b *ssa.BasicBlock) bool {
	return flow.Any2(paths.Facts(b), func(v ssa.Value, t flow.Truth) bool {
		call, ok := v.(*ssa.Call)
		return ok && t == flow.True && kubeapi.Conflict.Has(flow.Callee(&call.Call))
	})
}

// SurelyError reports whether v, an error, must not be nil in b: it was just made, or a test of it dominates b.
func SurelyError(v ssa.Value, b *ssa.BasicBlock) bool {
	_, call := flow.Unwrap(v).(*ssa.Call)
	return call || paths.ValueAt(v, b) == flow.False
}
