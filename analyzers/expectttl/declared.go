package expectttl

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// declaredRole returns what the user says that the method fn does to the store that it is declared by: "expect",
// "observe", "satisfied" or "delete". It is empty if the user says nothing of fn.
func declaredRole(fn *types.Func) string {
	if s := kubeapi.SymbolOf(fn); s.Recv != "" {
		if store := rule.Active.Stores.Named(s.Pkg, s.Recv); store != nil {
			return store.Does(s.Name)
		}
	}
	return ""
}

// isDeclaredStore reports whether the user says that t, or what it points to, keeps expectations.
func isDeclaredStore(t types.Type) bool {
	n := kubeapi.Named(t)
	return n != nil && n.Obj().Pkg() != nil && rule.Active.Stores.Named(kubeapi.Path(n.Obj().Pkg().Path()), n.Obj().Name()) != nil
}
