package tombstone

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
)

// alwaysRequeued reports whether the reconciler of c requeues itself after a time whenever it succeeds and its object
// exists and is not being deleted: then it notices a deletion without an event. If w watches objects of another kind,
// returns that only read the object of the request are excepted: they do nothing for an event either.
func (t *tombstones) alwaysRequeued(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	fn := t.reconcileOf(c)
	if fn == nil {
		return false
	}
	own := ownKind(c, w)
	return lifetime.AlwaysRequeued(t.pkg, fn, func(ret *ssa.Return) bool { return own != nil && onlyReads(ret, own) })
}

// ownKind returns the kind of the objects that c reconciles if it is known and w watches another one, otherwise nil.
func ownKind(c *kubeapi.Controller, w *kubeapi.Watch) (own types.Type) {
	for _, o := range c.Watches {
		if o.Role != kubeapi.RoleFor {
			continue
		}
		if own != nil || o == w || o.Kind == nil || w.Kind == nil || types.Identical(o.Kind, w.Kind) {
			return nil
		}
		own = o.Kind
	}
	return own
}

// onlyReads reports whether everything that may run before ret only reads the object of the request, of that kind,
// copies it, and logs.
func onlyReads(ret *ssa.Return, kind types.Type) bool {
	return !flow.Any(flow.Instrs(ret.Parent()), func(in ssa.Instruction) bool {
		if call, ok := in.(*ssa.Call); ok {
			if r, ok := kubeapi.RequestOf(&call.Call); ok && r.Verb == kubeapi.VerbGet && ofKey(r.Name, call.Parent()) &&
				kubeapi.Named(r.Asked(&call.Call)) == kubeapi.Named(kind) {
				return false
			}
		}
		return mayAct(in) && flow.Reaches(in, ret, nil)
	})
}

// mayAct reports whether in may have a visible effect, or may read what other code changes. Computations, copies of
// objects, logging, and calls that make a string or an error do not act.
func mayAct(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Store:
		_, mine := flow.Base(in.Addr).(*ssa.Alloc)
		return !mine
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			return !slices.Contains([]string{"len", "cap", "append", "min", "max"}, b.Name())
		}
		fn := flow.Callee(&in.Call)
		if fn == nil {
			return true
		}
		res := in.Call.Signature().Results()
		return !kubeapi.Logs(fn) && !kubeapi.GivesLogger(fn) && !kubeapi.IsDeepCopy(fn) && kubeapi.GetterOf(fn) == "" &&
			!kubeapi.MakesError(fn) && !kubeapi.WrapsError(fn) &&
			!kubeapi.NotFound.Has(fn) && !kubeapi.IgnoreNotFound.Has(fn) && (res.Len() != 1 || !flow.IsString(res.At(0).Type()))
	}
	return false
}
