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

// alwaysRequeued reports whether the reconciler of c asks to be run again after a time wherever its object is there and not being deleted, and nothing fails: it
// finds without an event what has gone meanwhile. Where w is of other objects, it may also leave its own alone, once it has looked at that: then it does so for each event.
func (t *tombstones) alwaysRequeued(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	fn := t.reconcileOf(c)
	if fn == nil {
		return false
	}
	own := ownKind(c, w)
	return lifetime.AlwaysRequeued(t.pkg, fn, func(ret *ssa.Return) bool { return own != nil && onlyLooks(ret, own) })
}

// ownKind is the kind of the objects that c is for, where that is known and w is of another one; nil else.
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

// onlyLooks reports whether all that may be done before ret is to read the object of the request, of that kind, to copy it, and to log.
func onlyLooks(ret *ssa.Return, kind types.Type) bool {
	return !flow.Any(flow.Instrs(ret.Parent()), func(in ssa.Instruction) bool {
		if call, ok := in.(*ssa.Call); ok {
			if r, ok := kubeapi.RequestOf(&call.Call); ok && r.Verb == kubeapi.VerbGet && ofKey(r.Name, call.Parent()) && kubeapi.Named(r.Asked(&call.Call)) == kubeapi.Named(kind) {
				return false
			}
		}
		return acts(in) && flow.Reaches(in, ret, nil)
	})
}

// acts reports whether in may do something that others see, or look at something that others change: anything but to compute, to copy an object, to log, and to make a text or an error.
func acts(in ssa.Instruction) bool {
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
		return !kubeapi.Logs(fn) && !kubeapi.GivesLogger(fn) && !kubeapi.IsDeepCopy(fn) && kubeapi.GetterOf(fn) == "" && !kubeapi.MakesError(fn) && !kubeapi.WrapsError(fn) &&
			!kubeapi.NotFound.Has(fn) && !kubeapi.IgnoreNotFound.Has(fn) && (res.Len() != 1 || !flow.IsString(res.At(0).Type()))
	}
	return false
}
