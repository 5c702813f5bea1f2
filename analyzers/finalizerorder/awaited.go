package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// checkAwaited reports the removals of a finalizer in fn to which control comes straight from the request to delete another object that has
// finalizers itself, and whose own cleanup looks up the first one: it has been asked for, and is still there, and needs what is let go. A namespace has
// all that is in it.
func (a *analyzer) checkAwaited(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		if !takesAway(r) || r.deferred || freshlyMade(r, events) || !(r.only || a.guarded(r)) {
			continue
		}
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == r.in {
				continue
			}
			request := a.asksToDelete(call)
			if request == nil || !a.needsOwner(deletedType(request), kindOf(r.obj), fn) || !flow.Reaches(in, r.in, nil) {
				continue
			}
			if a.straight(call, func(in ssa.Instruction, _ *ways.Known) bool { return in == r.in }) {
				a.reportAwaited(r, call, request)
				return
			}
		}
	}
}

// needsOwner reports whether objects of type t, in deletion, may need the object of type kind for which they were made, and to which fn sees.
func (a *analyzer) needsOwner(t, kind *types.Named, fn *ssa.Function) bool {
	return t != kind && (isNamespace(t) || kind != nil && a.looksUp(t, kind, fn))
}

func isNamespace(t *types.Named) bool {
	return t.Obj().Name() == "Namespace" && t.Obj().Pkg().Path() == coreV1
}

// asksToDelete is the request for the deletion of an object with finalizers that call makes, itself or in a function that comes straight from it
// to a return without an error; nil where there is none.
func (a *analyzer) asksToDelete(call *ssa.Call) *ssa.Call {
	if flow.ErrorOf(call) == nil {
		return nil
	}
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || callee.Blocks == nil {
		// Of a namespace that has an owner, nothing needs the owner: the garbage collector deletes it after that.
		if t := deletedType(call); t != nil && (a.changesOf().added[t] && !a.letsGoBefore(call, t) || isNamespace(t) && !a.isCollected(call)) {
			return call
		}
		return nil
	}
	if callee.Signature.Results().Len() != 1 {
		return nil // it may say that something is left
	}
	return a.asking.Ask(callee, nil, func() *ssa.Call {
		for in := range flow.Instrs(callee) {
			inner, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if request := a.asksToDelete(inner); request != nil && a.straight(inner, func(in ssa.Instruction, k *ways.Known) bool {
				ret, ok := in.(*ssa.Return)
				return ok && k.Of(unlessGone(returned(ret, 0))) == flow.Yes
			}) {
				return request
			}
		}
		return nil
	})
}

// letsGoBefore reports whether the function of call takes a finalizer off an object of type t before it comes to the call, which deletes one: nothing keeps that then.
func (a *analyzer) letsGoBefore(call *ssa.Call, t *types.Named) bool {
	return slices.ContainsFunc(a.events(call.Parent()), func(e event) bool {
		return takesAway(e) && kube.Named(e.obj.typ) == t && flow.Reaches(e.in, call, nil)
	})
}

// deletedType is the type of the object of which call asks for the deletion, where it is given by its name the one that the same client gets; nil for
// other calls.
func deletedType(call ssa.CallInstruction) *types.Named {
	if r, ok := kube.RequestOf(call.Common()); ok && r.Verb == kube.VerbDelete {
		return typeOfRequest(r)
	}
	return nil
}

// typeOfRequest is the type of the object that r is about, where it is given by its name the one that the same client gets; nil where that is not known.
func typeOfRequest(r kube.Request) *types.Named {
	if r.Object != nil {
		return kube.OneKind(flow.Resolve(r.Object).Type())
	}
	get := kube.Method(r.Client.Type(), "Get")
	if get == nil || get.Signature().Results().Len() != 2 {
		return nil
	}
	return kube.OneKind(get.Signature().Results().At(0).Type())
}

// straight reports whether control comes from call, which has succeeded, to a goal without a look at the cluster.
func (a *analyzer) straight(call *ssa.Call, goal func(ssa.Instruction, *ways.Known) bool) bool {
	found := false
	w := &ways.Walk{
		Calls: a.results,
		Test: func(cond ssa.Value, k *ways.Known) (t flow.Truth, end bool) {
			cond, is := flow.Positive(cond)
			if x, isNil, ok := flow.NilTest(cond); ok && k.Of(unlessGone(x)) == flow.Yes {
				return flow.Settled(isNil == is), false
			}
			if c, ok := cond.(*ssa.Call); ok && isGoneTest(c) && k.Of(c.Call.Args[0]) == flow.Yes {
				return flow.Settled(!is), false // it was there
			}
			return flow.Either, false
		},
		At: func(in ssa.Instruction, k *ways.Known) bool {
			if found = found || goal(in, k); found || in == ssa.Instruction(call) {
				return true
			}
			c, ok := in.(*ssa.Call)
			return ok && a.looksAtCluster(c)
		},
		Return: func(ret *ssa.Return, k *ways.Known) { found = found || goal(ret, k) },
	}
	if !w.From(call, map[ssa.Value]flow.Truth{flow.ErrorOf(call): flow.Yes}) {
		a.pkg.Cut("walks through a function were given up", call)
	}
	return found
}

// unlessGone is err for IgnoreNotFound(err), and v for any other value.
func unlessGone(v ssa.Value) ssa.Value {
	if c, ok := flow.Resolve(v).(*ssa.Call); ok && isGoneTest(c) && flow.IsError(c.Type()) {
		return c.Call.Args[0]
	}
	return v
}

// looksAtCluster reports whether call reads objects, or something that it calls.
func (a *analyzer) looksAtCluster(call *ssa.Call) bool {
	if r, ok := kube.RequestOf(&call.Call); ok {
		return !r.Verb.Writes()
	}
	callee := a.pkg.Callee(&call.Call)
	if callee == nil {
		fn := flow.Callee(&call.Call)
		return fn == nil || !isGoneTest(call) && flow.ErrorResult(fn.Signature()) >= 0 && !kube.Logs(fn) // whatever it does
	}
	for fn := range a.pkg.Reach(program.Calls, callee) {
		for in := range flow.Instrs(fn) {
			if c, ok := in.(*ssa.Call); ok {
				if r, ok := kube.RequestOf(&c.Call); ok && !r.Verb.Writes() {
					return true
				}
			}
		}
	}
	return false
}

func (a *analyzer) reportAwaited(r event, call, request *ssa.Call) {
	related := []analysis.RelatedInformation{{Pos: flow.Pos(request), Message: "this asks for the deletion"}}
	rule.Report(a.pass, rule.Finding{
		Pos: r.in.Pos(), Sub: "removedonerror", Site: "unawaited-child",
		Message: fmt.Sprintf("%s loses its finalizer here as soon as the deletion of its %s is asked for, at line %d: that has finalizers itself, is still there, and may need it; look whether it is gone, and come back else",
			a.named(r), deletedType(request).Obj().Name(), rule.Line(a.pass, flow.Pos(call))),
		Related: related,
	})
}
