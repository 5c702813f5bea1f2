package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// checkLost reports the lookups of another object without which a deleted object never comes to the gates: the other one, which the
// package looks after, may be gone first.
func (a *analyzer) checkLost(fn *ssa.Function, e event, deleted *world, gates gateSet, events []event) {
	kind := kindOf(e.obj)
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || !deleted.Live(call.Block()) {
			continue
		}
		other := a.looksUp(call)
		if other == nil || !hadBefore(e.obj, call, events) || !a.mayGoFirst(other, kind) {
			continue
		}
		if !passes(deleted.View, call, gates) || passes(a.withoutObject(fn, call, e.obj.places()), call, gates) {
			continue
		}
		if !a.removedHereAlone(fn, e, events) {
			return
		}
		gate, name := first(gates), other.Obj().Name()
		rule.Report(a.pass, rule.Finding{
			Pos: flow.Pos(call), Sub: "unreachable",
			Message: fmt.Sprintf("%s keeps its finalizer once its %s is gone: a deleted object comes to line %d, behind which alone the finalizer goes, only if this finds one, and nothing here keeps a %s until then; handle the deletion first, or let it pass where there is none",
				a.named(e), name, rule.Line(a.pass, flow.Pos(gate)), name),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(gate), Message: "the deletion is handled from here on"}},
		})
	}
}

// hadBefore reports whether fn has o in front of call: a parameter, what it has read, or what it was given. An object that is looked up later,
// as the owner of the first one, is not the one that is reconciled.
func hadBefore(o object, call *ssa.Call, events []event) bool {
	switch root := o.path.Root.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Alloc:
		return slices.ContainsFunc(events, func(r event) bool {
			return r.kind == reads && r.obj.path == o.path && r.in != ssa.Instruction(call) && flow.Dominates(r.in, call)
		})
	case ssa.Instruction:
		return flow.Dominates(root, call)
	}
	return false
}

// kindOf is the type of o itself, nil where it goes by an interface or by a part of it.
func kindOf(o object) *types.Named {
	if o.path.Sel != "" || types.IsInterface(o.path.Root.Type()) {
		return nil
	}
	return kube.Named(o.path.Root.Type())
}

// passes reports whether control may come from call to a gate, and on to where the finalizer goes.
func passes(w *ways.View, call *ssa.Call, gates gateSet) bool {
	from := w.From(call.Block())
	for g, side := range gates {
		if (from[g.Block()] || g.Block() == call.Block()) && (side == nil || from[side]) {
			return true
		}
	}
	return false
}

// looksUp is the type of the object that call reads by its name, and fails where there is none; nil for other calls.
func (a *analyzer) looksUp(call *ssa.Call) *types.Named {
	if get, ok := kube.RequestOf(&call.Call); ok {
		if get.Verb != kube.VerbGet {
			return nil
		}
		if get.Object != nil {
			return kube.Named(flow.Resolve(get.Object).Type())
		}
	} else if !a.failsLost(call) {
		return nil
	}
	return kube.Named(call.Call.Signature().Results().At(0).Type())
}

// failsLost reports whether call gives an object that what it calls has looked up, and an error where there is none.
func (a *analyzer) failsLost(call *ssa.Call) bool {
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		return a.lost(callee)
	}
	var fact Effects
	fn := flow.Callee(&call.Call)
	return fn != nil && a.fact(fn, &fact) && fact.Lost
}

// lost reports whether fn gives an object that it looks up, and an error wherever there is none.
func (a *analyzer) lost(fn *ssa.Function) bool {
	return a.losing.Ask(fn, false, func() bool {
		results := fn.Signature.Results()
		if results.Len() != 2 || !flow.IsError(results.At(1).Type()) || !a.isObject(results.At(0).Type()) {
			return false
		}
		given, found := kube.Named(results.At(0).Type()), false
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || given == nil || a.looksUp(call) != given {
				continue
			}
			found = true
			if truths := a.withoutObject(fn, call, nil).Results(); len(truths) < 2 || truths[1] != flow.No {
				return false
			}
		}
		return found
	})
}

// withoutObject is fn with the object at objs being deleted, and with lookup finding none.
func (a *analyzer) withoutObject(fn *ssa.Function, lookup *ssa.Call, objs []flow.Path) *ways.View {
	w := &world{a: a, objs: objs}
	says := func(v ssa.Value) bool {
		call, _ := flow.ResultOf(v)
		return call == lookup && flow.IsError(v.Type())
	}
	w.see(fn, func(v ssa.Value) flow.Truth {
		if says(v) {
			return flow.No
		}
		if call, ok := v.(*ssa.Call); ok && isGoneTest(call) && says(flow.Resolve(call.Call.Args[0])) {
			return flow.Yes
		}
		return w.tell(v)
	})
	return w.View
}

// isGoneTest reports whether call asks an error whether something is not there, or ignores one that says so.
func isGoneTest(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return fn != nil && len(call.Call.Args) == 1 && flow.IsError(call.Call.Args[0].Type()) && asksGone(fn.Name())
}

// mayGoFirst reports whether the package looks after objects of type t, and never lists those of type waiting, so that nothing of it waits
// for them before one of t goes.
func (a *analyzer) mayGoFirst(t, waiting *types.Named) bool {
	if waiting == nil || t == waiting || !a.changesOf().kept[t] {
		return false
	}
	list := waiting.Obj().Name() + "List"
	for _, use := range a.pass.TypesInfo.Uses {
		if use.Name() == list && use.Pkg() == waiting.Obj().Pkg() {
			return false
		}
	}
	return true
}
