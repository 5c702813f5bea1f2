package origin

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Holding is a function value that is kept in a field: which function, and the object whose field it is, in the terms
// of the function that makes the closure. A closure that captures the very object that keeps it can so be followed when
// the field is called: what it captured is the object whose field was called.
type Holding struct {
	Func
	Holder flow.Path
}

// A stored is a function that is put into a field, or into the list or map in a field.
type stored struct {
	val, holder ssa.Value
	in          *ssa.Function
}

// keeps notes the function that st stores to a field, or those that it appends to the list in one.
func (ix *Index) keeps(st *ssa.Store) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	ix.kept(fa, st.Val, st.Parent())
	call, ok := flow.Unwrap(st.Val).(*ssa.Call)
	if !ok {
		return
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(call.Call.Args) < 2 {
		return
	}
	for _, elem := range flow.Elements(call.Call.Args[1]) {
		ix.kept(fa, elem, st.Parent())
	}
}

// kept notes that the function v is put into the field fa, or the list or map there.
func (ix *Index) kept(fa *ssa.FieldAddr, v ssa.Value, in *ssa.Function) {
	if f := flow.Field(fa.X.Type(), fa.Field); f != nil && flow.IsFunc(v) {
		ix.stores[f.Origin()] = append(ix.stores[f.Origin()], stored{v, fa.X, in})
	}
}

// Holders returns the objects into whose field f the package puts functions, one for each that is no nil and no
// function that was taken out of such a field.
func (ix *Index) Holders(f *types.Var) (out []ssa.Value) {
	for _, st := range ix.stores[f.Origin()] {
		from := flow.LoadedFrom(st.val)
		back := from != nil && flow.Field(from.X.Type(), from.Field).Origin() == f.Origin()
		if !flow.IsNil(st.val) && !back {
			out = append(out, st.holder)
		}
	}
	return out
}

// Holdings returns the functions that the package stores to the field of the call x.f(), or puts into the list or map
// x.f, directly or through setters that store a parameter.
func (ix *Index) Holdings(f *types.Var) []Holding {
	var out []Holding
	for _, st := range ix.stores[f.Origin()] {
		ix.held(st.val, flow.PathOf(st.holder), st.in, map[ssa.Value]bool{}, &out)
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
