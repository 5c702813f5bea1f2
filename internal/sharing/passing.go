package sharing

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A function that makes informers, gives them to nobody, and stops them when it returns, has asked a cache that nobody can ask behind it: what it gives out
// of that is its own.

// runsInformer are the methods of a shared informer that say nothing of its objects.
var runsInformer = map[string]bool{
	"Run": true, "RunWithContext": true, "HasSynced": true, "IsStopped": true, "LastSyncResourceVersion": true, "SetWatchErrorHandler": true,
	"SetWatchErrorHandlerWithContext": true, "SetTransform": true,
}

// endsWith reports whether in reads a cache that its function has made, and that is gone when it returns.
func endsWith(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	for recv := flow.Recv(&call.Call); recv != nil; recv = flow.Recv(&call.Call) {
		if call, ok = flow.Resolve(recv).(*ssa.Call); !ok {
			return false
		}
	}
	fn := flow.Callee(&call.Call)
	return call != in && call.Parent() == in.Parent() && fn != nil && words.First(fn.Name()) == "new" && isPassing(call, map[ssa.Value]bool{})
}

// isPassing reports whether v, a factory or an informer, or what leads to the store of one, is given to nobody, and runs no longer than its function.
func isPassing(v ssa.Value, seen map[ssa.Value]bool) bool {
	if _, several := v.Type().(*types.Tuple); seen[v] || v.Referrers() == nil || !several && !refers(v.Type()) {
		return true
	}
	seen[v] = true
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Extract, *ssa.TypeAssert, *ssa.ChangeInterface, *ssa.MakeInterface:
			return !isPassing(in.(ssa.Value), seen)
		case *ssa.MakeClosure: // a method as a value
			method := flow.Object(in.Fn.(*ssa.Function))
			return method == nil || !runsInformer[method.Name()] || method.Signature().Params().Len() > 0
		case ssa.CallInstruction:
			return !asksPassing(in, v, seen)
		}
		return true
	})
}

// asksPassing reports whether in calls a method of v, which is passing if what it gives is, and runs until a channel is closed when the function returns, if it is
// given one.
func asksPassing(in ssa.CallInstruction, v ssa.Value, seen map[ssa.Value]bool) bool {
	if flow.Recv(in.Common()) != v || slices.Contains(flow.Args(in.Common()), v) {
		return false
	}
	for _, arg := range flow.Args(in.Common()) {
		if _, isChan := arg.Type().Underlying().(*types.Chan); isChan && !closedAtReturn(arg, in) || kubeapi.IsContext(arg.Type()) {
			return false
		}
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return true
	}
	_, reads := kubeapi.CacheReadOf(&call.Call)
	return reads || isPassing(call, seen)
}

// closedAtReturn reports whether ch is a channel of the function of in, which closes it when it returns, if it has come to in.
func closedAtReturn(ch ssa.Value, in ssa.Instruction) bool {
	made, ok := flow.Resolve(ch).(*ssa.MakeChan)
	if !ok || made.Parent() != in.Parent() {
		return false
	}
	for other := range flow.Instrs(in.Parent()) {
		d, ok := other.(*ssa.Defer)
		if !ok || !d.Block().Dominates(in.Block()) {
			continue
		}
		if b, ok := d.Call.Value.(*ssa.Builtin); ok && b.Name() == "close" && flow.Resolve(d.Call.Args[0]) == ssa.Value(made) {
			return true
		}
	}
	return false
}
