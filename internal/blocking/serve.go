package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Serve is a call that serves clients until the server is shut down, or its listener is closed.
type Serve struct {
	What string      // as a reader of the source would spell it
	Ends []ssa.Value // the server and the listener: shutting one of them down ends it
}

// ServeOf returns the serving that call does. Functions are known by name; a method by its shape: it has the name of
// one of net/http, and its receiver can be shut down.
func ServeOf(call *ssa.CallCommon) (Serve, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Serve{}, false
	}
	s := Serve{What: callName(call, fn)}
	sig := fn.Signature()
	switch {
	case sig.Recv() == nil:
		if !serveNames[fn.Name()] || kubeapi.Path(fn.Pkg().Path()) != "net/http" {
			return Serve{}, false
		}
	case fn.Name() == "Accept":
		if sig.Params().Len() != 0 || sig.Results().Len() != 2 || !hasMethod(sig.Recv().Type(), "Addr") {
			return Serve{}, false
		}
	case !serveNames[fn.Name()] || !canShutDown(sig.Recv().Type()):
		return Serve{}, false
	}
	if r := flow.Recv(call); r != nil {
		s.Ends = append(s.Ends, r)
	}
	for _, a := range flow.Args(call) {
		if hasMethod(a.Type(), "Accept") {
			s.Ends = append(s.Ends, a)
		}
	}
	return s, true
}

var serveNames = map[string]bool{
	"ListenAndServe": true, "ListenAndServeTLS": true, "Serve": true, "ServeTLS": true,
}

func canShutDown(t types.Type) bool {
	return hasMethod(t, "Shutdown") || hasMethod(t, "GracefulStop") || hasMethod(t, "Stop") || hasMethod(t, "Close")
}

func hasMethod(t types.Type, name string) bool { return kubeapi.Method(t, name) != nil }
