package tombstone

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// unworked reports whether nobody takes anything out of q, a queue that the package makes for a field that nobody else has: all that is done with it are calls of its methods, none of
// which gives what is in it.
func (t *tombstones) unworked(q queue) bool {
	if q.owner == nil || q.owner.Obj().Pkg() != t.pass.Pkg || q.field == "" || q.field[0] != '.' {
		return false
	}
	field := q.field[1:]
	if token.IsExported(field) {
		return false
	}
	made := false
	for _, fn := range t.pkg.All() {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				if f := flow.Field(in.X.Type(), in.Field); f == nil || f.Name() != field || kube.Named(in.X.Type()) != q.owner {
					continue
				}
				if !onlyFilled(in) {
					return false
				}
				made = made || setToNew(in)
			case *ssa.Field:
				if f := flow.Field(in.X.Type(), in.Field); f != nil && f.Name() == field && kube.Named(in.X.Type()) == q.owner {
					return false
				}
			}
		}
	}
	return made
}

// setToNew reports whether the field at addr is set to a queue that is made there.
func setToNew(addr *ssa.FieldAddr) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != addr {
			return false
		}
		call, ok := flow.Unwrap(st.Val).(*ssa.Call)
		return ok && flow.StaticCallee(&call.Call) != nil && kube.SymbolOf(flow.Callee(&call.Call)).Pkg == kube.Workqueue
	})
}

// onlyFilled reports whether all that is done with the queue at addr is to set it, and to call its methods that do not give what is in it.
func onlyFilled(addr *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return r.Addr != addr
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return slices.ContainsFunc(*r.Referrers(), func(u ssa.Instruction) bool {
				if _, named := u.(*ssa.DebugRef); named {
					return false
				}
				call, ok := u.(ssa.CallInstruction)
				return !ok || !call.Common().IsInvoke() || call.Common().Value != ssa.Value(r) || call.Common().Method.Name() == "Get" || slices.Contains(call.Common().Args, ssa.Value(r))
			})
		}
		return true
	})
}
