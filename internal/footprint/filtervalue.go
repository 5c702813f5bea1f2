package footprint

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// isObject reports whether v is the object of the event, the old or the new one.
func (f *filtering) isObject(fr *frame, v ssa.Value) bool {
	w := values.From(v)
	for v := range w.Resolved() {
		if event := kubeapi.ObjectOfEvent(v); event != nil {
			v = event
		}
		if p, ok := v.(*ssa.Parameter); ok && p.Parent() == fr.fn {
			if fr.up != nil {
				return f.isObject(fr.up, fr.args[flow.ParamIndex(fr.fn, p)])
			}
			return !flow.IsReceiver(p) && (isEvent(p.Object().(*types.Var)) || kubeapi.IsObject(p.Type()))
		}
		if from := values.Sources(v); len(from) == 1 {
			w.Add(from...)
		}
	}
	return false
}

// value returns the value of v as a Filter has it: a constant, or if variables count one that is set once; "" for others.
func (f *filtering) value(fr *frame, v ssa.Value, variables bool) string {
	v = flow.Resolve(v)
	if text, ok := flow.Text(v); ok && text != "" {
		return strconv.Quote(text)
	}
	if p, ok := v.(*ssa.Parameter); ok {
		i := flow.ParamIndex(p.Parent(), p)
		for up := fr; up.up != nil; up = up.up {
			if up.fn == p.Parent() {
				return f.value(up.up, up.args[i], variables)
			}
		}
		if given := f.given(p.Parent(), i); given != nil && fr.depth < maxDepth {
			return f.value(&frame{fn: given.Parent(), depth: fr.depth + 1}, given, variables)
		}
		return ""
	}
	if call, ok := v.(*ssa.Call); ok && variables && kubeapi.ReadsEnvironment(&call.Call) {
		if name, ok := flow.Text(call.Call.Args[0]); ok {
			return "$" + name
		}
	}
	if variables && f.setOnce(v) {
		return place(v)
	}
	return ""
}

// given returns the argument i of the call of fn that makes the predicate, or else of the only one of the package; nil
// if there are several, or other packages may call fn.
func (f *filtering) given(fn *ssa.Function, i int) ssa.Value {
	var calls []*ssa.Call
	w := values.From(f.made)
	for v := range w.Resolved() {
		if call, ok := v.(*ssa.Call); ok && f.p.Callee(&call.Call) == fn {
			calls = append(calls, call)
		}
		w.Add(values.Operands(v)...)
	}
	if len(calls) == 1 {
		return flow.AllArgs(&calls[0].Call)[i]
	}
	callers := f.p.Callers(fn)
	if len(calls) > 0 || len(callers) != 1 || f.p.IsValue(fn) || fn.Object() != nil && fn.Object().Exported() && f.pass.Pkg.Name() != "main" {
		return nil
	}
	return flow.AllArgs(callers[0].Common())[i]
}

// setOnce reports whether v is read from a package variable, or from a field of a struct of the module that is no part
// of an object, and the package sets it in one place at most.
func (f *filtering) setOnce(v ssa.Value) bool {
	stores := 0
	load, _ := v.(*ssa.UnOp)
	if load == nil {
		return false
	}
	if g, ok := load.X.(*ssa.Global); ok {
		for _, fn := range f.p.All() {
			if flow.Assigns(fn, g) {
				stores++
			}
		}
		return stores <= 1
	}
	from, _ := load.X.(*ssa.FieldAddr)
	if from == nil || kubeapi.InObject(from) {
		return false
	}
	field := flow.Field(from.X.Type(), from.Field)
	for _, fa := range flow.FieldStores(f.p.All()...) {
		if flow.Field(fa.X.Type(), fa.Field) == field {
			stores++
		}
	}
	return field.Pkg() != nil && rule.OfModule(f.pass, field.Pkg()) && stores <= 1
}

// selected returns what a list request selects by its options. A label has the value "" if its value is not constant: it
// exists in any case.
func (s *scan) selected(options []ssa.Value) (all []Filter) {
	f := &filtering{scan: s}
	for _, o := range options {
		for property, v := range kubeapi.Selected(o) {
			value := ""
			if v != nil {
				value = f.value(&frame{fn: v.Parent()}, v, property == kubeapi.ByNode)
			}
			all = append(all, Filter{property, value})
		}
	}
	slices.SortFunc(all, func(a, b Filter) int {
		return cmp.Or(strings.Compare(a.Property, b.Property), strings.Compare(a.Value, b.Value))
	})
	return all
}
