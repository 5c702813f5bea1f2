package finalizerorder

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// holds is a test of whether an object has a finalizer.
type holds struct {
	obj       flow.Path
	finalizer string // as nameOfFinalizer gives it
	constant  bool   // whether that is its text
	when      bool   // the value of the condition that says yes
}

// An answer is what a test of whether an object has a finalizer has found.
type answer struct {
	holds
	has bool
}

// answersAt are the tests that decide whether control comes to b of whether obj has a finalizer, with what they have found.
func answersAt(b *ssa.BasicBlock, obj object) iter.Seq2[*ssa.If, answer] {
	return func(yield func(*ssa.If, answer) bool) {
		for test, t := range flow.Decided(b) {
			h, ok := containment(test.Cond)
			if ok && t != flow.Either && (h.obj == obj.path || h.obj == obj.key) && !yield(test, answer{h, (t == flow.Yes) == h.when}) {
				return
			}
		}
	}
}

// containment reads cond as such a test: controllerutil.ContainsFinalizer(obj, f), slices.Contains(obj.Finalizers, f),
// and helpers of that shape and name.
func containment(cond ssa.Value) (holds, bool) { return containmentAt(cond, nil) }

// containmentAt is containment in a function that others, of which within is the list, hand the question on to.
func containmentAt(cond ssa.Value, within []*ssa.Function) (holds, bool) {
	cond, when := flow.Positive(flow.Resolve(cond))
	call, ok := flow.Resolve(cond).(*ssa.Call)
	if !ok {
		return holds{}, false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || !asksContained(fn.Name()) {
		return holds{}, false
	}
	if h, ok := containmentIn(call, when, within); ok {
		return h, true
	}
	h := holds{when: when}
	for _, arg := range flow.AllArgs(&call.Call) {
		switch {
		case flow.IsString(arg.Type()):
			h.finalizer, h.constant = finalizerName(arg), text(arg) != ""
		case isStrings(arg.Type()):
			if names := flow.Elements(arg); len(names) == 1 && fn.Signature().Variadic() { // has(obj, name)
				h.finalizer, h.constant = finalizerName(names[0]), text(names[0]) != ""
			} else {
				h.obj = listOwner(arg)
			}
		case kube.IsObject(arg.Type()):
			h.obj = objectOf(arg).path
		}
	}
	return h, h.obj.Known() && h.finalizer != ""
}

// containmentIn is the test that the function which call runs makes of what it is given, in the terms of its caller: its one
// return gives that test, of a finalizer that is a constant.
func containmentIn(call *ssa.Call, when bool, within []*ssa.Function) (holds, bool) {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || len(callee.Blocks) != 1 || slices.Contains(within, callee) || !flow.IsBool(call.Type()) {
		return holds{}, false
	}
	ret := flow.ReturnOf(callee.Blocks[0])
	if ret == nil || len(ret.Results) != 1 {
		return holds{}, false
	}
	h, ok := containmentAt(ret.Results[0], append(within, callee))
	if !ok || !h.constant {
		return holds{}, false
	}
	obj, ok := flow.Substitute(h.obj, callee, call.Call.Args)
	if !ok {
		return holds{}, false
	}
	h.obj = flow.Path{Root: obj.Root, Sel: trimMeta(obj.Sel)}
	h.when = h.when == when
	return h, true
}

// listOwner is the object whose finalizers v is.
func listOwner(v ssa.Value) flow.Path {
	switch v := flow.Resolve(v).(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if x := finalizersField(v.X); x != nil {
				return objectOf(x).path
			}
		}
	case *ssa.Call:
		if fn := flow.Callee(&v.Call); fn != nil && fn.Name() == "GetFinalizers" {
			if r := flow.Recv(&v.Call); r != nil {
				return objectOf(r).path
			}
		}
	}
	return flow.Path{}
}

// finalizerName is a spelling of the finalizer v that is equal for equal ones: its text, or the place that it is read
// from; "" where neither is known.
func finalizerName(v ssa.Value) string {
	if s := text(v); s != "" {
		return s
	}
	p := flow.PathOf(v)
	if !p.Known() {
		return ""
	}
	if _, ok := p.Root.(*ssa.Const); ok {
		return ""
	}
	return p.Root.Name() + p.Sel
}

// onlyFinalizer is the one finalizer that a call adds or removes: its only string argument, or the one of its variadic
// arguments.
func onlyFinalizer(args []ssa.Value) string {
	name := ""
	for _, arg := range args {
		if isStrings(arg.Type()) {
			if el := flow.Elements(arg); len(el) == 1 {
				arg = el[0]
			} else {
				continue
			}
		}
		if flow.IsString(arg.Type()) {
			if name != "" {
				return ""
			}
			name = finalizerName(arg)
		}
	}
	return name
}
