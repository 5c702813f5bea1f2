package filter

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// mayWake reports whether in may make the reconciler look again: it writes an object of another kind, which may be watched, tells somebody
// something, or hands a client to who is not in sight.
func (d *dropped) mayWake(in ssa.Instruction, s *sources, seen map[*ssa.Function]bool) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Go, *ssa.Select:
		return true
	case *ssa.MapUpdate:
		return ofReceiver(in.Map)
	case *ssa.Store:
		return ofReceiver(in.Addr)
	case ssa.CallInstruction:
		return d.callMayWake(in, s, seen)
	}
	return false
}

// ofReceiver reports whether v lies in what the method is of: there it may be remembered.
func ofReceiver(v ssa.Value) bool {
	p, ok := flow.PathOf(v).Root.(*ssa.Parameter)
	return ok && p.Parent().Signature.Recv() != nil && flow.ParamIndex(p.Parent(), p) == 0 && !kube.IsObject(p.Type())
}

func (d *dropped) callMayWake(call ssa.CallInstruction, s *sources, seen map[*ssa.Function]bool) bool {
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return false
	}
	if own := d.ps.pkg.Callee(common); own != nil {
		if seen[own] {
			return false
		}
		seen[own] = true
		for in := range flow.Instrs(own) {
			if d.mayWake(in, s, seen) {
				return true
			}
		}
		return false
	}
	callee := flow.Callee(common)
	if callee == nil {
		return true
	}
	if r, ok := kube.RequestOf(common); ok {
		return r.Verb.Writes() && (r.Object == nil || !s.isOwn(flow.Unwrap(flow.Resolve(r.Object)).Type()))
	}
	if kube.Logs(callee) || kube.GivesLogger(callee) || isStandard(callee) || kube.IsLibrary(callee.Pkg().Path()) && !kube.OfWorkqueue(callee) && createdBy(call) == nil {
		return false
	}
	recv := callee.Signature().Recv()
	if recv != nil && !kube.IsObject(recv.Type()) && !kube.IsObject(pointerTo(recv.Type())) {
		return true
	}
	return slices.ContainsFunc(flow.AllArgs(common), func(a ssa.Value) bool { return reaches(a.Type()) })
}

// isStandard reports whether fn is of the standard library.
func isStandard(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true
	}
	first, _, _ := strings.Cut(fn.Pkg().Path(), "/")
	return !strings.Contains(first, ".")
}

// reaches reports whether who has a value of type t can ask a server for something, or tell somebody.
func reaches(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return kube.HasMethod(t, "Update") || kube.HasMethod(t, "Patch") || kube.HasMethod(t, "Create")
}
