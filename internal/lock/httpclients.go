package lock

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// indexClients finds the HTTP clients in unexported variables that the package only makes requests with: their settings
// are those that they were created with.
func (e *engine) indexClients() *blocking.Clients {
	out := map[Class]bool{} // variables whose client escapes or is changed
	c := &blocking.Clients{}
	e.eachInstr(func(in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.UnOp:
			if x.Op == token.MUL && kubeapi.IsType(x.Type(), "net/http", "Client") && !flow.OnlyAsked(x) {
				if blocking.IsDefaultClient(x.X) {
					c.Default = true
				}
				out[classOf(x.X)] = true
			}
		case *ssa.Store:
			c.Default = c.Default || blocking.IsDefaultClient(x.Addr)
		}
	})
	c.Stored = func(addr ssa.Value) ([]ssa.Value, bool) {
		class := classOf(addr)
		if class == "" || out[class] || !ownVariable(addr) {
			return nil, false
		}
		var values []ssa.Value
		for _, op := range e.peers.changers[class] {
			st, ok := op.instr.(*ssa.Store)
			if !ok {
				return nil, false
			}
			values = append(values, st.Val)
		}
		return values, true
	}
	return c
}

// ownVariable reports whether addr is a field or package variable that others cannot name.
func ownVariable(addr ssa.Value) bool {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		f := flow.Field(x.X.Type(), x.Field)
		return f != nil && !f.Exported()
	case *ssa.Global:
		return x.Object() != nil && !x.Object().Exported()
	}
	return false
}
