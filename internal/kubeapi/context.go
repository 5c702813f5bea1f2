package kubeapi

import "golang.org/x/tools/go/ssa"

// EndAsked is the context that v asks whether it has ended, by its method Err; nil for other values.
func EndAsked(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok || !call.Call.IsInvoke() || call.Call.Method.Name() != "Err" || !IsContext(call.Call.Value.Type()) {
		return nil
	}
	return call.Call.Value
}
