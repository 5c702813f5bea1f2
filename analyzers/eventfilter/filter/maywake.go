package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// mayWake reports whether in may make the reconciler look again: it writes an object of another kind, which may be watched, tells somebody
// something, or hands a client to who is not in sight.
func (d *dropped) mayWake(in ssa.Instruction, s *sources) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Go, *ssa.Select:
		return true
	case *ssa.MapUpdate:
		return ofReceiver(in.Map)
	case *ssa.Store:
		return ofReceiver(in.Addr)
	case ssa.CallInstruction:
		return d.callMayWake(in, s)
	}
	return false
}

// someMayWake reports whether one of instrs may make the reconciler look again.
func (d *dropped) someMayWake(instrs []ssa.Instruction, s *sources) bool {
	return slices.ContainsFunc(instrs, func(in ssa.Instruction) bool { return d.mayWake(in, s) })
}

// funcMayWake reports whether something in fn, of the package, may.
func (d *dropped) funcMayWake(fn *ssa.Function, s *sources) bool {
	return s.wakes.Ask(fn, false, func() bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return d.someMayWake(b.Instrs, s) })
	})
}

// ofReceiver reports whether v lies in what the method is of: there it may be remembered.
func ofReceiver(v ssa.Value) bool {
	p, ok := flow.PathOf(v).Root.(*ssa.Parameter)
	return ok && flow.IsReceiver(p) && !kube.IsObject(p.Type())
}

func (d *dropped) callMayWake(call ssa.CallInstruction, s *sources) bool {
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return false
	}
	if own := d.ps.pkg.Callee(common); own != nil {
		return d.funcMayWake(own, s)
	}
	callee, called := flow.Callee(common), kube.Called(common)
	if kube.Logs(callee) || kube.ResultIsLogger(common.Signature()) {
		return false
	}
	if slices.ContainsFunc(flow.Args(common), func(a ssa.Value) bool { return d.handedMayWake(a, s) }) {
		return true
	}
	if r, ok := kube.RequestOf(common); ok {
		return r.Verb.Writes() && (r.Object == nil || !s.isOwn(flow.Unwrap(flow.Resolve(r.Object)).Type()))
	}
	if kube.IsLibrary(called.Pkg) && called.Pkg != kube.Workqueue && createdBy(call) == nil {
		return false
	}
	if callee == nil {
		return true
	}
	if callee.Pkg() == nil || kube.IsStandard(callee.Pkg().Path()) {
		return false
	}
	recv := callee.Signature().Recv()
	if recv != nil && !kube.IsObject(recv.Type()) && !kube.IsObject(pointerTo(recv.Type())) {
		return true
	}
	return slices.ContainsFunc(flow.AllArgs(common), func(a ssa.Value) bool { return reaches(a.Type()) })
}

// handedMayWake reports whether the argument v of a call of another package is a function that may wake the reconciler when it is run, or one that is not known.
func (d *dropped) handedMayWake(v ssa.Value, s *sources) bool {
	if _, is := v.Type().Underlying().(*types.Signature); !is || flow.IsNil(v) {
		return false
	}
	fn := flow.FuncValue(v)
	if own := d.ps.pkg.Own(fn); own != nil {
		return d.funcMayWake(own, s)
	}
	return fn == nil || fn.Signature.Recv() != nil || len(fn.FreeVars) > 0 // a method: of whatever it is
}

// reaches reports whether who has a value of type t can ask a server for something, or tell somebody.
func reaches(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	return kube.HasMethod(t, "Update") || kube.HasMethod(t, "Patch") || kube.HasMethod(t, "Create")
}
