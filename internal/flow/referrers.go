package flow

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Referrers returns the instructions of type T that use v.
func Referrers[T ssa.Instruction](v ssa.Value) iter.Seq[T] {
	return func(yield func(T) bool) {
		refs := v.Referrers()
		if refs == nil {
			return
		}
		for _, r := range *refs {
			if in, ok := r.(T); ok && !yield(in) {
				return
			}
		}
	}
}

// StoresTo returns the stores of the function at the address addr itself.
func StoresTo(addr ssa.Value) iter.Seq[*ssa.Store] {
	return func(yield func(*ssa.Store) bool) {
		for st := range Referrers[*ssa.Store](addr) {
			if st.Addr == addr && !yield(st) {
				return
			}
		}
	}
}

// FieldsSet returns the stores of the function to fields of the struct at addr.
func FieldsSet(addr ssa.Value) iter.Seq2[*types.Var, *ssa.Store] {
	return func(yield func(*types.Var, *ssa.Store) bool) {
		for fa := range Referrers[*ssa.FieldAddr](addr) {
			for st := range StoresTo(fa) {
				if !yield(Field(fa.X.Type(), fa.Field), st) {
					return
				}
			}
		}
	}
}

// StoredIn returns what the function stores at addr, and in parts of what is there.
func StoredIn(addr ssa.Value) (out []ssa.Value) {
	for st := range StoresTo(addr) {
		if !slices.Contains(out, st.Val) {
			out = append(out, st.Val)
		}
	}
	for fa := range Referrers[*ssa.FieldAddr](addr) {
		out = append(out, StoredIn(fa)...)
	}
	for ia := range Referrers[*ssa.IndexAddr](addr) {
		if ia.X == addr {
			out = append(out, StoredIn(ia)...)
		}
	}
	return out
}
