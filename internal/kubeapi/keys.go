package kubeapi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// InTombstone reports whether v is the object in a tombstone, by its place.
func InTombstone(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Field:
		return Tombstone.Is(x.X.Type())
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && Tombstone.Is(fa.X.Type())
	}
	return false
}

// tombstoneKeys are the functions of client-go that make the key of an object, with those that take a tombstone, too.
var tombstoneKeys = map[string]string{
	"MetaNamespaceKeyFunc": "DeletionHandlingMetaNamespaceKeyFunc", "DeletionHandlingMetaNamespaceKeyFunc": "",
	"MetaObjectToName": "DeletionHandlingObjectToName", "ObjectToName": "DeletionHandlingObjectToName", "DeletionHandlingObjectToName": "",
}

// MakesKey reports whether fn makes the key of the object that is its last argument.
func MakesKey(fn *types.Func) bool {
	_, ok := TombstoneKey(fn)
	return ok || IsKeyFunc(fn) || objectKey.Is(fn)
}

// objectKey makes the key of a client's object.
var objectKey = Symbol{Pkg: Client, Name: "ObjectKeyFromObject"}

// TombstoneKey returns the function to use instead of fn, of client-go, if the object may be a tombstone; "" if fn
// takes one.
func TombstoneKey(fn *types.Func) (instead string, ok bool) {
	s := SymbolOf(fn)
	if s.Pkg != Cache || s.Recv != "" {
		return "", false
	}
	instead, ok = tombstoneKeys[s.Name]
	return instead, ok
}

// IsKeyFunc reports whether fn is a function like cache.KeyFunc: it makes a key of an object of any type.
func IsKeyFunc(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() != nil {
		return false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return params.Len() == 1 && IsAny(params.At(0).Type()) &&
		results.Len() == 2 && flow.IsString(results.At(0).Type()) && flow.IsError(results.At(1).Type())
}
