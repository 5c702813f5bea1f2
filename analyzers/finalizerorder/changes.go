package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// removedHereAlone reports whether the package takes finalizers off objects of the type of e only in fn, in what that calls,
// and where fn is called: elsewhere one may go in a state that fn leaves alone.
func (a *analyzer) removedHereAlone(fn *ssa.Function, e event, events []event) bool {
	t := kubeapi.Named(e.obj.typ)
	if t == nil || slices.ContainsFunc(events, func(r event) bool { return takesAway(r) && r.obj.path == e.obj.path && takenElsewhere(r) }) {
		return false // in another package, for whom else is not known
	}
	of := a.changesOf()
	taken := append(slices.Clone(of.taken[t]), of.taken[nil]...)
	if len(taken) == 0 {
		return true
	}
	below := map[*ssa.Function]bool{}
	for g := range a.pkg.Reach(running, fn) {
		below[g] = true
	}
	above := a.pkg.LeadingTo(program.Calls|program.Spawns, fn)
	return !slices.ContainsFunc(taken, func(in ssa.Instruction) bool {
		if below[in.Parent()] {
			return false
		}
		call, ok := in.(ssa.CallInstruction)
		return !ok || !above[a.pkg.Callee(call.Common())]
	})
}

// mayReleaseAt reports whether in gives the object at objs to a function that cannot be looked into, and whose name does not
// rule out that it sees to all that the object needs. The removals that can be looked into are known.
func (a *analyzer) mayReleaseAt(in ssa.Instruction, objs []flow.Path) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok || !slices.ContainsFunc(flow.AllArgs(call.Common()), func(arg ssa.Value) bool { return slices.Contains(objs, objectOf(arg).path) }) {
		return false
	}
	if callee, args := a.callee(call); callee != nil {
		there := a.into(objs, callee, args)
		return a.releasing.Ask(keyOf(callee, there), false, func() bool {
			return flow.Any(flow.Instrs(callee), func(in ssa.Instruction) bool { return a.mayReleaseAt(in, there) })
		})
	}
	fn := flow.Callee(call.Common())
	_, request := kubeapi.RequestOf(call.Common())
	return fn == nil || !request && !harmless(call) && takesOver(fn.Name())
}

// addsTo reports whether the package puts a finalizer on objects of the type of e.
func (a *analyzer) addsTo(e event) bool { return a.changesOf().added[kubeapi.Named(e.obj.typ)] }

// A changeIndex is what a package does to objects, by their type, and to their fields. Of what has no defined type, the
// type is nil.
type changeIndex struct {
	taken map[*types.Named][]ssa.Instruction // where a finalizer goes
	added map[*types.Named]bool              // whether one is added
	kept  map[*types.Named]bool              // whether their status is written
}

func (a *analyzer) changesOf() *changeIndex {
	if a.index != nil {
		return a.index
	}
	x := &changeIndex{map[*types.Named][]ssa.Instruction{}, map[*types.Named]bool{}, map[*types.Named]bool{}}
	for _, fn := range a.pkg.Funcs {
		for _, e := range a.events(fn) {
			t := typeOf(e.obj)
			if t == nil && e.obj.typ != nil {
				t = kubeapi.Named(e.obj.typ)
			}
			switch {
			case takesAway(e):
				x.taken[t] = append(x.taken[t], e.in)
			case e.kind == adds || e.kind == addsNow:
				x.added[t] = true
			case e.kind == status:
				x.kept[t] = true
			}
		}
	}
	a.index = x
	return x
}

// takenElsewhere reports whether a function of another package makes the change e that may make it for others of the kind, too: one that is given objects of any
// kind, or their metadata, is a tool as those of controllerutil are, and does what its caller wants.
func takenElsewhere(e event) bool {
	if e.at != nil {
		return false
	}
	call, ok := e.in.(ssa.CallInstruction)
	if !ok {
		return true
	}
	args, params := flow.Args(call.Common()), call.Common().Signature().Params()
	i := slices.IndexFunc(args, func(v ssa.Value) bool { return slices.Contains(e.obj.places(), objectOf(v).path) })
	return i < 0 || i >= params.Len() || !ofAnyKind(params.At(i).Type())
}

// ofAnyKind reports whether t is that of objects of any kind, or of their metadata.
func ofAnyKind(t types.Type) bool {
	return types.IsInterface(t) || kubeapi.IsObjectMeta(t)
}
