package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// needless reports whether the deletions that fn, a function of a predicate, drops are harmless to miss: of each
// watch with the predicate, the watched object itself is queued and the reconciler returns at once if it is gone, or
// the reconciler requeues itself. It is false if no such watch is known.
func (t *tombstones) needless(fn *ssa.Function) bool {
	guards := false
	for _, c := range kubeapi.Controllers(t.pkg) {
		shared := t.isOf(c.Filters, fn)
		for _, w := range c.Watches {
			if !t.isOf(w.Predicates, fn) && (!shared || w.Raw) {
				continue
			}
			guards = true
			if !t.missesNothing(c, w) {
				return false
			}
		}
	}
	return guards
}

// reconcilerIgnoresGone reports whether w queues the objects that c reconciles and the reconciler returns at once if
// the object is gone.
func (t *tombstones) reconcilerIgnoresGone(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	reconcile := t.reconcileOf(c)
	return w.Role == kubeapi.RoleFor && w.Kind != nil && reconcile != nil && t.ignoresGone(reconcile, w.Kind)
}

// reconcileOf returns the reconciler of c, or the only one of the package if c gets it as an interface; nil if it is
// not known.
func (t *tombstones) reconcileOf(c *kubeapi.Controller) *ssa.Function {
	if c.Reconcile != nil {
		return c.Reconcile
	}
	return kubeapi.OnlyReconcile(t.pkg)
}

// isOf reports whether fn is a function of one of the predicates all, or is stored in a struct of another package
// that is one.
func (t *tombstones) isOf(all []kubeapi.PredicateArg, fn *ssa.Function) bool {
	for _, p := range all {
		if p.Value == nil {
			continue
		}
		if slices.Contains(t.heldBy(p.Value), fn) {
			return true
		}
		for q := range kubeapi.PredicateOf(t.pkg, p.Value, p.At).All {
			for _, part := range q.Fns {
				if part == fn {
					return true
				}
			}
		}
	}
	return false
}

// heldBy returns the functions stored in the struct v.
func (t *tombstones) heldBy(v ssa.Value) []*ssa.Function {
	load, ok := flow.Unwrap(flow.Resolve(v)).(*ssa.UnOp)
	if !ok {
		return nil
	}
	var out []*ssa.Function
	for _, part := range flow.StoredIn(flow.Base(load.X)) {
		if fn := t.pkg.Own(flow.FuncValue(part)); fn != nil {
			out = append(out, fn)
		}
	}
	return out
}

// ignoresGone reports whether fn only logs and returns if it finds no object of the kind; if kind is nil, no object of
// any kind under the name in its parameters. Only the first such request counts.
func (t *tombstones) ignoresGone(fn *ssa.Function, kind types.Type) bool {
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		get, ok := kubeapi.RequestOf(&call.Call)
		if !ok || get.Verb != kubeapi.VerbGet {
			continue
		}
		found := get.Asked(&call.Call)
		if kind != nil && kubeapi.Named(found) == kubeapi.Named(kind) || kind == nil && ofKey(get.Name, fn) {
			return t.ignoresNotFound(flow.ErrorOf(call))
		}
	}
	return false
}

// ignoresNotFound reports whether the function does nothing about a not-found err, of a read of an object: it tests
// for not found and returns nil, or it returns on every error.
func (t *tombstones) ignoresNotFound(err ssa.Value) bool {
	if err == nil || err.Referrers() == nil {
		return false
	}
	asked, fails := false, false
	for _, r := range *err.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			switch fn := flow.Callee(&r.Call); {
			case fn == nil:
			case (kubeapi.IgnoreNotFound.Has(fn) || t.absenceOf(&r.Call).Ignores) && returned(r):
				return nothingBetween(err, r)
			case kubeapi.NotFound.Has(fn), t.absenceOf(&r.Call).Tests:
				asked = true
				if slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool {
					test, ok := u.(*ssa.If)
					return ok && returnsNil(flow.Side(test, flow.True))
				}) {
					return true
				}
			}
		case *ssa.BinOp:
			fails = fails || endsWith(r, err)
		}
	}
	return fails && !asked
}

// nothingBetween reports whether nothing with a visible effect runs on any path between the read that returns err and
// call, which gets err.
func nothingBetween(err ssa.Value, call *ssa.Call) bool {
	look, ok := err.(ssa.Instruction)
	if !ok {
		return false
	}
	return !flow.Any(flow.Instrs(call.Parent()), func(in ssa.Instruction) bool {
		return in != call && mayAct(in) && flow.Reaches(look, in, nil) && flow.Reaches(in, call, nil)
	})
}

// returned reports whether the function that contains call returns the result of call.
func returned(call *ssa.Call) bool {
	result := ssa.Value(call)
	if err := flow.ErrorOf(call); err != nil {
		result = err
	}
	for range flow.Referrers[*ssa.Return](result) {
		return true
	}
	return false
}

// endsWith reports whether test compares err with nil, and the function only returns err if there is one.
func endsWith(test *ssa.BinOp, err ssa.Value) bool {
	_, isNil, ok := flow.NilTest(test)
	return ok && slices.ContainsFunc(*test.Referrers(), func(u ssa.Instruction) bool {
		branch, ok := u.(*ssa.If)
		return ok && returnsFailure(flow.Side(branch, flow.TruthOf(!isNil)), err)
	})
}
