package kubeapi

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
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

// ErrorKind returns the kind of errors that call, of a library, tells from others, as a message names it: the call says
// whether its first argument is of that kind, as IsNotFound does, or gives nil for those, as IgnoreNotFound does.
func ErrorKind(call *ssa.CallCommon) (kind string, ok bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return "", false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	if params.Len() == 0 || !isErrorType(params.At(0).Type()) || results.Len() != 1 {
		return "", false
	}
	path, result := fn.Pkg().Path(), results.At(0).Type()
	switch {
	case flow.IsBool(result) && fn.Pkg().Name() == "errors" && params.Len() == 2 && begins(fn, "is", "as"):
		if load, ok := flow.Unwrap(call.Args[1]).(*ssa.UnOp); ok && load.Op == token.MUL {
			if g, ok := load.X.(*ssa.Global); ok {
				return g.Name(), true
			}
		}
		return "the expected ones", true
	case flow.IsBool(result) && IsLibrary(path):
		if begins(fn, "is") {
			return fn.Name()[len("is"):], true
		}
		return fn.Name(), true
	case isErrorType(result) && SamePackage(path, Client):
		return strings.CutPrefix(fn.Name(), "Ignore")
	}
	return "", false
}

// WrappedErrors returns the errors among the arguments of call, if that makes an error, which wraps them.
func WrappedErrors(call *ssa.CallCommon) (wrapped []ssa.Value) {
	fn, args := flow.Callee(call), flow.Args(call)
	if len(args) == 0 || !MakesError(fn) && !WrapsError(fn) {
		return nil
	}
	for _, v := range append(args[:1:1], flow.Elements(args[len(args)-1])...) {
		if v = flow.Unwrap(v); isErrorType(v.Type()) {
			wrapped = append(wrapped, v)
		}
	}
	return wrapped
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
