package tombstone

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// paced reports whether fn, a handler, does nothing but add that key to the queue of a controller which adds it by itself after a time: what a missed
// event would have told, the next turn finds.
func paced(fn *ssa.Function) bool {
	some := false
	only := onlyCalls(fn, func(c ssa.CallInstruction) bool {
		call, ok := c.(*ssa.Call)
		if !ok {
			return false
		}
		if addsPaced(call) {
			some = true
			return true
		}
		callee, res := flow.Callee(&call.Call), call.Call.Signature().Results()
		return callee != nil && (kubeapi.Logs(callee) || kubeapi.FactoryCallOf(&call.Call) == kubeapi.FactoryQueue || res.Len() == 1 && flow.IsString(res.At(0).Type()) && len(flow.Args(&call.Call)) == 0)
	})
	return only && some
}

// addsPaced reports whether call adds the key of turns to the queue of a sync context, which a controller with turns is given where that is
// made.
func addsPaced(call *ssa.Call) bool {
	fn, args := flow.Callee(&call.Call), flow.Args(&call.Call)
	if !kubeapi.QueueOpOf(fn).AddsNow() || len(args) != 1 {
		return false
	}
	key, ok := flow.Unwrap(args[0]).(*ssa.Const)
	if !ok || key.Value == nil || key.Value.Kind() != constant.String || constant.StringVal(key.Value) != kubeapi.FactoryKey {
		return false
	}
	queue, ok := flow.Resolve(flow.Recv(&call.Call)).(*ssa.Call)
	if !ok || kubeapi.FactoryCallOf(&queue.Call) != kubeapi.FactoryQueue {
		return false
	}
	context := flow.Resolve(flow.Recv(&queue.Call))
	if context.Parent() == nil {
		return false
	}
	return flow.Any(flow.Calls(context.Parent()), func(c ssa.CallInstruction) bool { return givesTurns(c, context) })
}

// givesTurns reports whether in gives the sync context to a controller that is told, in the chain of calls that sets it up, to add the key after a time.
func givesTurns(in ssa.CallInstruction, context ssa.Value) bool {
	call, ok := in.(*ssa.Call)
	if !ok || kubeapi.FactoryCallOf(&call.Call) != kubeapi.FactorySyncContext || flow.Resolve(flow.Args(&call.Call)[0]) != context {
		return false
	}
	for c := call; c != nil; c = before(c) {
		if isTurn(c) {
			return true
		}
	}
	for c := call; c != nil; c = behind(c) {
		if isTurn(c) {
			return true
		}
	}
	return false
}

// isTurn reports whether call tells a controller to add the key after a time.
func isTurn(call *ssa.Call) bool {
	if kubeapi.FactoryCallOf(&call.Call) != kubeapi.FactoryResync {
		return false
	}
	period, ok := flow.Args(&call.Call)[0].(*ssa.Const)
	return !ok || period.Int64() > 0
}

// before is the call whose result call, of a chain, is made of; nil where it is the first one.
func before(call *ssa.Call) *ssa.Call {
	recv := flow.Recv(&call.Call)
	if recv == nil {
		return nil
	}
	c, _ := flow.Resolve(recv).(*ssa.Call)
	return c
}

// behind is the call of a method of what call gives; nil where there is none.
func behind(call *ssa.Call) *ssa.Call {
	for c := range flow.Referrers[*ssa.Call](call) {
		if flow.Recv(&c.Call) == ssa.Value(call) {
			return c
		}
	}
	return nil
}
