package finalizerorder

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// checkAfter reports the writes of an object that follow the removal of its finalizer at the API server, and that fail
// where that was the last one.
func (a *analyzer) checkAfter(fn *ssa.Function) {
	events := a.events(fn)
	all := append(a.persisted(events), events...)
	releases := a.releases(all)
	for _, r := range all {
		if r.kind != removesNow && r.kind != strips || r.deferred || a.hasAnother(r) || removesMore(r, events) {
			continue
		}
		if !a.mayBeDeleting(r) {
			if c := a.releaseAfter(r, releases); c != nil && retriedOnlyWith(r, c) {
				a.reportTooLate(r, c)
				return
			}
			continue
		}
		c := a.cleanupAfter(r, events)
		if c == nil {
			c = a.releaseAfter(r, releases)
		}
		if c != nil {
			a.reportTooLate(r, c)
			return
		}
	}
}

// mayBeDeleting reports whether r is known to happen to objects that are being deleted: behind a check here, or in one
// of the calls of this function in the package.
func (a *analyzer) mayBeDeleting(r event) bool {
	if a.guarded(r) || a.comesDeleted(r) {
		return true
	}
	fn := r.in.Parent()
	return slices.ContainsFunc(a.pkg.Callers(fn), func(c ssa.CallInstruction) bool {
		p, ok := flow.Substitute(r.obj.path, fn, flow.AllArgs(c.Common()))
		return ok && a.guardedAt(c, flow.Path{Root: p.Root, Sel: trimMeta(p.Sel)})
	})
}

// comesDeleted reports whether a test in front of r, that asks for the deletion among others, lets r happen to each object that is being deleted.
func (a *analyzer) comesDeleted(r event) bool {
	if !a.tests(r.in.Parent(), r.obj.places()) {
		return false
	}
	var deleted *world // made for the first test
	for test, t := range flow.PathCondition(r.in.Block()) {
		if t == flow.Unknown {
			continue
		}
		if deleted == nil {
			deleted = a.deletingWorld(r.in.Parent(), r.obj.places())
		}
		if !deleted.Reaches(r.in.Block()) {
			return false // another test has kept it away
		}
		if deleted.Value(test.Cond) == t && paths.ValueAt(test.Cond, test.Block()) == flow.Unknown {
			return true
		}
	}
	return false
}

// hasAnother reports whether the package takes another finalizer off objects of that type as well: while that one is there,
// the object cannot be gone. One that another controller takes off is gone when that one is done, which may be before.
func (a *analyzer) hasAnother(r event) bool {
	return slices.ContainsFunc(a.finalizersOf(kubeapi.Named(r.obj.typ)), func(e event) bool {
		// What the same function takes off another object need not be on this one.
		return takesAway(e) && e.finalizer != r.finalizer &&
			(e.in.Parent() != r.in.Parent() || e.obj.path == r.obj.path || stemsFrom(e.obj.path.Root, r)) &&
			!a.apartFrom(r.in.Parent(), e.in.Parent())
	})
}

// apartFrom reports whether fn and other are run by different controllers: all that leads to them in the package begins with methods, those of fn with
// methods of other types than those of other.
func (a *analyzer) apartFrom(fn, other *ssa.Function) bool {
	mine, ok := a.controllers(fn)
	if !ok {
		return false
	}
	others, ok := a.controllers(other)
	return ok && !slices.ContainsFunc(mine, func(t *types.Named) bool { return slices.Contains(others, t) })
}

// controllers are the types of the methods that lead to fn in the package, and that nothing of it calls; false where a function that is no method does:
// whoever calls that is not in sight.
func (a *analyzer) controllers(fn *ssa.Function) ([]*types.Named, bool) {
	var out []*types.Named
	for f := range a.pkg.LeadingTo(program.Calls|program.Spawns|program.Literals, fn) {
		if f.Parent() != nil || len(a.pkg.Callers(f)) > 0 {
			continue
		}
		if f.Signature.Recv() == nil {
			return nil, false
		}
		out = append(out, kubeapi.Named(f.Signature.Recv().Type()))
	}
	return out, len(out) > 0
}

// stemsFrom reports whether v may be the object of r, or what the call that makes r gives in its place.
func stemsFrom(v ssa.Value, r event) bool {
	work := values.From(v)
	for v := range work.All() {
		if call, _ := flow.ResultOf(v); v == r.obj.path.Root || call != nil && ssa.Instruction(call) == r.in {
			return true
		}
		if phi, ok := v.(*ssa.Phi); ok {
			work.Add(phi.Edges...)
		}
	}
	return false
}

// removesMore reports whether fn goes on behind r to take a finalizer off the object that is not known to be the one of r: where that is there, it
// keeps the object.
func removesMore(r event, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		return e.kind == removes && e.obj.path == r.obj.path && (e.finalizer == "" || e.finalizer != r.finalizer) && flow.Reaches(r.in, e.in, nil)
	})
}

// heldByAnother reports whether control comes to in, behind r, only where a test has found another finalizer on the object: that keeps it.
func heldByAnother(r event, in ssa.Instruction) bool {
	for test, found := range answersAt(in.Block(), r.obj) {
		if found.has && (found.finalizer == "" || found.finalizer != r.finalizer) && flow.Reaches(r.in, test, nil) {
			return true
		}
	}
	return false
}

// cleanupAfter is a cleanup of something of the object of r that comes after r has succeeded, and whose failure is returned so that it is tried
// again: there is no object left for that.
func (a *analyzer) cleanupAfter(r event, events []event) *ssa.Call {
	return a.callAfter(r, func(call *ssa.Call) bool { return a.isCleanup(call, r, events) })
}

// releases are the events of all that take a finalizer at the API server off an object that the function has looked up itself, and that is not
// being deleted: one that is, is let go for its own sake.
func (a *analyzer) releases(all []event) []event {
	var out []event
	for _, e := range all {
		_, given := e.obj.path.Root.(*ssa.Parameter) // by somebody who may look after it
		if (e.kind == removesNow || e.kind == strips) && !given && !e.only && !a.guarded(e) {
			out = append(out, e)
		}
	}
	return out
}

// releaseAfter is one of the releases of another object, or a call that lets a literal make one, after r has succeeded, where its failure is
// returned.
func (a *analyzer) releaseAfter(r event, releases []event) *ssa.Call {
	return a.callAfter(r, func(call *ssa.Call) bool {
		return a.letsRelease(call) || slices.ContainsFunc(releases, func(e event) bool {
			return e.in == ssa.Instruction(call) && e.in != r.in && e.obj.path != r.obj.path && !e.obj.same(r.obj)
		})
	})
}

// letsRelease reports whether call gets a literal that takes a finalizer, at the API server, off an object that the literal is given.
func (a *analyzer) letsRelease(call *ssa.Call) bool {
	return slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool {
		lit := flow.FuncValue(arg)
		if lit == nil || lit.Parent() == nil {
			return false
		}
		return slices.ContainsFunc(a.outward(lit), func(e event) bool {
			p, ok := e.obj.path.Root.(*ssa.Parameter)
			return ok && p.Parent() == lit && (e.kind == removesNow || e.kind == strips)
		})
	})
}

// retriedOnlyWith reports whether c, behind r, is come to only where a test has found the finalizer that r takes off: it is not tried again.
func retriedOnlyWith(r event, c *ssa.Call) bool {
	for test, found := range answersAt(c.Block(), r.obj) {
		if found.has && found.finalizer != "" && found.finalizer == r.finalizer && flow.Dominates(test, r.in) {
			return true
		}
	}
	return false
}

// callAfter is a call of which wanted holds, and that is come to after r has succeeded, and whose failure is returned; nil for none.
func (a *analyzer) callAfter(r event, wanted func(*ssa.Call) bool) *ssa.Call {
	removal, ok := r.in.(*ssa.Call)
	if !ok {
		return nil
	}
	done := flow.ErrorOf(removal)
	if done == nil && r.kind == removes { // in memory that cannot fail
		done = removal
	}
	if done == nil {
		return nil
	}
	goals := map[ssa.Instruction]*ssa.Call{}
	for in := range flow.Instrs(removal.Parent()) {
		call, ok := in.(*ssa.Call)
		if ok && call != removal && flow.Reaches(removal, call, nil) && sameTurn(r, call) && !heldByAnother(r, call) && wanted(call) &&
			(failureIsReturned(call) && !logged(call) || returnsDirectly(call)) {
			goals[call] = call
		}
	}
	if len(goals) == 0 {
		return nil // the ways need not be walked
	}
	var found *ssa.Call
	w := walk{
		goal: func(in ssa.Instruction) bool {
			if found == nil {
				found = goals[in]
			}
			return found != nil
		},
		stop: func(in ssa.Instruction) bool {
			root, _ := r.obj.path.Root.(ssa.Instruction)
			return in == root
		},
	}
	w.from(a, removal, done, flow.True)
	return found
}

// sameTurn reports whether in is about the same object as r: an element of a list is another one in the next turn of the loop.
func sameTurn(r event, in ssa.Instruction) bool {
	return !strings.Contains(r.obj.path.Sel, "[") && !ofTurn(r.obj.path.Root) || flow.ReachesForward(r.in, in, nil)
}

// ofTurn reports whether v is taken out of a list in a loop.
func ofTurn(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || !flow.InLoop(in.Block()) {
		return false
	}
	switch x := v.(type) {
	case *ssa.IndexAddr, *ssa.Lookup, *ssa.Extract, *ssa.UnOp, *ssa.Alloc:
		return true
	case *ssa.Call:
		return len(x.Call.Args) > 0
	}
	return false
}

// returnsDirectly reports whether the result of call, an error, is returned as it is.
func returnsDirectly(call *ssa.Call) bool {
	for range flow.Referrers[*ssa.Return](call) {
		return isWrap(call)
	}
	return false
}

func (a *analyzer) reportTooLate(r event, c *ssa.Call) {
	pass, what := a.pass, cmp.Or(a.pkg.Spelled(c.Pos()), "this call")
	if fn := flow.Callee(&c.Call); fn != nil {
		what = fn.Name()
	}
	rule.Report(pass, rule.Finding{
		Pos: c.Pos(), Sub: "writeafterremoval", Site: "late-cleanup",
		Message: fmt.Sprintf("%s may be gone when %s runs: line %d removes its finalizer first, so a failed cleanup is never retried; remove the finalizer last",
			nameOf(pass, r), what, rule.Line(pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(r.in), Message: "the finalizer is removed here"}},
	})
}

// failureIsReturned reports whether the caller looks at the error of call, and has no word for objects that are gone.
func failureIsReturned(call *ssa.Call) bool {
	if flow.ErrorResult(call.Call.Signature()) < 0 {
		return false
	}
	err := flow.ErrorOf(call)
	if err == nil || err.Referrers() == nil {
		return false
	}
	used := false
	for _, ref := range *err.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			fn := flow.Callee(&ref.Call)
			if fn == nil || asksGone(fn.Name()) {
				return false
			}
			used = used || isWrap(ref)
		case *ssa.Return, *ssa.Store, *ssa.Phi:
			used = true
		case *ssa.BinOp:
			used = true
		}
	}
	return used
}

// logged reports whether the error of call is given to something that neither keeps nor returns it: a logger, an event.
func logged(call *ssa.Call) bool {
	err := flow.ErrorOf(call)
	if err == nil || err.Referrers() == nil {
		return false
	}
	return goesTo(err, func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		if _, builtin := c.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		res := c.Call.Signature().Results()
		for i := range res.Len() {
			if flow.IsError(res.At(i).Type()) || flow.IsBool(res.At(i).Type()) {
				return false // wraps, joins or tests it
			}
		}
		return true
	})
}

// finalizersOf are the additions and removals of single, known finalizers that the package makes to objects of type t.
func (a *analyzer) finalizersOf(t *types.Named) []event {
	if a.single == nil {
		a.single = map[*types.Named][]event{}
		for _, fn := range a.pkg.Funcs {
			for _, e := range a.events(fn) {
				if e.obj.typ == nil || e.finalizer == "" || e.kind != removes && e.kind != removesNow && !addition(e) || handedName(e.finalizer, fn, nil) == "" {
					continue // the caller of fn decides which
				}
				t := kubeapi.Named(e.obj.typ)
				a.single[t] = append(a.single[t], e)
			}
		}
	}
	return a.single[t]
}
