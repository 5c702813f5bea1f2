package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/words"
)

// MakesError reports whether fn, whose body is not in sight, gives an error that is never nil: it is known to, it makes one of a text in a package of
// errors, or it is called New…Error.
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

// WrapsError reports whether fn, whose body is not in sight, gives an error that is nil where its first argument is: it adds something to that, in a
// package of errors.
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

// ofErrors reports whether fn is a function of a package that is called errors, and gives one.
func ofErrors(fn *types.Func) bool {
	results := fn.Signature().Results()
	return fn.Pkg() != nil && fn.Pkg().Name() == "errors" && fn.Signature().Recv() == nil && results.Len() == 1 && isErrorType(results.At(0).Type())
}

func isErrorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

var (
	isNotFound      = Symbol{Pkg: apiErrors, Name: "IsNotFound"}
	isConflict      = Symbol{Pkg: apiErrors, Name: "IsConflict"}
	isAlreadyExists = Symbol{Pkg: apiErrors, Name: "IsAlreadyExists"}
	ignoreNotFound  = Symbol{Pkg: Client, Name: "IgnoreNotFound"}
)

// AsksAbsence reports whether fn asks an error if it says that there is no such object.
func AsksAbsence(fn *types.Func) bool { return isNotFound.Is(fn) }

// IgnoresAbsence reports whether fn returns its argument, an error, unless that says that there is no such object.
func IgnoresAbsence(fn *types.Func) bool { return ignoreNotFound.Is(fn) }

// AsksConflict reports whether fn asks an error if an update was refused because the object has changed.
func AsksConflict(fn *types.Func) bool { return isConflict.Is(fn) }

// AsksPresence reports whether fn asks an error if it says that there is such an object already.
func AsksPresence(fn *types.Func) bool { return isAlreadyExists.Is(fn) }
