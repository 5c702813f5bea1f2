package finalizerorder

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// A world is one function under the assumption that an object of its is being deleted: the edges that a check of the
// deletion timestamp rules out are not taken.
type world struct {
	*paths.Feasible
	a    *analyzer
	objs []flow.Path // the object and what it was copied from
}

// deletingWorld is fn with the object at objs being deleted.
func (a *analyzer) deletingWorld(fn *ssa.Function, objs []flow.Path) *world {
	w := &world{a: a, objs: objs}
	w.see(fn, w.tell)
	return w
}

// see sets the view of w: fn where tell holds, and where calls give what they give while the object is being deleted.
func (w *world) see(fn *ssa.Function, tell func(ssa.Value) flow.Truth) {
	w.Feasible = paths.Reachable(fn, tell, func(_ *paths.Feasible, call *ssa.Call) []flow.Truth { return w.outcome(call) })
}

// tell is what a check of the object's deletion says.
func (w *world) tell(cond ssa.Value) flow.Truth {
	for _, obj := range w.objs {
		if when, ok := deleting(cond, obj); ok {
			return flow.TruthOf(when)
		}
	}
	if bin, ok := cond.(*ssa.BinOp); ok && (bin.Op == token.EQL || bin.Op == token.NEQ) && flow.IsNil(bin.Y) && w.is(bin.X, "") {
		return flow.TruthOf(bin.Op == token.NEQ) // it is there
	}
	return flow.Unknown
}

// outcome is what the results of call are in w, nil where nothing is known of them.
func (w *world) outcome(call *ssa.Call) []flow.Truth {
	if callee, args := w.a.callee(call); callee != nil {
		objs := w.a.into(w.objs, callee, args)
		if len(objs) == 0 {
			return nil
		}
		return w.a.outcomeOf(callee, objs)
	}
	var fact Effects
	if fn := w.a.pkg.Called(&call.Call); fn != nil && w.a.fact(fn, &fact) {
		for _, t := range fact.Tests {
			args := flow.AllArgs(&call.Call)
			if t.Param < len(args) && w.is(args[t.Param], t.Sel) {
				return t.Outcome
			}
		}
	}
	return nil
}

// is reports whether the object that w is about is found at sel of v.
func (w *world) is(v ssa.Value, sel string) bool {
	p := objectOf(v).path
	p.Sel += sel
	return slices.ContainsFunc(w.objs, func(o flow.Path) bool { return o == p })
}

// into translates paths of a caller into the terms of a callee that is called with args. Values of functions around a
// literal stay what they are.
func (a *analyzer) into(objs []flow.Path, callee *ssa.Function, args []ssa.Value) []flow.Path {
	var out []flow.Path
	for _, obj := range objs {
		for i, arg := range args {
			if i >= len(callee.Params) {
				break
			}
			if p := objectOf(arg).path; p.Known() && p.Root == obj.Root && len(p.Sel) <= len(obj.Sel) && obj.Sel[:len(p.Sel)] == p.Sel {
				out = append(out, flow.Path{Root: callee.Params[i], Sel: obj.Sel[len(p.Sel):]})
			}
			for field, p := range a.parts(arg) {
				if p == obj {
					out = append(out, flow.Path{Root: callee.Params[i], Sel: "." + field})
				}
			}
		}
		if callee.Parent() != nil {
			out = append(out, obj)
		}
	}
	return out
}

// outcomeOf is what callee gives while the object at objs is being deleted, counting the returns that do not surely
// fail.
func (a *analyzer) outcomeOf(callee *ssa.Function, objs []flow.Path) []flow.Truth {
	return a.outcomes.Ask(keyOf(callee, objs), nil, func() []flow.Truth { return a.deletingWorld(callee, objs).Results() })
}

// An outcomeKey is a function and the places in it where the object is, as text.
type outcomeKey struct {
	fn   *ssa.Function
	objs string
}

func keyOf(fn *ssa.Function, objs []flow.Path) outcomeKey {
	places := make([]string, len(objs))
	for i, o := range objs {
		places[i] = fmt.Sprintf("%p%s", o.Root, o.Sel)
	}
	slices.Sort(places)
	return outcomeKey{fn, strings.Join(slices.Compact(places), " ")}
}

// tests reports whether fn, or a function that it gives the object to, checks whether the object is being deleted.
func (a *analyzer) tests(fn *ssa.Function, objs []flow.Path) bool {
	return len(objs) > 0 && a.tested.Ask(keyOf(fn, objs), false, func() bool { return a.findTest(fn, objs) })
}

func (a *analyzer) findTest(fn *ssa.Function, objs []flow.Path) bool {
	found := false
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.BinOp:
			for _, obj := range objs {
				_, ok := deleting(in, obj)
				found = found || ok
			}
		case *ssa.Call:
			for _, obj := range objs {
				_, ok := deleting(in, obj)
				found = found || ok
			}
			found = found || a.callTests(in, objs)
		}
		if found {
			return true
		}
	}
	return false
}

// callTests reports whether call gives the object to a function that checks whether it is being deleted.
func (a *analyzer) callTests(call *ssa.Call, objs []flow.Path) bool {
	if callee, args := a.callee(call); callee != nil {
		return a.tests(callee, a.into(objs, callee, args))
	}
	var fact Effects
	fn := a.pkg.Called(&call.Call)
	if fn == nil || !a.fact(fn, &fact) {
		return false
	}
	w := &world{objs: objs}
	args := flow.AllArgs(&call.Call)
	return slices.ContainsFunc(fact.Tests, func(t Test) bool {
		return t.Param < len(args) && w.is(args[t.Param], t.Sel)
	})
}

// returned is result i of ret, as far as it is known.
func returned(ret *ssa.Return, i int) ssa.Value {
	v, _ := flow.Returned(ret, i)
	return v
}
