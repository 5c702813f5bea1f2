package finalizerorder

import (
	"fmt"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Who deletes a namespace, or a file of objects, asks for the deletion of all of them at once. An owner that is let go then, without a look at those that need it
// for their own cleanup, leaves them where they are for good: the owner has to go last.

// A freedKey asks where objects of type owner are let go, which those of type needs cannot do without.
type freedKey struct{ owner, needs *types.Named }

// freed is where the package takes the finalizers off objects of type owner, a kind of its module, once these are being
// deleted, without a look at objects of custom kinds on the way there; nil where it looks, or where one is taken off
// for another reason.
func (a *analyzer) freed(owner, needs *types.Named) *event {
	return a.frees.Ask(freedKey{owner, needs}, nil, func() *event {
		if owner == nil || needs == nil || owner == needs || !a.ofModule(owner) || !a.ofModule(needs) {
			return nil
		}
		var first *event
		for _, fn := range a.pkg.Funcs {
			events := a.events(fn)
			for _, e := range events {
				if !takesAway(e) || typeOf(e.obj) != owner || a.isSeenBelow(e, owner) {
					continue
				}
				if !a.letsGo(e) || freshlyMade(e, events) || !(e.only || a.guarded(e)) || a.looksFirst(e, needs) {
					return nil
				}
				if first == nil {
					first = &e
				}
			}
		}
		return first
	})
}

// typeOf is the type of o, also where it goes by an interface in the function that changes it; nil where that is not known.
func typeOf(o object) *types.Named {
	if o.typ != nil && !types.IsInterface(o.typ) {
		return kubeapi.Named(o.typ)
	}
	return kindOf(o)
}

// isSeenBelow reports whether e, about an object of type t, happens in a function of the package that says the same of its own.
func (a *analyzer) isSeenBelow(e event, t *types.Named) bool {
	call, ok := e.in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	callee := a.pkg.Callee(call.Common())
	if callee == nil {
		return false
	}
	return slices.ContainsFunc(a.events(callee), func(x event) bool { return takesAway(x) && typeOf(x.obj) == t })
}

// looksFirst reports whether something on the way to e, in its function or in those that lead there, looks for objects of custom kinds, or for one of type needs, or asks
// what may tell of them.
func (a *analyzer) looksFirst(e event, needs *types.Named) bool {
	return flow.Any(a.leadingTo(e.in), func(to ssa.Instruction) bool {
		return a.looksBefore(to, needs) || countsFirst(to)
	})
}

// leadingTo yields in, and the instructions of the package behind which control comes to it: calls of its function, of those that make one of them, and what gets a literal.
func (a *analyzer) leadingTo(in ssa.Instruction) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		seen := map[ssa.Instruction]bool{}
		for work := []ssa.Instruction{in}; len(work) > 0; work = work[1:] {
			to := work[0]
			if seen[to] {
				continue
			}
			seen[to] = true
			if !yield(to) {
				return
			}
			fn := to.Parent()
			for _, c := range a.pkg.Callers(fn) {
				work = append(work, c)
			}
			if above := fn.Parent(); above != nil { // a literal: wherever it runs, it was made before
				for in := range flow.Instrs(above) {
					if made, ok := in.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
						work = append(work, *made.Referrers()...)
					}
				}
			}
		}
	}
}

// looksBefore reports whether something looks for objects of custom kinds, or for one of type needs, before control comes to the instruction to, or in what that calls.
func (a *analyzer) looksBefore(to ssa.Instruction, needs *types.Named) bool {
	before := flow.BlocksTo(to.Block())
	for _, b := range to.Parent().Blocks {
		if !before[b] {
			continue
		}
		for _, in := range b.Instrs {
			if a.looksAround(in, needs) {
				return true
			}
			if in == to && !flow.InLoop(b) {
				break
			}
		}
	}
	return false
}

// looksAround reports whether in looks for objects of custom kinds, or for one of type needs, itself or in what it runs.
func (a *analyzer) looksAround(in ssa.Instruction, needs *types.Named) bool {
	if a.looksHere(in) || isOfKind(in, needs) {
		return true
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return false // or runs later
	}
	runs := a.pkg.MayRun(call)
	for _, arg := range flow.AllArgs(call.Common()) {
		if fn := flow.FuncValue(arg); fn != nil {
			runs = append(runs, fn)
		}
	}
	lists, meets := a.listedKinds(), a.meeting(needs)
	return slices.ContainsFunc(runs, func(fn *ssa.Function) bool {
		fn = a.pkg.Own(fn)
		return len(lists[fn]) > 0 || meets[fn]
	})
}

// meeting are the functions of the package that lead to an object of type t, or to what may be one.
func (a *analyzer) meeting(t *types.Named) map[*ssa.Function]bool {
	return a.meets.Ask(t, nil, func() map[*ssa.Function]bool {
		meets := map[*ssa.Function]bool{}
		leads := func(fn *ssa.Function) bool {
			for in := range flow.Instrs(fn) {
				if isOfKind(in, t) {
					return true
				}
			}
			return slices.ContainsFunc(a.pkg.Next(running, fn), func(next *ssa.Function) bool { return meets[next] })
		}
		for _, component := range a.pkg.BottomUp(running) {
			if slices.ContainsFunc(component, leads) {
				for _, fn := range component {
					meets[fn] = true
				}
			}
		}
		return meets
	})
}

// isOfKind reports whether in gives an object of type t, or what may be one.
func isOfKind(in ssa.Instruction, t *types.Named) bool {
	v, ok := in.(ssa.Value)
	return ok && kubeapi.Named(v.Type()) == t
}

// looksHere reports whether in gives a list of objects of a custom kind, or calls a function of another package that leads to one.
func (a *analyzer) looksHere(in ssa.Instruction) bool {
	if v, ok := in.(ssa.Value); ok && isCustom(listed(v.Type())) {
		return true
	}
	return len(a.listedOut(in)) > 0
}

// listedOut are the names of the custom kinds of which a function of another package that in calls leads to a list.
func (a *analyzer) listedOut(in ssa.Instruction) []string {
	call, ok := in.(ssa.CallInstruction)
	if !ok || a.pkg.Callee(call.Common()) != nil {
		return nil
	}
	var fact Effects
	if fn := a.pkg.Called(call.Common()); fn == nil || !a.fact(fn, &fact) {
		return nil
	}
	return fact.Lists
}

// listed is the type of the objects of which t is a list, a map, or what the API server gives for a list; nil for other types.
func listed(t types.Type) *types.Named {
	t = flow.Pointee(t)
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	case *types.Struct:
		elem = kubeapi.ItemOf(t)
	}
	if elem == nil {
		return nil
	}
	named := kubeapi.Named(flow.Pointee(elem))
	if named == nil || types.IsInterface(named) || !kubeapi.IsObject(types.NewPointer(named)) {
		return nil
	}
	return named
}

// isCustom reports whether t is a kind, and none of Kubernetes itself.
func isCustom(t *types.Named) bool {
	return t != nil && !kubeapi.IsBuiltin(t)
}

// listedKinds are the names of the custom kinds of which the functions of the package lead to a list.
func (a *analyzer) listedKinds() map[*ssa.Function][]string {
	if a.listing != nil {
		return a.listing
	}
	a.listing = map[*ssa.Function][]string{}
	for _, component := range a.pkg.BottomUp(running) {
		var names []string // by each of them
		for _, fn := range component {
			for in := range flow.Instrs(fn) {
				names = append(names, a.listedOut(in)...)
				if v, ok := in.(ssa.Value); ok {
					if t := listed(v.Type()); isCustom(t) {
						names = append(names, link.TypeName(t))
					}
				}
			}
			for _, next := range a.pkg.Next(running, fn) {
				names = append(names, a.listing[next]...)
			}
		}
		slices.Sort(names)
		names = slices.Compact(names)
		for _, fn := range component {
			a.listing[fn] = names
		}
	}
	return a.listing
}

// countsFirst reports whether control comes to in only where the status of an object says something, or a number does: how many there are, inside or outside.
func countsFirst(in ssa.Instruction) bool {
	for test := range flow.PathCondition(in.Block()) {
		for _, p := range namesOf(test.Cond) {
			if strings.Contains(p.Sel+".", ".Status.") {
				return true
			}
		}
		if bin, ok := test.Cond.(*ssa.BinOp); ok && flow.IsInteger(bin.X.Type()) && !flow.InLoop(test.Block()) {
			return true
		}
	}
	return false
}

// reportFreed reports that the object of e is let go, which those of type kind look up, by call, and need.
func (a *analyzer) reportFreed(e *event, kind *types.Named, call *ssa.Call) {
	if a.toldFreed[e.in] {
		return
	}
	a.toldFreed[e.in] = true
	name, line := kind.Obj().Name(), rule.Line(a.pass, flow.Pos(call))
	what := a.named(*e)
	if owner := kubeapi.Named(e.obj.typ); owner != nil {
		what = "the " + owner.Obj().Name()
	}
	message := fmt.Sprintf("%s loses its finalizer while any %s may still exist: its deletion looks up %s (line %d) and cannot finish once that is gone; wait until no %s is left",
		a.named(*e), name, what, line, name)
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(e.in), Sub: "notawaited", Site: "freed-dependency", Message: message,
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "the " + name + " looks it up here"}},
	})
}
