package kube

import (
	"go/types"
	"strings"
)

// makesError holds functions that give an error which is never nil.
var makesError = map[Symbol]bool{
	{"errors", "", "New"}: true, {"fmt", "", "Errorf"}: true,
	{"github.com/pkg/errors", "", "New"}: true, {"github.com/pkg/errors", "", "Errorf"}: true,
	{ControllerRuntime + "/pkg/reconcile", "", "TerminalError"}: true,
}

// MakesError reports whether fn, whose body is not in sight, gives an error that is never nil: it is known to, or it is
// called New…Error.
func MakesError(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	return makesError[SymbolOf(fn)] || strings.HasPrefix(fn.Name(), "New") && strings.HasSuffix(fn.Name(), "Error")
}

// WrapsError reports whether fn gives an error that is nil where its first argument is.
func WrapsError(fn *types.Func) bool {
	s := SymbolOf(fn)
	if s.Recv != "" || s.Pkg != "github.com/pkg/errors" && s.Pkg != "github.com/cockroachdb/errors" && s.Pkg != "github.com/juju/errors" {
		return false
	}
	switch s.Name {
	case "Wrap", "Wrapf", "WithMessage", "WithMessagef", "WithStack", "Trace", "Annotate", "Annotatef":
		return true
	}
	return false
}

// AsksKind reports whether fn, of apimachinery, asks an error whether it is an answer of an API server of some kind. The error of a context is none.
func AsksKind(fn *types.Func) bool {
	if SymbolOf(fn).Pkg != "k8s.io/apimachinery/pkg/api/errors" {
		return false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return fn.Signature().Recv() == nil && params.Len() == 1 && types.Identical(params.At(0).Type(), types.Universe.Lookup("error").Type()) &&
		results.Len() == 1 && types.Identical(results.At(0).Type(), types.Typ[types.Bool])
}

// AsksConflict reports whether fn asks an error if an update was refused because somebody else was faster.
func AsksConflict(fn *types.Func) bool {
	return Symbol{Pkg: "k8s.io/apimachinery/pkg/api/errors", Name: "IsConflict"}.Is(fn)
}
