package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// A lookup whose "not found" is let pass gives no object. Who uses that before the finalizer goes ends in a panic, each time.

// A nothing is what a call gives where the object that it looks up is gone: a nil pointer, with an error or without.
type nothing struct {
	call  *ssa.Call
	value ssa.Value
	isNil flow.Truth // whether its error is nil then
	needs []need
}

// checkNothing reports the uses of an object that may be gone, and is nil then, in front of all that takes the finalizer off another one.
func (a *analyzer) checkNothing(fn *ssa.Function) {
	events := a.events(fn)
	seen := map[flow.Path]bool{}
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || freshlyMade(r, events) || seen[r.obj.path] || strings.Contains(r.obj.path.Sel, "[") || ofTurn(r.obj.path.Root) {
			continue
		}
		seen[r.obj.path] = true
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == r.in {
				continue
			}
			if use, n := a.usedBefore(call, r, events); use != nil {
				a.reportNothing(r, call, use, n)
				break
			}
		}
	}
}

// usedBefore is where the object that call looks up, and that may be gone while that of r is still there, is used in front of all that takes the finalizer
// off; nil where there is none. Who goes on with an error knows that it may be gone.
func (a *analyzer) usedBefore(call *ssa.Call, r event, events []event) (use ssa.Instruction, of need) {
	n := a.nothingOf(call)
	n.needs = slices.DeleteFunc(n.needs, func(x need) bool {
		return x.typ == nil || x.typ == kube.Named(r.obj.typ) || n.isNil == flow.Yes && !a.mayBeGone(&x, call, r, events)
	})
	if len(n.needs) == 0 {
		return nil, need{}
	}
	deleted := a.deletingWorld(call.Parent(), r.obj.places())
	if !deleted.Live(call.Block()) || a.released(deleted.View, call, r, events) < 0 {
		return nil, need{}
	}
	w := a.withNothing(n, r.obj.places())
	for _, use := range a.usesOf(n.value) {
		if !w.Live(use.Block()) || a.released(w, call, r, slices.DeleteFunc(slices.Clone(events), func(e event) bool {
			return e.in == use || flow.Dominates(use, e.in)
		})) >= 0 {
			continue
		}
		return use, n.needs[0]
	}
	return nil, need{}
}

// nothingOf is what call gives where there is no object; without needs where it gives one, or that is not known.
func (a *analyzer) nothingOf(call *ssa.Call) nothing {
	v := flow.ResultAt(call, 0)
	if v == nil || call.Call.Signature().Results().Len() != 2 || flow.ErrorResult(call.Call.Signature()) != 1 || !isPointer(v.Type()) {
		return nothing{}
	}
	callee := a.pkg.Callee(&call.Call)
	if callee != nil {
		n := a.givesNothingFor(callee)
		n.needs = slices.Clone(n.needs)
		for i := range n.needs {
			n.needs[i].names = namesIn(n.needs[i].names, callee, call.Call.Args)
		}
		n.call, n.value = call, v
		return n
	}
	// A lister gives nil with its error, a client the object that it has made.
	r, ok := kube.RequestOf(&call.Call)
	if !ok || r.Verb != kube.VerbGet || r.Object != nil || kube.IsContext(call.Call.Signature().Params().At(0).Type()) {
		return nothing{}
	}
	return nothing{call, v, flow.No, []need{{request: call, typ: kube.Named(v.Type()), names: namesOf(r.Name)}}}
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// givesNothingFor are the needs of fn behind which every return of fn gives nil where they are unmet.
func (a *analyzer) givesNothingFor(fn *ssa.Function) nothing {
	return a.nothings.Ask(fn, nothing{}, func() nothing {
		events := a.events(fn)
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || !everyTime(call, nil, nil) {
				continue
			}
			n := nothing{call: call, isNil: flow.No, needs: slices.DeleteFunc(a.needsOf(call, nil, events), func(n need) bool { return n.deletes })}
			if inner := a.nothingOf(call); len(inner.needs) > 0 {
				n = inner
			}
			if len(n.needs) == 0 {
				continue
			}
			if isNil, ok := nilBehind(a.withNothing(n, nil), call); ok {
				return nothing{isNil: isNil, needs: n.needs}
			}
		}
		return nothing{}
	})
}

// nilBehind reports whether all returns behind call give nil for the object, and whether their errors are nil: all of them or none.
func nilBehind(w *ways.View, call *ssa.Call) (isNil flow.Truth, all bool) {
	from := w.From(call.Block())
	from[call.Block()] = true
	for ret := range flow.Returns(call.Parent()) {
		if !from[ret.Block()] {
			continue
		}
		v, sure := flow.Returned(ret, 0)
		err, known := flow.Returned(ret, 1)
		if !sure || !known || w.At(v, ret.Block()) != flow.Yes {
			return flow.Either, false
		}
		t := w.At(err, ret.Block())
		if t == flow.Either || all && t != isNil {
			return flow.Either, false
		}
		isNil, all = t, true
	}
	return isNil, all
}

// withNothing is the function of n's call with the object at objs being deleted, and with nothing found.
func (a *analyzer) withNothing(n nothing, objs []flow.Path) *ways.View {
	w := &world{a: a, objs: objs}
	err := flow.ErrorOf(n.call)
	w.see(n.call.Parent(), func(v ssa.Value) flow.Truth {
		switch {
		case v == n.value && v != nil:
			return flow.Yes
		case v == err && v != nil:
			return n.isNil
		}
		if call, ok := v.(*ssa.Call); ok && isGoneTest(call) && flow.Resolve(call.Call.Args[0]) == err {
			return flow.Settled(n.isNil == flow.No || flow.IsError(call.Type()))
		}
		return w.tell(v)
	})
	return w.View
}

// usesOf are the instructions that cannot do without what v points to: a look at a field, and a call of a function that begins with one.
func (a *analyzer) usesOf(v ssa.Value) (uses []ssa.Instruction) {
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.FieldAddr, *ssa.UnOp:
			uses = append(uses, in)
		case *ssa.Call:
			callee := a.pkg.Callee(&in.Call)
			if callee == nil || len(callee.Params) != len(in.Call.Args) {
				continue
			}
			for i, arg := range in.Call.Args {
				if arg == v && beginsWith(callee, callee.Params[i]) {
					uses = append(uses, in)
					break
				}
			}
		}
	}
	return uses
}

// beginsWith reports whether fn looks at a field of p before it asks anything.
func beginsWith(fn *ssa.Function, p *ssa.Parameter) bool {
	return slices.ContainsFunc(*p.Referrers(), func(in ssa.Instruction) bool {
		_, field := in.(*ssa.FieldAddr)
		return field && in.Block() == fn.Blocks[0]
	})
}

func (a *analyzer) reportNothing(r event, call *ssa.Call, use ssa.Instruction, n need) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(use), Sub: "unreachable", Site: "nil-lookup",
		Message: fmt.Sprintf("%s keeps its finalizer once its %s is gone: %s at line %d gives nil then, and this panics before line %d, where the finalizer goes; do without it",
			a.named(r), n.typ.Obj().Name(), calledName(call), rule.Line(a.pass, flow.Pos(call)), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "nothing is found here"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
