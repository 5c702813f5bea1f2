package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// needless reports whether nobody misses the deletions that fn, a part of a predicate, drops: of all watches that it guards, the object itself is queued,
// and their reconcilers return at once where it is gone, or they come back by themselves.
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

// leavesGoneOf reports whether w queues what c is for, and its reconciler, or the only one of the package where it is handed over as an interface, returns
// at once where that is gone.
func (t *tombstones) leavesGoneOf(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	reconcile := t.reconcileOf(c)
	return w.Role == kubeapi.RoleFor && w.Kind != nil && reconcile != nil && t.leavesGone(reconcile, w.Kind)
}

// reconcileOf is the reconciler of c, or the only one of the package where it is handed over as an interface; nil where that is not known.
func (t *tombstones) reconcileOf(c *kubeapi.Controller) *ssa.Function {
	if c.Reconcile != nil {
		return c.Reconcile
	}
	return kubeapi.OnlyReconcile(t.pkg)
}

// isOf reports whether fn is a function of one of the predicates, or of a struct of another package that is one.
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

// heldBy are the functions in the struct v.
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

// leavesGone reports whether fn returns, and does nothing but log, where it finds no object of the kind; or, where that is nil, none by the name that its
// parameters give.
func (t *tombstones) leavesGone(fn *ssa.Function, kind types.Type) bool {
	for call := range flow.InstrsOf[*ssa.Call](fn) {
		get, ok := kubeapi.RequestOf(&call.Call)
		if !ok || get.Verb != kubeapi.VerbGet {
			continue
		}
		found := get.Asked(&call.Call)
		if kind != nil && kubeapi.Named(found) == kubeapi.Named(kind) || kind == nil && ofKey(get.Name, fn) {
			return t.letsGone(flow.ErrorOf(call))
		}
	}
	return false
}

// letsGone reports whether the function of err, of a look at an object, does nothing about what is not found: it asks err for that, and returns without one, or
// it returns with whatever err says.
func (t *tombstones) letsGone(err ssa.Value) bool {
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
			case kubeapi.NotFound.Has(fn), t.absenceOf(&r.Call).Asks:
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

// nothingBetween reports whether nothing that others see is done between the look that gives err and the call that is given it, on whatever way.
func nothingBetween(err ssa.Value, call *ssa.Call) bool {
	look, ok := err.(ssa.Instruction)
	if !ok {
		return false
	}
	return !flow.Any(flow.Instrs(call.Parent()), func(in ssa.Instruction) bool {
		return in != call && acts(in) && flow.Reaches(look, in, nil) && flow.Reaches(in, call, nil)
	})
}

// returned reports whether the function of call returns what that gives.
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

// endsWith reports whether test asks whether err is nil, and where it is not the function does nothing but return with it.
func endsWith(test *ssa.BinOp, err ssa.Value) bool {
	_, isNil, ok := flow.NilTest(test)
	return ok && slices.ContainsFunc(*test.Referrers(), func(u ssa.Instruction) bool {
		branch, ok := u.(*ssa.If)
		return ok && givesUp(flow.Side(branch, flow.TruthOf(!isNil)), err)
	})
}
