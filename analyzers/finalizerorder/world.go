package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A world is one function under the assumption that an object of its is being deleted: the edges that a check of the
// deletion timestamp rules out are not taken.
type world struct {
	a    *analyzer
	fn   *ssa.Function
	objs []flow.Path // the object and what it was copied from
	live map[*ssa.BasicBlock]bool
}

// deletingWorld is fn with the object at objs being deleted.
func (a *analyzer) deletingWorld(fn *ssa.Function, objs []flow.Path) *world {
	w := &world{a: a, fn: fn, objs: objs, live: map[*ssa.BasicBlock]bool{}}
	if len(fn.Blocks) == 0 {
		return w
	}
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	w.live[fn.Blocks[0]] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for i, s := range b.Succs {
			if !w.live[s] && w.takes(b, i) {
				w.live[s] = true
				work = append(work, s)
			}
		}
	}
	return w
}

// takes reports whether the i'th edge out of b can be taken.
func (w *world) takes(b *ssa.BasicBlock, i int) bool {
	return w.takesAt(b, i, 0)
}

// eval is the value of cond where the object is being deleted.
func (w *world) eval(cond ssa.Value, depth int) (value, known bool) {
	if depth > 6 {
		return false, false
	}
	cond = flow.Resolve(cond)
	for _, obj := range w.objs {
		if when, ok := deleting(cond, obj, 0); ok {
			return when, true
		}
	}
	switch cond := cond.(type) {
	case *ssa.Const:
		if cond.Value != nil && cond.Value.Kind() == constant.Bool {
			return constant.BoolVal(cond.Value), true
		}
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			value, known = w.eval(cond.X, depth+1)
			return !value, known
		}
	case *ssa.Phi:
		return w.evalPhi(cond, depth)
	case *ssa.BinOp:
		if x, eq, ok := flow.NilTest(cond); ok && flow.IsError(x.Type()) {
			if call, i := flow.ResultOf(flow.Resolve(x)); call != nil && w.outcome(call).fails(i) {
				return !eq, true
			}
		}
	case *ssa.Call, *ssa.Extract:
		if call, i := flow.ResultOf(flow.Resolve(cond)); call != nil {
			return w.outcome(call).value(i)
		}
	}
	return false, false
}

func (w *world) evalPhi(phi *ssa.Phi, depth int) (value, known bool) {
	for i, e := range phi.Edges {
		pred := phi.Block().Preds[i]
		ruledOut := true
		for j, s := range pred.Succs {
			if s == phi.Block() && w.takesAt(pred, j, depth+1) {
				ruledOut = false
			}
		}
		if ruledOut {
			continue
		}
		v, ok := w.eval(e, depth+1)
		if !ok || known && v != value {
			return false, false
		}
		value, known = v, true
	}
	return value, known
}

// takesAt is takes for an edge in front of a phi that is being evaluated at depth.
func (w *world) takesAt(b *ssa.BasicBlock, i, depth int) bool {
	cond := flow.Branch(b)
	if cond == nil {
		return true
	}
	value, known := w.eval(cond.Cond, depth+1)
	return !known || value == (i == 0)
}

// outcome is what the results of a function are while an object is being deleted: 1 for true or a failure, -1 for
// false, 0 where it depends.
type outcome []int8

func (o outcome) value(i int) (value, known bool) {
	if i >= len(o) || o[i] == 0 {
		return false, false
	}
	return o[i] > 0, true
}

func (o outcome) fails(i int) bool { return i < len(o) && o[i] > 0 }

// outcome is that of call in w.
func (w *world) outcome(call *ssa.Call) outcome {
	callee := flow.StaticCallee(&call.Call)
	if callee != nil && callee.Blocks != nil {
		objs := into(w.objs, callee, call.Call.Args)
		if len(objs) == 0 {
			return nil
		}
		return w.a.outcomeOf(callee, objs)
	}
	var fact Effects
	if fn := flow.Callee(&call.Call); fn != nil && w.a.fact(fn, &fact) {
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
	for _, o := range w.objs {
		if o == p {
			return true
		}
	}
	return false
}

// into translates paths of a caller into the terms of a callee that is called with args. Values of functions around a
// literal stay what they are.
func into(objs []flow.Path, callee *ssa.Function, args []ssa.Value) []flow.Path {
	var out []flow.Path
	for _, obj := range objs {
		for i, arg := range args {
			if i >= len(callee.Params) {
				break
			}
			if p := objectOf(arg).path; p.Known() && p.Root == obj.Root && len(p.Sel) <= len(obj.Sel) && obj.Sel[:len(p.Sel)] == p.Sel {
				out = append(out, flow.Path{Root: callee.Params[i], Sel: obj.Sel[len(p.Sel):]})
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
func (a *analyzer) outcomeOf(callee *ssa.Function, objs []flow.Path) outcome {
	return a.outcomes.Ask(keyOf(callee, objs), nil, func() outcome { return a.findOutcome(callee, objs) })
}

func (a *analyzer) findOutcome(callee *ssa.Function, objs []flow.Path) outcome {
	results := callee.Signature.Results()
	n := results.Len()
	o := make(outcome, n)
	err := flow.ErrorResult(callee.Signature)
	w := a.deletingWorld(callee, objs)
	succeeds, first, returns := false, true, false
	for _, b := range callee.Blocks {
		ret := flow.ReturnOf(b)
		if ret == nil || !w.live[b] || len(ret.Results) != n {
			continue
		}
		returns = true
		if err >= 0 && fate(returned(ret, err), b, 0) == failure {
			continue
		}
		succeeds = true
		for i := range n {
			if i == err || !flow.IsBool(results.At(i).Type()) {
				continue
			}
			v, known := w.eval(returned(ret, i), 0)
			sign := int8(-1)
			if v {
				sign = 1
			}
			if !known || !first && o[i] != sign {
				sign = 0
			}
			o[i] = sign
		}
		first = false
	}
	if err >= 0 && returns && !succeeds {
		o[err] = 1
	}
	return o
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
				_, ok := deleting(in, obj, 0)
				found = found || ok
			}
		case *ssa.Call:
			for _, obj := range objs {
				_, ok := deleting(in, obj, 0)
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
	if callee := flow.StaticCallee(&call.Call); callee != nil && callee.Blocks != nil {
		return a.tests(callee, into(objs, callee, call.Call.Args))
	}
	var fact Effects
	fn := flow.Callee(&call.Call)
	if fn == nil || !a.fact(fn, &fact) {
		return false
	}
	w := &world{objs: objs}
	args := flow.AllArgs(&call.Call)
	for _, t := range fact.Tests {
		if t.Param < len(args) && w.is(args[t.Param], t.Sel) {
			return true
		}
	}
	return false
}

// The fate of a return is what its error says.
const (
	unsure = iota
	success
	failure
)

var makesError = regexp.MustCompile(`^(Errorf|New|Wrap|Wrapf|WithMessage|WithMessagef|WithStack|Join|New.*Error|TerminalError)$`)

// fate is what the error v says at the end of block b.
func fate(v ssa.Value, b *ssa.BasicBlock, depth int) int {
	v = flow.Resolve(v)
	if depth > 4 {
		return unsure
	}
	switch x := v.(type) {
	case *ssa.Const:
		if x.IsNil() {
			return success
		}
	case *ssa.Call:
		if fn := flow.Callee(&x.Call); fn != nil && makesError.MatchString(fn.Name()) {
			return failure
		}
	case *ssa.Alloc:
		return failure // the address of an error value
	case *ssa.UnOp:
		if _, ok := x.X.(*ssa.Global); ok {
			return failure // a sentinel
		}
	case *ssa.Phi:
		all := -1
		for i, e := range x.Edges {
			f := fate(e, x.Block().Preds[i], depth+1)
			if all >= 0 && f != all {
				return unsure
			}
			all = f
		}
		return max(all, unsure)
	}
	for test, t := range flow.Decided(b) {
		x, isNil, ok := flow.NilTest(test.Cond)
		if !ok || t == flow.Either || flow.Resolve(x) != v {
			continue
		}
		if (t == flow.Yes) == isNil {
			return success
		}
		return failure
	}
	return unsure
}

// returned is result i of ret, as far as it is known.
func returned(ret *ssa.Return, i int) ssa.Value {
	v, _ := flow.Returned(ret, i)
	return v
}
