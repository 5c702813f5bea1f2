package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Some calls wait until what others have under way on an object has come to its end: the handlers of an informer factory, the requests of
// a server, the items of a queue. How long that is, is for those to say who registered the handlers, or take the items.

// DrainOf is the wait of call, if it is one for what is under way.
func DrainOf(call *ssa.CallCommon) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Wait{}, false
	}
	server := kubeapi.Symbol{Pkg: "net/http", Recv: "Server", Name: "Shutdown"}.Is(fn)
	if server && BoundOf(flow.Args(call)[0]).Limit != Never || !server && !kubeapi.QueueOpOf(fn).Drains() && !kubeapi.DrainsFactory(fn) {
		return Wait{}, false
	}
	return Wait{Kind: Drain, What: callName(call, fn), Call: call, Ends: []End{{Kind: Drain, On: flow.Recv(call)}}}, true
}
