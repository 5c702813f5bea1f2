package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/words"
)

// before reports whether a parameter of that name is the object as it was.
func before(name string) bool {
	return words.Has(name, "old", "prev", "previous", "orig", "original", "before", "last")
}

// IsUpdateFilter reports whether a function of type sig sees an object before and after a change, and can say whether
// it matters: it gets an update event, or an old and a new object.
func IsUpdateFilter(sig *types.Signature) bool {
	params := sig.Params()
	for i := range params.Len() {
		if hasOldAndNew(params.At(i).Type()) {
			return true
		}
	}
	says := sig.Results().Len() == 0
	for i := range sig.Results().Len() {
		says = says || flow.IsBool(sig.Results().At(i).Type())
	}
	for i := 1; i < params.Len() && says; i++ {
		a, b := params.At(i-1), params.At(i)
		if !types.Identical(a.Type(), b.Type()) || !before(a.Name()) && !before(b.Name()) {
			continue
		}
		if IsAny(a.Type()) {
			return true
		}
		n := Named(a.Type())
		if n == nil || sig.Results().Len() == 0 {
			continue
		}
		switch n.Underlying().(type) {
		case *types.Struct, *types.Interface:
			return true
		}
	}
	return false
}

// hasOldAndNew reports whether t is an update event: a struct with ObjectOld and ObjectNew.
func hasOldAndNew(t types.Type) bool {
	n := Named(t)
	if n == nil || !strings.HasSuffix(n.Obj().Name(), "UpdateEvent") {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	has := func(name string) bool {
		return flow.Any(st.Fields(), func(f *types.Var) bool { return f.Name() == name })
	}
	return has(OldObject) && has(NewObject)
}

// AssertedTypes returns the concrete types in the type assertions of fns, but for tombstones and the objects in them.
func AssertedTypes(fns ...*ssa.Function) []types.Type {
	var all []types.Type
	for a := range flow.InstrsOf[*ssa.TypeAssert](fns...) {
		if types.IsInterface(a.AssertedType) || Tombstone.Is(a.AssertedType) || InTombstone(a.X) {
			continue
		}
		if !slices.ContainsFunc(all, func(t types.Type) bool { return types.Identical(t, a.AssertedType) }) {
			all = append(all, a.AssertedType)
		}
	}
	return all
}

// AssertsStruct returns the first assertion of a parameter of fn to a struct whose pointers are objects, if fn has no
// other assertions of parameters: no object is such a struct. Nil for other functions.
func AssertsStruct(fn *ssa.Function) (first *ssa.TypeAssert) {
	for a := range flow.InstrsOf[*ssa.TypeAssert](fn) {
		if Tombstone.Is(a.AssertedType) {
			continue
		}
		if param, ok := flow.Resolve(a.X).(*ssa.Parameter); !ok || !IsAny(param.Type()) {
			continue
		}
		if _, ok := a.AssertedType.Underlying().(*types.Struct); !ok || !a.CommaOk || !IsObject(types.NewPointer(a.AssertedType)) {
			return nil
		}
		if first == nil {
			first = a
		}
	}
	return first
}
