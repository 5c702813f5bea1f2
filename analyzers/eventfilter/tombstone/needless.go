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
			if !t.leavesGoneOf(c, w) {
				return false
			}
		}
	}
	return guards || t.onlyFor(fn)
}

// leavesGoneOf reports whether w queues what c is for, and its reconciler, or the only one of the package where it is handed over as an interface, returns
// at once where that is gone.
func (t *tombstones) leavesGoneOf(c *controllers.Controller, w *controllers.Watch) bool {
	reconcile := c.Reconcile
	if reconcile == nil {
		reconcile = controllers.OnlyReconcile(t.pkg)
	}
	return w.Role == "For" && w.Kind != nil && reconcile != nil && leavesGone(reconcile, w.Kind)
}

// onlyFor reports whether fn, a literal in a struct of another package, stands in the function that sets up the only controller of the package, which has
// one watch, and whose reconciler returns at once where its object is gone.
func (t *tombstones) onlyFor(fn *ssa.Function) bool {
	all := controllers.Controllers(t.pkg)
	return fn.Parent() != nil && len(all) == 1 && len(all[0].Watches) == 1 && t.leavesGoneOf(all[0], all[0].Watches[0])
}

// isOf reports whether fn is a function of one of the predicates.
func (t *tombstones) isOf(all []controllers.Predicate, fn *ssa.Function) bool {
	for _, p := range all {
		if p.Value == nil {
			continue
		}
		for q := range controllers.PredicateOf(t.pkg, p.Value, p.At).All {
			for _, part := range q.Fns {
				if part == fn {
					return true
				}
			}
		}
	}
	return false
}

// leavesGone reports whether fn returns without an error, and does nothing but log, where it finds no object of the kind.
func leavesGone(fn *ssa.Function, kind types.Type) bool {
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		get, ok := kube.RequestOf(&call.Call)
		if !ok || get.Verb != kube.VerbGet {
			continue
		}
		found := call.Call.Signature().Results().At(0).Type()
		if get.Object != nil {
			found = flow.Unwrap(flow.Resolve(get.Object)).Type()
		}
		if kube.Named(found) == kube.Named(kind) {
			err := flow.ErrorOf(call)
			return err != nil && err.Referrers() != nil && slices.ContainsFunc(*err.Referrers(), letsGone)
		}
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
