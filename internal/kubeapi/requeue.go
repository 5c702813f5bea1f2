package kubeapi

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Requeues reports whether v is a reconcile.Result with RequeueAfter or Requeue set.
func Requeues(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X.Referrers() == nil {
		return false
	}
	if _, kept := load.X.(*ssa.FieldAddr); kept {
		return true // a result that is kept for that is no empty one
	}
	for _, r := range *load.X.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		if name := flow.Field(fa.X.Type(), fa.Field).Name(); name != "RequeueAfter" && name != "Requeue" {
			continue
		}
		for _, u := range *fa.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == ssa.Value(fa) && flow.Dominates(st, load) {
				if c, ok := st.Val.(*ssa.Const); !ok || c.Value != nil && c.Value.String() != "0" && c.Value.String() != "false" {
					return true
				}
			}
		}
	}
	return false
}
