package unboundedsync

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// httpClients is what the package does with HTTP clients: one in a variable of which only the package knows, and that it only makes requests with, is what it
// was made as.
func (c *checker) httpClients() *blocking.Clients {
	if c.clients != nil {
		return c.clients
	}
	stored := map[types.Object][]ssa.Value{}
	changed := map[types.Object]bool{} // variables whose client goes elsewhere, or may be changed
	c.clients = &blocking.Clients{}
	for _, fn := range c.pkg.All() {
		for in := range flow.Instrs(fn) {
			switch x := in.(type) {
			case *ssa.UnOp:
				if x.Op == token.MUL && kube.IsType(x.Type(), "net/http", "Client") && !flow.OnlyAsked(x) {
					c.clients.Default = c.clients.Default || blocking.IsDefaultClient(x.X)
					changed[variableAt(x.X)] = true
				}
			case *ssa.Store:
				c.clients.Default = c.clients.Default || blocking.IsDefaultClient(x.Addr)
				if v := variableAt(x.Addr); v != nil {
					stored[v] = append(stored[v], x.Val)
				}
			}
		}
	}
	c.clients.Stored = func(addr ssa.Value) ([]ssa.Value, bool) {
		v := variableAt(addr)
		if v == nil || v.Exported() || v.Pkg() != c.pkg.Pkg || changed[v] {
			return nil, false
		}
		return stored[v], true
	}
	return c.clients
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
