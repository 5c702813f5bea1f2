package finalizerorder

import (
	"iter"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// holds is a test of whether an object has a finalizer.
type holds struct {
	obj       flow.Path
	finalizer string // as nameOfFinalizer gives it
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
		for test, t := range flow.PathCondition(b) {
			h, ok := containment(test.Cond)
			if ok && t != flow.Unknown && (h.obj == obj.path || h.obj == obj.key) && !yield(test, answer{h, (t == flow.True) == h.when}) {
				return
			}
		}
	}
}

// containment reads cond as such a test: controllerutil.ContainsFinalizer(obj, f), slices.Contains(obj.Finalizers, f),
// and helpers of that shape and name.
func containment(cond ssa.Value) (holds, bool) {
	cond, when := flow.StripNot(flow.Resolve(cond))
	call, ok := flow.Resolve(cond).(*ssa.Call)
	if !ok {
		return holds{}, false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil || !asksContained(fn.Name()) {
		return holds{}, false
	}
	h := holds{when: when}
	for _, arg := range flow.AllArgs(&call.Call) {
		switch {
		case flow.IsString(arg.Type()):
			h.finalizer = finalizerName(arg)
		case isStrings(arg.Type()):
			if names := flow.Elements(arg); len(names) == 1 && fn.Signature().Variadic() { // has(obj, name)
				h.finalizer = finalizerName(names[0])
			} else {
				h.obj = listOwner(arg)
			}
		case kubeapi.IsObject(arg.Type()):
			h.obj = objectOf(arg).path
		}
	}
	return h, h.obj.Known() && h.finalizer != ""
}

// listOwner is the object whose finalizers v is.
func listOwner(v ssa.Value) flow.Path {
	if field, x := kubeapi.MetaRead(flow.Resolve(v)); field == kubeapi.MetaFinalizers {
		return objectOf(x).path
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
