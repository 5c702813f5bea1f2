package kubeapi

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

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

// BesidesLogs reports whether anything is done with v but to log it, or to log with it: what a logging call makes of it, such as a
// context that has a logger, counts as v itself.
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
