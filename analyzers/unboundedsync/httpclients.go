package unboundedsync

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
)

// GivesClient is the fact of a function that may give an HTTP client without a timeout as that result.
type GivesClient struct {
	Result int
	Made   link.At
}

// AFact marks GivesClient as a fact.
func (*GivesClient) AFact() {}

// String is for the tests of facts.
func (g *GivesClient) String() string {
	return "gives a client without a timeout (" + g.Made.String() + ")"
}

// httpClients is what the package does with HTTP clients: one in a variable that it alone fills, and that it only makes requests with, is what it was made as.
func (c *checker) httpClients() *blocking.Clients {
	if c.clients != nil {
		return c.clients
	}
	stored := map[types.Object][]ssa.Value{}
	changed := map[types.Object]bool{} // variables whose client goes elsewhere, or may be changed
	c.clients = &blocking.Clients{Bounds: c.bounds}
	timed := false // the package gives a timeout to a client that something else has made
	for _, fn := range c.pkg.All() {
		for in := range flow.Instrs(fn) {
			switch x := in.(type) {
			case *ssa.UnOp:
				if x.Op == token.MUL && kube.IsType(x.Type(), "net/http", "Client") && !flow.OnlyAsked(x) {
					c.clients.Default = c.clients.Default || blocking.IsDefaultClient(x.X)
					changed[variableAt(x.X)] = true
				}
			case *ssa.FieldAddr:
				f := flow.Field(x.X.Type(), x.Field)
				_, own := x.X.(*ssa.Alloc)
				timed = timed || !own && f != nil && f.Name() == "Timeout" && kube.IsType(x.X.Type(), "net/http", "Client")
			case *ssa.Store:
				c.clients.Default = c.clients.Default || blocking.IsDefaultClient(x.Addr)
				if v := variableAt(x.Addr); v != nil && !flow.IsNil(x.Val) {
					stored[v] = append(stored[v], x.Val)
				}
			}
		}
	}
	c.clients.Stored = func(addr ssa.Value) ([]ssa.Value, bool) {
		v := variableAt(addr)
		if v == nil || v.Pkg() != c.pkg.Pkg || changed[v] || timed {
			return nil, false
		}
		return stored[v], true
	}
	c.clients.Given = func(v ssa.Value) []ssa.Value {
		if timed {
			return nil
		}
		return c.given(v)
	}
	c.clients.Far = func(v ssa.Value) bool { return !timed && c.farClient(v) != nil }
	return c.clients
}

// given are the values that v may be, the result of a function of the package.
func (c *checker) given(v ssa.Value) (out []ssa.Value) {
	call, i := flow.ResultOf(v)
	if call == nil {
		return nil
	}
	if fn := c.pkg.Callee(&call.Call); fn != nil {
		for ret := range flow.Returns(fn) {
			if i < len(ret.Results) {
				r, _ := flow.Returned(ret, i)
				out = append(out, r)
			}
		}
	}
	return out
}

// farClient is what is known of the client v, where a function of another package gives it.
func (c *checker) farClient(v ssa.Value) *GivesClient {
	call, i := flow.ResultOf(flow.Resolve(v))
	if call == nil {
		return nil
	}
	var g GivesClient
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == c.pkg.Pkg || !c.pass.ImportObjectFact(fn.Origin(), &g) || g.Result != i {
		return nil
	}
	return &g
}

// exportClients tells other packages of the functions that may give a client without a timeout.
func (c *checker) exportClients() {
	for _, fn := range c.pkg.Funcs {
		obj := flow.Object(fn)
		if obj == nil {
			continue
		}
		for i := range fn.Signature.Results().Len() {
			if !kube.IsType(fn.Signature.Results().At(i).Type(), "net/http", "Client") {
				continue
			}
			for ret := range flow.Returns(fn) {
				r, _ := flow.Returned(ret, i)
				if made, ok := c.httpClients().Patient(r); ok && made != nil {
					c.pass.ExportObjectFact(obj, &GivesClient{i, c.madeAt(made)})
					c.givesClients = true
					break
				}
			}
		}
	}
}

// madeAt is where the client that was made as v comes from.
func (c *checker) madeAt(v ssa.Value) link.At {
	if g := c.farClient(v); g != nil {
		return g.Made
	}
	return c.place(v.Pos())
}

// variableAt is the field or package variable at addr, nil for none.
func variableAt(addr ssa.Value) types.Object {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		if f := flow.Field(x.X.Type(), x.Field); f != nil {
			return f.Origin()
		}
	case *ssa.Global:
		return x.Object()
	}
	return nil
}
