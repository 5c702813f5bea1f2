package blocking

import (
	"go/types"

	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// declared is the entry of fn where the user says that it can block without bound. Its first context or stop channel, if
// it has one, ends the wait.
func declared(fn *types.Func) (entry, bool) {
	if !rule.Active.Blocks.Has(kube.SymbolOf(fn)) {
		return entry{}, false
	}
	params := fn.Signature().Params()
	for i := range params.Len() {
		if IsBound(params.At(i).Type()) {
			return entry{Declared, i}, true
		}
	}
	return entry{Declared, -1}, true
}

// Declares reports whether the user has declared a function of package path.
func Declares(path string) bool {
	for _, s := range rule.Active.Blocks {
		if s.Pkg == path {
			return true
		}
	}
	return false
}
