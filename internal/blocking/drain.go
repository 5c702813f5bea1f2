package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Some calls wait until what others have under way on an object has come to its end: the handlers of an informer factory, the requests of
// a server, the items of a queue. How long that is, is for those to say who registered the handlers, or take the items.

// drains are such calls, with the index of the context that bounds them, -1 for none.
var drains = map[kubeapi.Symbol]int{
	{Pkg: kubeapi.Workqueue, Recv: "Type", Name: "ShutDownWithDrain"}:           -1,
	{Pkg: kubeapi.Workqueue, Recv: "Typed", Name: "ShutDownWithDrain"}:          -1,
	{Pkg: kubeapi.Workqueue, Recv: "Interface", Name: "ShutDownWithDrain"}:      -1,
	{Pkg: kubeapi.Workqueue, Recv: "TypedInterface", Name: "ShutDownWithDrain"}: -1,
	{Pkg: "net/http", Recv: "Server", Name: "Shutdown"}:                         0,
}

// DrainOf is the wait of call, if it is one for what is under way.
func DrainOf(call *ssa.CallCommon) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Wait{}, false
	}
	bound, ok := drains[kubeapi.SymbolOf(fn)]
	if !ok {
		if !drainsFactory(fn) {
			return Wait{}, false
		}
		bound = -1
	}
	if args := flow.Args(call); bound >= 0 && (bound >= len(args) || BoundOf(args[bound]).Limit != Never) {
		return Wait{}, false
	}
	return Wait{Kind: Drain, What: callName(call, fn), Call: call, Ends: []End{{Kind: Drain, On: flow.Recv(call)}}}, true
}

// drainsFactory reports whether fn is the Shutdown of a generated informer factory, which is known by what else it has.
func drainsFactory(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != "Shutdown" || fn.Signature().Params().Len() != 0 || fn.Signature().Results().Len() != 0 {
		return false
	}
	for name := range syncNames {
		obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), name)
		if m, ok := obj.(*types.Func); ok && m.Signature().Params().Len() == 1 && IsBound(m.Signature().Params().At(0).Type()) {
			return true
		}
	}
	return false
}
