package startctx

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// callbacks are the functions of one leaderelection.LeaderCallbacks.
type callbacks struct{ started, stopped ssa.Value }

func (c *checker) findCallbacks() []*callbacks {
	var out []*callbacks
	for _, fn := range c.pkg.Funcs {
		byBase := map[ssa.Value]*callbacks{}
		for st, fa := range flow.FieldStores(fn) {
			started, stopped, ok := kubeapi.ElectionCallback(fa)
			if !ok {
				continue
			}
			cb := byBase[fa.X]
			if cb == nil {
				cb = &callbacks{}
				byBase[fa.X] = cb
				out = append(out, cb)
			}
			if started {
				cb.started = st.Val
			}
			if stopped {
				cb.stopped = st.Val
			}
		}
	}
	return out
}

// ownFunc is the function of the package that v holds: the method, where it is one of an object.
func (c *checker) ownFunc(v ssa.Value) *ssa.Function {
	fn := c.pkg.Own(flow.FuncValue(v))
	if fn != nil && fn.Synthetic != "" {
		for method := range flow.Calls(fn) {
			fn = c.pkg.Callee(method.Common())
		}
	}
	return fn
}

// staysForEver reports whether fn sets up the signals to the process, has a select without cases, or receives from a channel that it made itself and that
// nothing closes: it is the whole program in all but name.
func (c *checker) staysForEver(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			if c.bounds.SetsUpSignals(in.Common()) {
				return true
			}
		case *ssa.Select:
			if in.Blocking && len(in.States) == 0 {
				return true
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW && isStopChan(in.X.Type()) && c.bounds.Of(in.X, nil).Limit == blocking.Never {
				return true
			}
		}
	}
	return false
}

func isStopChan(t types.Type) bool { return !kubeapi.IsContext(t) && blocking.IsBound(t) }
