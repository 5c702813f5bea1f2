package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// Clients says what a package does with its HTTP clients.
type Clients struct {
	Default bool // it sets something of the default client

	// Stored are all values that are kept in the variable at addr, a field or a package variable; not ok where others may keep something
	// there, or have the client that it holds.
	Stored func(addr ssa.Value) (values []ssa.Value, ok bool)

	// Given are values one of which v is, what a call gives, whichever it is; none where they are not known. A client or request that may be one
	// without an end is one. Nil where only what is so for certain counts.
	Given func(v ssa.Value) []ssa.Value

	// Far is how the client v, what a function of another package gives, was made without a timeout; nil as Given is.
	Far func(v ssa.Value) bool

	// Bounds say what ends a context; nil for what its function tells.
	Bounds *Bounds
}

// A ServerCall is an HTTP request that ends with its context alone: its client has no timeout.
type ServerCall struct {
	Client  ssa.Value // as it is made; nil for the default one
	Request ssa.Value // nil where none is made in sight
	Bound   Bound
}

// RemoteOf is the wait of an HTTP request, where nothing but a context that it is given ends it when the server does not answer: its
// client has no Timeout. Requests to an API server are none: client-go gives up a connection on which nobody answers its pings. What
// bounds a gRPC call, interceptors and keepalive, or a query, the name of its data source, is seldom in sight.
func RemoteOf(call *ssa.CallCommon, clients *Clients) (Wait, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "net/http" {
		return Wait{}, false
	}
	r, ok := clients.Asks(call)
	if !ok || r.Bound.Limit != Never && r.Bound.Limit != Parameter {
		return Wait{}, false
	}
	return Wait{Kind: Server, What: callName(call, fn), Bound: r.Bound, Call: call}, true
}

// noContext is the bound of an operation that takes no context.
var noContext = Bound{Limit: Never, Why: "it takes no context"}

// Asks is the HTTP request that call makes, where its client has no timeout.
func (c *Clients) Asks(call *ssa.CallCommon) (r ServerCall, ok bool) {
	s := kube.SymbolOf(flow.Callee(call))
	if s.Pkg != "net/http" {
		return ServerCall{}, false
	}
	switch s.Recv {
	case "": // of the default client
		if c.Default {
			return ServerCall{}, false
		}
	case "Client":
		if r.Client, ok = c.patient(flow.Recv(call), map[ssa.Value]bool{}); !ok {
			return ServerCall{}, false
		}
	default:
		return ServerCall{}, false
	}
	switch s.Name {
	case "Get", "Head", "Post", "PostForm":
		r.Bound = noContext
		return r, true
	case "Do":
		r.Request = flow.Args(call)[0]
		r.Bound, ok = c.EndOf(r.Request)
		return r, ok
	}
	return ServerCall{}, false
}

// EndOf is what ends the request req, where it is made in sight.
func (c *Clients) EndOf(req ssa.Value) (Bound, bool) { return c.endOf(req, map[ssa.Value]bool{}) }

func (c *Clients) endOf(req ssa.Value, seen map[ssa.Value]bool) (Bound, bool) {
	req = flow.Resolve(req)
	if p, ok := req.(*ssa.Parameter); ok && c.Given != nil {
		return Bound{Limit: Parameter, Param: p}, true
	}
	call, _ := flow.ResultOf(req)
	if call == nil || seen[req] || setsField(req, "Cancel") {
		return Bound{}, false
	}
	seen[req] = true
	switch kube.SymbolOf(flow.Callee(&call.Call)) {
	case kube.Symbol{Pkg: "net/http", Name: "NewRequest"}:
		return noContext, true
	case kube.Symbol{Pkg: "net/http", Name: "NewRequestWithContext"}, kube.Symbol{Pkg: "net/http", Recv: "Request", Name: "WithContext"}:
		ctx := flow.Args(&call.Call)[0]
		if c.Bounds != nil {
			return c.Bounds.Of(ctx, call), true
		}
		return BoundOf(ctx), true
	}
	if c.Given != nil {
		for _, v := range c.Given(req) {
			if b, ok := c.endOf(v, seen); ok && b.Limit == Never {
				return b, true
			}
		}
	}
	return Bound{}, false
}

// Patient reports whether the HTTP client v has no timeout, and what it was made as; nil for the default client.
func (c *Clients) Patient(v ssa.Value) (made ssa.Value, ok bool) {
	return c.patient(v, map[ssa.Value]bool{})
}

// patient reports whether the HTTP client v has no Timeout, and no Transport that has one, and where it is made: it is the default client, or one that
// is made in sight.
func (c *Clients) patient(v ssa.Value, seen map[ssa.Value]bool) (made ssa.Value, ok bool) {
	v = flow.Resolve(v)
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	all := func(values []ssa.Value) bool {
		for _, s := range values {
			m, patient := c.patient(s, seen)
			if !patient {
				return false
			}
			if made == nil {
				made = m
			}
		}
		return len(values) > 0
	}
	switch x := v.(type) {
	case *ssa.Alloc:
		return x, leavesOut(x, "Timeout") && transportPatient(x)
	case *ssa.UnOp:
		if IsDefaultClient(x.X) {
			return nil, !c.Default
		}
		if values, known := c.Stored(x.X); known {
			ok = all(values)
			return made, ok
		}
	case *ssa.Phi:
		ok = c.Given != nil && all(x.Edges)
		return made, ok
	}
	if c.Given != nil {
		for _, g := range c.Given(v) {
			if seen[flow.Resolve(g)] {
				continue // what it is has been said
			}
			if made, ok := c.patient(g, seen); ok {
				return made, true
			}
		}
	}
	return v, c.Far != nil && c.Far(v)
}

// IsDefaultClient reports whether addr is the variable of the default HTTP client.
func IsDefaultClient(addr ssa.Value) bool {
	g, ok := addr.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" && g.Name() == "DefaultClient"
}

// setsField reports whether the field of that name is set in the struct behind v.
func setsField(v ssa.Value, name string) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		fa, ok := r.(*ssa.FieldAddr)
		return ok && flow.Field(fa.X.Type(), fa.Field).Name() == name && slices.ContainsFunc(*fa.Referrers(), func(u ssa.Instruction) bool {
			st, ok := u.(*ssa.Store)
			return ok && st.Addr == ssa.Value(fa)
		})
	})
}

// leavesOut reports whether the struct at a is built without the field, and is handed to nobody who could set it.
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

// transportPatient reports whether the client at a has the default transport, or one that is made without a timeout of its own.
func transportPatient(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || flow.Field(fa.X.Type(), fa.Field).Name() != "Transport" {
			continue
		}
		for _, u := range *fa.Referrers() {
			st, ok := u.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				return false // it is looked at, and may be changed
			}
			t, ok := flow.Unwrap(st.Val).(*ssa.Alloc)
			if !ok || !kube.IsType(t.Type(), "net/http", "Transport") || !leavesOut(t, "ResponseHeaderTimeout") {
				return false
			}
		}
	}
	return true
}
