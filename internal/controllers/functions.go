// Package controllers finds what the package under analysis sets up to hear of events: the controllers of controller-runtime
// with what they watch, and the handlers of events, of controller-runtime and of client-go.
package controllers

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Functions are the functions of this package that v can hold, as far as is known: a literal, a named function, a method
// value, or what a function of this package returns.
func Functions(p *program.Program, v ssa.Value) []*ssa.Function {
	out, _ := held(p, v)
	return out
}

// held are Functions; all is false where v can hold others as well.
func held(p *program.Program, v ssa.Value) (out []*ssa.Function, all bool) {
	values := []ssa.Value{v}
	all = true
	for i := 0; i < len(values); i++ {
		v := flow.Resolve(values[i])
		if flow.IsNil(v) {
			continue
		}
		if own := p.Own(flow.FuncValue(v)); own != nil {
			if !slices.Contains(out, own) {
				out = append(out, own)
			}
			continue
		}
		var maker *ssa.Function
		if call, ok := v.(*ssa.Call); ok {
			maker = p.Callee(&call.Call)
		}
		if maker == nil {
			all = false
			continue
		}
		for ret := range flow.Returns(maker) {
			if len(ret.Results) == 1 && !slices.Contains(values, ret.Results[0]) {
				values = append(values, ret.Results[0])
			}
		}
	}
	return out, all
}

// Function is the only function that v can hold, nil where that is not known.
func Function(p *program.Program, v ssa.Value) *ssa.Function {
	if fns, all := held(p, v); all && len(fns) == 1 {
		return fns[0]
	}
	return nil
}

// Method is the method name of t, nil where it is not declared in this package.
func Method(p *program.Program, t types.Type, name string) *ssa.Function {
	n := kubeapi.Named(t)
	if n == nil || types.IsInterface(n) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, p.Pkg, name)
	m, ok := obj.(*types.Func)
	if !ok || m.Pkg() != p.Pkg {
		return nil
	}
	return p.Own(p.Prog.FuncValue(m.Origin()))
}

// Elements are the values that the slice v surely holds, where it was built up by appending in this function; not ok where
// it may hold others.
func Elements(v ssa.Value) (list []ssa.Value, ok bool) {
	return elements(v, map[*ssa.Phi]*[]ssa.Value{})
}

// elements are Elements; known are the phis that were asked for: nil where they may hold others, and while they are being
// looked at.
func elements(v ssa.Value, known map[*ssa.Phi]*[]ssa.Value) (list []ssa.Value, ok bool) {
	switch x := v.(type) {
	case *ssa.Const:
		return nil, x.Value == nil
	case *ssa.Slice:
		list = flow.Elements(x)
		return list, list != nil
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(x.Call.Args) != 2 {
			return nil, false
		}
		first, ok := elements(x.Call.Args[0], known)
		if !ok {
			return nil, false
		}
		second, ok := elements(x.Call.Args[1], known)
		return append(first[:len(first):len(first)], second...), ok
	case *ssa.Phi: // what all ways have in common
		if was, ok := known[x]; ok {
			if was == nil {
				return nil, false // a loop
			}
			return *was, true
		}
		known[x] = nil
		for i, e := range x.Edges {
			other, ok := elements(e, known)
			if !ok {
				return nil, false
			}
			if i == 0 {
				list = slices.Clone(other)
				continue
			}
			list = slices.DeleteFunc(list, func(v ssa.Value) bool { return !slices.Contains(other, v) })
		}
		known[x] = &list
		return list, true
	}
	return nil, false
}
