package kubeapi

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// logMethods are the methods that loggers have in common.
var logMethods = []string{
	"Info", "Infof", "Infow", "Infoln", "Error", "Errorf", "Errorw", "Errorln", "Warn", "Warnf", "Warnw", "Warning", "Warningf", "Debug", "Debugf", "Debugw",
	"Print", "Printf", "Println", "Trace", "Tracef", "V", "WithField", "WithFields", "WithValues", "WithName", "WithError",
}

// Logs reports whether fn does nothing but log, format or record an event: by its package, or as a method of any
// logger, which takes whatever it gets, or returns a logger of the same type. Error of the type error formats, too.
func Logs(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	if fn.Pkg() == nil {
		return fn.Name() == "Error"
	}
	if slices.Contains(loggers, Path(fn.Pkg().Path())) {
		return true
	}
	sig := fn.Type().(*types.Signature)
	if sig.Recv() == nil || !slices.Contains(logMethods, fn.Name()) {
		return false
	}
	if n := sig.Results().Len(); n == 1 {
		// A text, as of a type that is an error, or the next logger.
		result := sig.Results().At(0).Type()
		return Named(result) != nil && Named(result) == Named(sig.Recv().Type()) || fn.Name() == "Error" && types.Identical(result, types.Typ[types.String])
	} else if n > 1 {
		return false
	}
	for i := range sig.Params().Len() {
		if types.IsInterface(sig.Params().At(i).Type()) || flow.IsString(sig.Params().At(i).Type()) {
			return true
		}
	}
	return sig.Variadic()
}

// Observes reports whether fn does nothing but tell an observer what happens: it logs, traces, or counts.
func Observes(fn *types.Func) bool {
	return Logs(fn) || fn != nil && fn.Pkg() != nil && slices.ContainsFunc(observers, func(root string) bool { return Under(fn.Pkg().Path(), root) })
}

// GivesLogger reports whether fn does nothing but give a logger, by the package of its one result.
func GivesLogger(fn *types.Func) bool { return fn != nil && ResultIsLogger(fn.Signature()) }

// ResultIsLogger reports whether functions of that signature give a logger, also those that lie in a variable.
func ResultIsLogger(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	return IsLogger(sig.Results().At(0).Type())
}

// IsLogger reports whether t is a type of a package that logs.
func IsLogger(t types.Type) bool {
	n := Named(t)
	return n != nil && n.Obj().Pkg() != nil && slices.Contains(loggers, Path(n.Obj().Pkg().Path()))
}

// OnlyLogs reports whether in logs, or makes what is only logged with.
func OnlyLogs(in ssa.Instruction) bool {
	if call, ok := in.(ssa.CallInstruction); ok && Logs(flow.Callee(call.Common())) {
		return true
	}
	v, ok := in.(ssa.Value)
	if !ok {
		return false
	}
	logged, besides := loggedIn(v)
	return logged && !besides
}

// BesidesLogs reports whether anything is done with v but to log it, or to log with it: a context made of it with a
// logger counts as v itself.
func BesidesLogs(v ssa.Value) bool {
	_, besides := loggedIn(v)
	return besides
}

// loggedIn reports whether v is logged, or logged with, and whether anything else is done with it.
func loggedIn(v ssa.Value) (logged, besides bool) {
	work := values.From(v)
	for in := range work.Uses() {
		call, ok := in.(*ssa.Call)
		if !ok || !Logs(flow.Callee(&call.Call)) {
			return logged, true
		}
		if logged = true; IsContext(call.Type()) {
			work.Add(call)
		}
	}
	return logged, false
}
