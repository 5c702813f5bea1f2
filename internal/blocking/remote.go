package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Clients says how a package configures its HTTP clients.
type Clients struct {
	Default bool // it sets a field of the default client

	// Stored returns all values that are stored in the variable at addr, a field or a package variable; not ok if other
	// packages may store something there, or get the client in it.
	Stored func(addr ssa.Value) (values []ssa.Value, ok bool)
}

// RemoteOf returns the wait of an HTTP request that only its context can end if the server does not answer: its
// client has no Timeout. Requests to an API server are excluded: client-go closes a connection on which its pings are
// not answered. gRPC calls and queries are excluded, since what bounds them (interceptors and keepalive, the name of
// a data source) is seldom known.
func RemoteOf(call *ssa.CallCommon, clients *Clients) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "net/http" {
		return Wait{}, false
	}
	b, ok := clients.boundOf(call)
	if !ok || b.Limit != Never && b.Limit != Parameter {
		return Wait{}, false
	}
	return Wait{Kind: Server, What: callName(call, fn), Bound: b, Call: call}, true
}

// noContext is the bound of an operation that takes no context.
var noContext = Bound{Limit: Never, Why: "it takes no context"}

// boundOf returns what ends the HTTP request that call makes with a client without timeout.
func (c *Clients) boundOf(call *ssa.CallCommon) (Bound, bool) {
	s := kubeapi.SymbolOf(flow.Callee(call))
	switch s.Recv {
	case "": // of the default client
		if c.Default {
			return Bound{}, false
		}
	case "Client":
		if !c.hasNoTimeout(flow.Recv(call)) {
			return Bound{}, false
		}
	default:
		return Bound{}, false
	}
	switch s.Name {
	case "Get", "Head", "Post", "PostForm":
		return noContext, true
	case "Do":
		return endOf(flow.Args(call)[0])
	}
	return Bound{}, false
}

// endOf returns what ends the request req, if it is known where it is made.
func endOf(req ssa.Value) (Bound, bool) {
	req = flow.Resolve(req)
	call, _ := flow.ResultOf(req)
	if call == nil || setsField(req, "Cancel") {
		return Bound{}, false
	}
	switch kubeapi.SymbolOf(flow.Callee(&call.Call)) {
	case kubeapi.Symbol{Pkg: "net/http", Name: "NewRequest"}:
		return noContext, true
	case kubeapi.Symbol{Pkg: "net/http", Name: "NewRequestWithContext"}, kubeapi.Symbol{Pkg: "net/http", Recv: "Request", Name: "WithContext"}:
		return BoundOf(flow.Args(&call.Call)[0]), true
	}
	return Bound{}, false
}

// hasNoTimeout reports whether the HTTP client v has no Timeout, and no Transport with one: it is the default client,
// or one whose construction is known.
func (c *Clients) hasNoTimeout(v ssa.Value) bool {
	work := values.From(v)
	for v := range work.Resolved() {
		switch x := v.(type) {
		case *ssa.Alloc:
			if !leavesOut(x, "Timeout") || !transportHasNoTimeout(x) {
				return false
			}
		case *ssa.UnOp:
			if IsDefaultClient(x.X) && !c.Default {
				continue
			}
			stored, known := c.Stored(x.X)
			if IsDefaultClient(x.X) || !known || len(stored) == 0 {
				return false
			}
			work.Add(stored...)
		default:
			return false
		}
	}
	return true
}

// IsDefaultClient reports whether addr is the variable of the default HTTP client.
func IsDefaultClient(addr ssa.Value) bool {
	g, ok := addr.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" && g.Name() == "DefaultClient"
}

// setsField reports whether the field with that name is set in the struct that v points to.
func setsField(v ssa.Value, name string) bool {
	for f := range flow.FieldsSet(v) {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// leavesOut reports whether the struct at a is built without the field, and no other code gets it that could set it.
func leavesOut(a *ssa.Alloc, field string) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if flow.Field(r.X.Type(), r.Field).Name() == field {
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

// transportHasNoTimeout reports whether the client at a has the default transport, or one that is made without a
// timeout of its own.
func transportHasNoTimeout(a *ssa.Alloc) bool {
	for fa := range flow.Referrers[*ssa.FieldAddr](a) {
		if flow.Field(fa.X.Type(), fa.Field).Name() != "Transport" {
			continue
		}
		for u := range flow.Referrers[ssa.Instruction](fa) {
			st, ok := u.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				return false // it may be changed
			}
			t, ok := flow.Unwrap(st.Val).(*ssa.Alloc)
			if !ok || !kubeapi.IsType(t.Type(), "net/http", "Transport") || !leavesOut(t, "ResponseHeaderTimeout") {
				return false
			}
		}
	}
	return true
}
