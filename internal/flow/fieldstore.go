package flow

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// FieldStores returns the stores of functions to fields, with the address of each field.
func FieldStores(fns ...*ssa.Function) iter.Seq2[*ssa.Store, *ssa.FieldAddr] {
	return func(yield func(*ssa.Store, *ssa.FieldAddr) bool) {
		for st := range InstrsOf[*ssa.Store](fns...) {
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok && !yield(st, fa) {
				return
			}
		}
	}
}
