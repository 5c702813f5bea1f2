package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// settles reports whether the reconciler has asked for the status of what it reconciles before it looks at the test of a, and writes that down on the side of a: it may be
// the last word, which the test finds the next time.
func settles(a *awaitedState, s *sources) bool {
	asked := false
	for test := range flow.Decided(a.from) {
		asked = asked || flow.MadeOf(test.Cond, s.liesInStatus)
	}
	if !asked {
		return false
	}
	for b := range flow.BlocksFrom(a.side) {
		if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return notes(in, s) }) {
			return true
		}
	}
	return false
}

// liesInStatus reports whether v is the address of the status of what is reconciled, or of a part of a copy of that.
func (s *sources) liesInStatus(v ssa.Value) bool {
	fa, ok := v.(*ssa.FieldAddr)
	return ok && s.isStatus(fa)
}

// isStatus reports whether fa is the status of an object that is reconciled, or a field of what has that type.
func (s *sources) isStatus(fa *ssa.FieldAddr) bool {
	if s.isOwn(fa.X.Type()) {
		f := flow.Field(fa.X.Type(), fa.Field)
		return f != nil && f.Name() == "Status"
	}
	for _, own := range s.own {
		n := kube.Named(own)
		if n == nil {
			continue
		}
		st, ok := n.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if f.Name() == "Status" && kube.Named(f.Type()) != nil && kube.Named(f.Type()) == kube.Named(fa.X.Type()) {
				return true
			}
		}
	}
	return false
}

// notes reports whether in writes to the status of what is reconciled, or hands that to somebody who may.
func notes(in ssa.Instruction, s *sources) bool {
	switch in := in.(type) {
	case *ssa.Store:
		for addr, ok := in.Addr.(*ssa.FieldAddr); ok; addr, ok = addr.X.(*ssa.FieldAddr) {
			if s.isStatus(addr) {
				return true
			}
		}
	case ssa.CallInstruction:
		return !kube.Logs(flow.Callee(in.Common())) && slices.ContainsFunc(flow.AllArgs(in.Common()), func(a ssa.Value) bool {
			return s.isOwn(flow.Unwrap(a).Type())
		})
	}
	return false
}
