package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// Stored gives all that is kept in the variable at addr, a field or a package variable; not ok where others may keep something
// there.
type Stored func(addr ssa.Value) (values []ssa.Value, ok bool)

// RemoteOf is the wait of a call that asks a server, where nothing but a context that it is given ends it when the server does not
// answer: a request of an HTTP client without Timeout, a gRPC call, a query of a database. Requests to an API server are none:
// client-go gives up a connection on which nobody answers its pings.
func RemoteOf(call *ssa.CallCommon, stored Stored) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return Wait{}, false
	}
	bound, ok := remoteBound(call, fn, stored)
	if !ok || bound.Limit != Never && bound.Limit != Parameter {
		return Wait{}, false
	}
	return Wait{Kind: Server, What: callName(call, fn), Bound: bound, Call: call}, true
}

// noContext is the bound of an operation that takes no context.
var noContext = Bound{Limit: Never, Why: "it takes no context"}

func remoteBound(call *ssa.CallCommon, fn *types.Func, stored Stored) (Bound, bool) {
	s, args := kube.SymbolOf(fn), flow.Args(call)
	given := func() (Bound, bool) {
		for _, a := range args {
			if kube.IsContext(a.Type()) {
				return BoundOf(a), true
			}
		}
		return noContext, true
	}
	switch {
	case s.Pkg == "net/http" && s.Recv == "": // of the default client, which has no Timeout
		switch s.Name {
		case "Get", "Head", "Post", "PostForm":
			return noContext, true
		}
	case s.Pkg == "net/http" && s.Recv == "Client":
		if !patient(flow.Recv(call), stored, map[ssa.Value]bool{}) {
			return Bound{}, false
		}
		switch s.Name {
		case "Get", "Head", "Post", "PostForm":
			return noContext, true
		case "Do":
			return requestBound(args[0])
		}
	case s.Pkg == "database/sql" && asksDatabase[s.Name], asksPeer(fn):
		return given()
	}
	return Bound{}, false
}

// asksDatabase are the methods of package database/sql that wait for the database.
var asksDatabase = map[string]bool{
	"Query": true, "QueryRow": true, "Exec": true, "Prepare": true, "Ping": true, "Begin": true, "Commit": true,
	"QueryContext": true, "QueryRowContext": true, "ExecContext": true, "PrepareContext": true, "PingContext": true, "BeginTx": true,
}

// asksPeer reports whether fn is a unary call of gRPC: by the options that all generated clients take, and an answer that is a
// message.
func asksPeer(fn *types.Func) bool {
	sig := fn.Signature()
	n := sig.Params().Len()
	if sig.Recv() == nil || !sig.Variadic() || n < 2 || !kube.IsContext(sig.Params().At(0).Type()) {
		return false
	}
	last, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	if !ok || !kube.IsType(last.Elem(), "google.golang.org/grpc", "CallOption") {
		return false
	}
	for r := range sig.Results().Variables() {
		if types.IsInterface(r.Type()) && !flow.IsError(r.Type()) {
			return false // a stream, which begins before the other side answers
		}
	}
	return true
}

// requestBound is what ends the request req, where it is made in sight.
func requestBound(req ssa.Value) (Bound, bool) {
	call, _ := flow.ResultOf(flow.Resolve(req))
	if call == nil {
		return Bound{}, false
	}
	switch kube.SymbolOf(flow.Callee(&call.Call)) {
	case kube.Symbol{Pkg: "net/http", Name: "NewRequest"}:
		return noContext, true
	case kube.Symbol{Pkg: "net/http", Name: "NewRequestWithContext"}:
		return BoundOf(call.Call.Args[0]), true
	}
	return Bound{}, false
}

// patient reports whether the HTTP client v has no Timeout, and no Transport that has one: it is the default client, or one that is
// made in sight.
func patient(v ssa.Value, stored Stored, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return true
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Alloc:
		return leavesOut(x, "Timeout") && transportPatient(x)
	case *ssa.FieldAddr: // a client that lies in a struct by value
		return false
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
			return g.Name() == "DefaultClient"
		}
		values, ok := stored(x.X)
		for _, s := range values {
			ok = ok && patient(s, stored, seen)
		}
		return ok && len(values) > 0
	}
	return false
}

// leavesOut reports whether the struct at a is built without the field, and is handed to nobody who could set it.
func leavesOut(a *ssa.Alloc, field string) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if f := flow.Field(r.X.Type(), r.Field); f != nil && f.Name() == field && len(*r.Referrers()) > 0 {
				return false
			}
		case ssa.CallInstruction:
			if flow.Recv(r.Common()) != ssa.Value(a) {
				return false
			}
		case *ssa.Store:
			if r.Addr == ssa.Value(a) { // a copy of another one
				return false
			}
		}
	}
	return true
}

// transportPatient reports whether the client at a has the default transport, or one that is made without a timeout of its own.
func transportPatient(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		if f := flow.Field(fa.X.Type(), fa.Field); f == nil || f.Name() != "Transport" {
			continue
		}
		for _, u := range *fa.Referrers() {
			st, ok := u.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				continue
			}
			t, ok := flow.Unwrap(st.Val).(*ssa.Alloc)
			if !ok || !kube.IsType(t.Type(), "net/http", "Transport") || !leavesOut(t, "ResponseHeaderTimeout") {
				return false
			}
		}
	}
	return true
}
