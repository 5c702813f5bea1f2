package kubeapi

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// OnlyLogs reports whether in logs, or makes what is only logged with.
func OnlyLogs(in ssa.Instruction) bool {
	if call, ok := in.(ssa.CallInstruction); ok && Logs(flow.Callee(call.Common())) {
		return true
	}
	v, ok := in.(ssa.Value)
	return ok && v.Referrers() != nil && len(*v.Referrers()) > 0 && !BesidesLogs(v)
}

// BesidesLogs reports whether anything is done with v but to log it, or to log with it: what a logging call makes of it, such as a
// context that has a logger, counts as v itself.
func BesidesLogs(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var used func(v ssa.Value) bool
	used = func(v ssa.Value) bool {
		if seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.ChangeInterface:
				return used(r)
			case *ssa.MakeInterface:
				return used(r)
			case *ssa.Slice:
				return used(r)
			case *ssa.IndexAddr: // see Store
				return false
			case *ssa.UnOp:
				return r.Op != token.MUL || used(r) // else it is received from
			case *ssa.Store: // to a variable, or as one of several arguments
				if all, ok := r.Addr.(*ssa.Alloc); ok {
					return used(all)
				}
				elem, ok := r.Addr.(*ssa.IndexAddr)
				return !ok || used(elem.X)
			case *ssa.MakeClosure:
				i := slices.Index(r.Bindings, v)
				return i < 0 || used(r.Fn.(*ssa.Function).FreeVars[i])
			case *ssa.Call:
				if !Logs(flow.Callee(&r.Call)) {
					return true
				}
				return IsContext(r.Type()) && used(r)
			}
			return true
		})
	}
	return used(v)
}
