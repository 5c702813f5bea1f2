package startctx

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// forDebugging reports whether all that the server of s answers with is the profiles of its own process: who looks at them has chosen the process, and
// no client is in need of any other one.
func forDebugging(s blocking.Serve) bool {
	if len(s.Ends) != 1 {
		return false
	}
	server, ok := flow.Resolve(s.Ends[0]).(*ssa.Alloc)
	if !ok {
		return false
	}
	var handlers []ssa.Value
	for st, fa := range flow.FieldStores(server.Parent()) {
		if fa.X == ssa.Value(server) && flow.Field(fa.X.Type(), fa.Field).Name() == "Handler" {
			handlers = append(handlers, flow.Resolve(st.Val))
		}
	}
	if len(handlers) != 1 {
		return false
	}
	mux, ok := handlers[0].(*ssa.Call)
	return ok && (kubeapi.Symbol{Pkg: "net/http", Name: "NewServeMux"}).Is(flow.Callee(&mux.Call)) && givesProfiles(mux)
}

// givesProfiles reports whether mux has handlers of net/http/pprof, and no other ones, and goes nowhere but to its server.
func givesProfiles(mux *ssa.Call) bool {
	some := false
	for r := range flow.Referrers[ssa.Instruction](mux) {
		if _, served := r.(*ssa.MakeInterface); served {
			continue
		}
		call := values.MethodCall(r, mux)
		if call == nil || len(flow.Args(call.Common())) != 2 || !ofProfiles(flow.Args(call.Common())[1]) {
			return false
		}
		some = true
	}
	return some
}

// ofProfiles reports whether the handler v is a function of net/http/pprof, or what one gives.
func ofProfiles(v ssa.Value) bool {
	v = flow.Unwrap(v)
	if call, ok := v.(*ssa.Call); ok {
		return kubeapi.SymbolOf(flow.Callee(&call.Call)).Pkg == profiles
	}
	fn := flow.FuncValue(v)
	return fn != nil && flow.Object(fn) != nil && kubeapi.SymbolOf(flow.Object(fn)).Pkg == profiles
}

const profiles = "net/http/pprof"
