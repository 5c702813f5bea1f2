package origin

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Holding is a function value that is kept in a field: which function, and the object whose field it is, in the terms
// of the function that makes the closure. A closure that captures the very object that keeps it can so be followed when
// somebody calls the field: what it captured is the object whose field was called.
type Holding struct {
	Func
	Holder flow.Path
}

// Stores are the stores of the package to the field f, which holds functions.
func (ix *Index) Stores(f *types.Var) []*ssa.Store { return ix.stores[f.Origin()] }

// Holdings are the functions that the package stores to the field of the call x.f(), directly or through setters that
// store a parameter.
func (ix *Index) Holdings(f *types.Var) []Holding {
	var out []Holding
	for _, st := range ix.stores[f.Origin()] {
		fa := st.Addr.(*ssa.FieldAddr)
		ix.held(st.Val, flow.PathOf(fa.X), st.Parent(), map[ssa.Value]bool{}, &out)
	}
	return out
}

func (ix *Index) held(v ssa.Value, holder flow.Path, in *ssa.Function, seen map[ssa.Value]bool, out *[]Holding) {
	v = flow.Resolve(v)
	if seen[v] {
		return
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.MakeClosure:
		f := Func{Fn: x.Fn.(*ssa.Function), Closure: x}
		if m := method(f.Fn); m != f.Fn {
			f.Fn, f.Bound = m, true
		}
		*out = append(*out, Holding{f, holder})
	case *ssa.Function:
		*out = append(*out, Holding{Func{Fn: method(x)}, holder})
	case *ssa.Parameter:
		i := flow.ParamIndex(in, x)
		if i < 0 {
			return
		}
		for _, c := range ix.callers[in] {
			args := flow.AllArgs(c.Common())
			if i >= len(args) || flow.StaticCallee(c.Common()) != in {
				continue
			}
			up, _ := flow.Substitute(holder, in, args)
			ix.held(args[i], up, c.Parent(), seen, out)
		}
	}
}
