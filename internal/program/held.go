package program

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// FunctionsIn returns the functions of this package that v may hold: a literal, a named function, a method value, or
// what a function of this package returns. All is false if v may hold others as well.
func (p *Program) FunctionsIn(v ssa.Value) (out []*ssa.Function, all bool) {
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

// MethodOf returns the method of t with that name; nil if this package does not declare it.
func (p *Program) MethodOf(t types.Type, name string) *ssa.Function {
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
