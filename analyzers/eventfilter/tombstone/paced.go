package tombstone

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// onlyAddsPeriodicKey reports whether fn, a handler, only adds the constant key of a controller (library-go) to its
// queue, and the controller is set up to add that key periodically: the next periodic sync does the work of a missed
// event.
func onlyAddsPeriodicKey(fn *ssa.Function) bool {
	some := false
	only := onlyCalls(fn, func(c ssa.CallInstruction) bool {
		call, ok := c.(*ssa.Call)
		if !ok {
			return false
		}
		if addsPeriodicKey(call) {
			some = true
			return true
		}
		callee, res := flow.Callee(&call.Call), call.Call.Signature().Results()
		return callee != nil &&
			(kubeapi.Logs(callee) || kubeapi.FactoryCallOf(&call.Call) == kubeapi.FactoryQueue ||
				res.Len() == 1 && flow.IsString(res.At(0).Type()) && len(flow.Args(&call.Call)) == 0)
	})
	return only && some
}

// addsPeriodicKey reports whether call adds that key to the queue of a sync context which is passed to a controller
// with periodic syncs, in the function that makes the context.
func addsPeriodicKey(call *ssa.Call) bool {
	fn, args := flow.Callee(&call.Call), flow.Args(&call.Call)
	if !kubeapi.QueueOpOf(fn).AddsNow() || len(args) != 1 {
		return false
	}
	key, ok := flow.Unwrap(args[0]).(*ssa.Const)
	if !ok || key.Value == nil || key.Value.Kind() != constant.String ||
		constant.StringVal(key.Value) != kubeapi.FactoryKey {
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
	return flow.Any(flow.Calls(context.Parent()), func(c ssa.CallInstruction) bool { return passedToPeriodic(c, context) })
}

// passedToPeriodic reports whether in passes the sync context to a controller factory whose chain of calls sets a
// resync period.
func passedToPeriodic(in ssa.CallInstruction, context ssa.Value) bool {
	call, ok := in.(*ssa.Call)
	if !ok || kubeapi.FactoryCallOf(&call.Call) != kubeapi.FactorySyncContext ||
		flow.Resolve(flow.Args(&call.Call)[0]) != context {
		return false
	}
	for c := call; c != nil; c = previousInChain(c) {
		if setsResync(c) {
			return true
		}
	}
	for c := call; c != nil; c = nextInChain(c) {
		if setsResync(c) {
			return true
		}
	}
	return false
}

// setsResync reports whether call sets a resync period, which may be above 0.
func setsResync(call *ssa.Call) bool {
	if kubeapi.FactoryCallOf(&call.Call) != kubeapi.FactoryResync {
		return false
	}
	period, ok := flow.Args(&call.Call)[0].(*ssa.Const)
	return !ok || period.Int64() > 0
}

// previousInChain returns the call whose result call, in a chain of calls, is invoked on; nil if call is the first one.
func previousInChain(call *ssa.Call) *ssa.Call {
	recv := flow.Recv(&call.Call)
	if recv == nil {
		return nil
	}
	c, _ := flow.Resolve(recv).(*ssa.Call)
	return c
}

// nextInChain returns the call of a method of the result of call; nil if there is none.
func nextInChain(call *ssa.Call) *ssa.Call {
	for c := range flow.Referrers[*ssa.Call](call) {
		if flow.Recv(&c.Call) == ssa.Value(call) {
			return c
		}
	}
	return nil
}
