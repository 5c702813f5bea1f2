package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// needless reports whether nobody misses the deletions that fn, a part of a predicate, drops: all watches that it guards queue the object itself,
// and their reconcilers return at once where it is gone.
func (t *tombstones) needless(fn *ssa.Function) bool {
	guards := false
	for _, c := range controllers.Controllers(t.pkg) {
		shared := t.isOf(c.Filters, fn)
		for _, w := range c.Watches {
			if !t.isOf(w.Predicates, fn) && (!shared || w.Raw) {
				continue
			}
			guards = true
			if w.Role != "For" || w.Kind == nil || c.Reconcile == nil || !leavesGone(c.Reconcile, w.Kind) {
				return false
			}
		}
	}
	return guards
}

// isOf reports whether fn is a part of one of the predicates.
func (t *tombstones) isOf(all []controllers.Predicate, fn *ssa.Function) bool {
	return slices.ContainsFunc(all, func(p controllers.Predicate) bool {
		return p.Value != nil && t.madeOf(p.Value, fn, map[ssa.Value]bool{})
	})
}

// madeOf reports whether v is fn, has it for a method, or was made of it.
func (t *tombstones) madeOf(v ssa.Value, fn *ssa.Function, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return false
	}
	seen[v] = true
	if flow.FuncValue(v) == fn {
		return true
	}
	if fn.Signature.Recv() != nil && kube.Named(v.Type()) != nil && kube.Named(v.Type()) == kube.Named(fn.Signature.Recv().Type()) {
		return true
	}
	within := func(v ssa.Value) bool { return t.madeOf(v, fn, seen) }
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return within(x.X)
	case *ssa.ChangeInterface:
		return within(x.X)
	case *ssa.ChangeType:
		return within(x.X)
	case *ssa.Slice:
		return within(x.X)
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok {
			if made := flow.Initial(g); made != nil {
				return within(made)
			}
			return t.storedIn(g, fn, seen)
		}
		return within(x.X)
	case *ssa.Alloc:
		return t.storedIn(x, fn, seen)
	case *ssa.Call:
		if callee := t.pkg.Callee(&x.Call); callee != nil {
			for ret := range flow.Returns(callee) {
				if slices.ContainsFunc(ret.Results, within) {
					return true
				}
			}
		}
		return slices.ContainsFunc(x.Call.Args, within) // And, Or, WithPredicates
	}
	return false
}

// storedIn is madeOf for what is stored to the variable at addr, or to a part of it.
func (t *tombstones) storedIn(addr ssa.Value, fn *ssa.Function, seen map[ssa.Value]bool) bool {
	fns := []*ssa.Function{addr.Parent()}
	if _, global := addr.(*ssa.Global); global {
		fns = t.pkg.All()
	}
	for _, f := range fns {
		for in := range flow.Instrs(f) {
			if st, ok := in.(*ssa.Store); ok && flow.Base(st.Addr) == addr && t.madeOf(st.Val, fn, seen) {
				return true
			}
		}
	}
	return false
}

// leavesGone reports whether reconcile returns without an error, and does nothing but log, where it finds no object of the kind.
func leavesGone(reconcile *ssa.Function, kind types.Type) bool {
	for in := range flow.Instrs(reconcile) {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		get, ok := kube.RequestOf(&call.Call)
		if !ok || get.Verb != kube.VerbGet || get.Object == nil || kube.Named(flow.Unwrap(flow.Resolve(get.Object)).Type()) != kube.Named(kind) {
			continue
		}
		err := flow.ErrorOf(call)
		return err != nil && err.Referrers() != nil && slices.ContainsFunc(*err.Referrers(), letsGone)
	}
	return false
}

// letsGone reports whether r asks an error whether something is not found, and the function then returns without one.
func letsGone(r ssa.Instruction) bool {
	call, ok := r.(*ssa.Call)
	if !ok || flow.Callee(&call.Call) == nil {
		return false
	}
	switch flow.Callee(&call.Call).Name() {
	case "IgnoreNotFound":
		return slices.ContainsFunc(*call.Referrers(), func(u ssa.Instruction) bool { _, ok := u.(*ssa.Return); return ok })
	case "IsNotFound":
		for _, u := range *call.Referrers() {
			if test, ok := u.(*ssa.If); ok && returnsNil(flow.Side(test, flow.Yes)) {
				return true
			}
		}
	}
	return false
}
