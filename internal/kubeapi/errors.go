package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/words"
)

// MakesError reports whether fn, of another package, returns an error that is never nil: it is known to, or it is
// called so.
func MakesError(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch s := SymbolOf(fn); s {
	case Symbol{"fmt", "", "Errorf"}, Symbol{Reconcile, "", "TerminalError"}:
		return true
	default:
		return ofErrors(fn) && (s.Name == "New" || s.Name == "Newf" || s.Name == "Errorf") ||
			begins(fn, "new") && strings.HasSuffix(fn.Name(), "Error")
	}
}

// WrapsError reports whether fn, of another package of errors, returns nil if its first argument is nil, and an error
// that wraps it otherwise.
func WrapsError(fn *types.Func) bool {
	if fn == nil || !ofErrors(fn) {
		return false
	}
	params := fn.Signature().Params()
	if params.Len() == 0 || !isErrorType(params.At(0).Type()) {
		return false
	}
	return begins(fn, "wrap", "wrapf", "with", "trace", "annotate", "annotatef")
}

// begins reports whether the first word of the name of fn is one of list.
func begins(fn *types.Func, list ...string) bool {
	return slices.Contains(list, words.First(fn.Name()))
}

// ofErrors reports whether fn is a function of a package that is called errors, and returns one.
func ofErrors(fn *types.Func) bool {
	results := fn.Signature().Results()
	return fn.Pkg() != nil && fn.Pkg().Name() == "errors" && fn.Signature().Recv() == nil && results.Len() == 1 && isErrorType(results.At(0).Type())
}

func isErrorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
