package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Some calls wait until work of other goroutines on an object has ended: the handlers of an informer factory, the
// requests of a server, the items of a queue. How long that takes depends on the code that registered the handlers, or
// takes the items.

// DrainOf returns the wait of call if it waits for such work.
func DrainOf(call *ssa.CallCommon) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Wait{}, false
	}
	server := kubeapi.Symbol{Pkg: "net/http", Recv: "Server", Name: "Shutdown"}.Is(fn)
	if server && BoundOf(flow.Args(call)[0]).Limit != Never ||
		!server && !kubeapi.QueueOpOf(fn).Drains() && !kubeapi.DrainsFactory(fn) {
		return Wait{}, false
	}
	return Wait{Kind: Drain, What: callName(call, fn), Call: call, Ends: []End{{Kind: Drain, On: flow.Recv(call)}}}, true
}
