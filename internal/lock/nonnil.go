package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Fields that are never nil: if every allocation of the struct sets the field before the object escapes, and no store
// sets it to nil, the nil branches of tests of the field are dead.

// neverNil reports whether v is the value of such a field.
func (e *engine) neverNil(v ssa.Value) bool {
	fa := flow.LoadedFrom(v)
	if fa == nil {
		return false
	}
	f := flow.Field(fa.X.Type(), fa.Field)
	if f == nil || f.Pkg() != e.pass.Pkg {
		return false
	}
	if _, own := e.allocation(flow.PathOf(fa.X).Root); own { // it may be under construction here
		return false
	}
	return e.alwaysSet.Ask(f.Origin(), false, func() bool {
		if e.objects == nil {
			e.indexObjects()
		}
		return e.isAlwaysSet(f.Origin())
	})
}

// objects are what the package does with the structs of its types.
type objects struct {
	made   map[*types.Named][]*ssa.Alloc // where one is made
	loose  map[*types.Named]bool         // some are created otherwise: in another object, a list, a variable
	fields map[*types.Var][]*ssa.FieldAddr
}

func (e *engine) indexObjects() {
	o := &objects{
		made: map[*types.Named][]*ssa.Alloc{}, loose: map[*types.Named]bool{}, fields: map[*types.Var][]*ssa.FieldAddr{},
	}
	e.objects = o
	var within func(t types.Type) // by value
	within = func(t types.Type) {
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			if !o.loose[u.Origin()] {
				o.loose[u.Origin()] = true
				within(u.Underlying())
			}
		case *types.Array:
			within(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				within(f.Type())
			}
		}
	}
	scope := e.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.TypeName:
			switch u := obj.Type().Underlying().(type) {
			case *types.Struct:
				for f := range u.Fields() {
					within(f.Type())
				}
			}
		case *types.Var:
			within(obj.Type())
		}
	}
	for in := range flow.Instrs(e.pkg.All()...) {
		switch in := in.(type) {
		case *ssa.Alloc:
			t := types.Unalias(in.Type().(*types.Pointer).Elem())
			if n, ok := t.(*types.Named); ok {
				o.made[n.Origin()] = append(o.made[n.Origin()], in)
				if u, ok := n.Underlying().(*types.Struct); ok { // also of a type that a function declares
					for f := range u.Fields() {
						within(f.Type())
					}
				}
			} else {
				within(t)
			}
		case *ssa.Store:
			if _, local := in.Addr.(*ssa.Alloc); !local {
				within(in.Val.Type()) // a store of the whole object
			}
		case *ssa.MakeSlice:
			within(in.Type().Underlying().(*types.Slice).Elem())
		case *ssa.FieldAddr:
			if f := flow.Field(in.X.Type(), in.Field); f != nil {
				o.fields[f.Origin()] = append(o.fields[f.Origin()], in)
			}
		}
	}
}

// isAlwaysSet reports whether each allocation of a struct with the field f stores a value there before the object
// escapes, and no store is nil.
func (e *engine) isAlwaysSet(f *types.Var) bool {
	uses := e.objects.fields[f]
	if len(uses) == 0 {
		return false
	}
	in := kubeapi.Named(uses[0].X.Type())
	if in == nil || in.Obj().Pkg() != e.pass.Pkg || in.Obj().Exported() && e.pass.Pkg.Name() != "main" ||
		e.objects.loose[in.Origin()] {
		return false
	}
	var stores []*ssa.Store
	for _, fa := range uses {
		for _, r := range *fa.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
			case *ssa.Store:
				if r.Addr != ssa.Value(fa) || !notNil(r.Val, 0) {
					return false
				}
				stores = append(stores, r)
			default:
				return false
			}
		}
	}
	made := e.objects.made[in.Origin()]
	return len(made) > 0 && !slices.ContainsFunc(made, func(a *ssa.Alloc) bool { return !e.setBefore(a, stores) })
}

// setBefore reports whether one of stores sets the field of the object a before a escapes.
func (e *engine) setBefore(a *ssa.Alloc, stores []*ssa.Store) bool {
	set := func(at ssa.Instruction) bool {
		return slices.ContainsFunc(stores, func(st *ssa.Store) bool {
			fa := st.Addr.(*ssa.FieldAddr)
			return st.Parent() == at.Parent() && flow.PathOf(fa.X).Root == ssa.Value(a) && flow.Dominates(st, at)
		})
	}
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.UnOp:
			continue
		case *ssa.Store:
			if r.Addr == ssa.Value(a) {
				return false // it is a copy of another one
			}
		case ssa.CallInstruction:
			if _, ok := r.(*ssa.Go); !ok && !e.escapesIn(r, a) {
				continue
			}
		}
		if !set(r) {
			return false
		}
	}
	return true
}

// notNil reports whether the pointer, map, channel, function or interface v is not nil, since it is allocated here,
// or asserted from an interface. It assumes that interfaces do not hold nil pointers.
func notNil(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure,
		*ssa.Function, *ssa.MakeSlice:
		return true
	case *ssa.TypeAssert:
		return !x.CommaOk
	case *ssa.MakeInterface:
		return true
	case *ssa.ChangeInterface:
		return notNil(x.X, depth)
	case *ssa.ChangeType:
		return notNil(x.X, depth)
	case *ssa.Phi:
		return depth == 0 && !slices.ContainsFunc(x.Edges, func(v ssa.Value) bool { return !notNil(v, 1) })
	}
	return false
}
