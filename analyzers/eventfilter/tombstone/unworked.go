package tombstone

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// isUnworked reports whether nobody takes anything out of q, a queue that the package makes for a field that nobody else has: all that is done with it are calls of its methods, none of
// which gives what is in it.
func (t *tombstones) isUnworked(q queue) bool {
	out, asked := t.unworked[q]
	if !asked {
		out = t.findUnworked(q)
		t.unworked[q] = out
	}
	return out
}

func (t *tombstones) findUnworked(q queue) bool {
	if q.owner == nil || q.owner.Obj().Pkg() != t.pass.Pkg || q.field == "" || q.field[0] != '.' || token.IsExported(q.field[1:]) {
		return false
	}
	is := func(of types.Type, i int) bool {
		f := flow.Field(of, i)
		return f != nil && f.Name() == q.field[1:] && kubeapi.Named(of) == q.owner
	}
	made := false
	for in := range flow.Instrs(t.pkg.All()...) {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			if !is(in.X.Type(), in.Field) {
				continue
			}
			if !onlyFilled(in) {
				return false
			}
			made = made || slices.ContainsFunc(*in.Referrers(), func(r ssa.Instruction) bool { _, set := r.(*ssa.Store); return set })
		case *ssa.Field:
			if is(in.X.Type(), in.Field) {
				return false
			}
		}
	}
	return made
}

// onlyFilled reports whether all that is done with the queue at addr is to set it to one that is made for it, and to call its methods that do not give what is in it.
func onlyFilled(addr *ssa.FieldAddr) bool {
	for st := range flow.StoresTo(addr) {
		if !madeFor(st.Val, st) {
			return false
		}
	}
	for in, v := range values.Uses(addr) {
		if call := values.MethodCall(in, v); call == nil || !call.Common().IsInvoke() || kubeapi.QueueOp(call.Common().Method.Name()) == kubeapi.QueueGet {
			return false
		}
	}
	return true
}

// madeFor reports whether v is a queue that is made for the store st alone.
func madeFor(v ssa.Value, st *ssa.Store) bool {
	made, ok := flow.Unwrap(v).(*ssa.Call)
	if !ok || flow.StaticCallee(&made.Call) == nil || kubeapi.Called(&made.Call).Pkg != kubeapi.Workqueue {
		return false
	}
	for in := range values.Uses(made) {
		if in != ssa.Instruction(st) {
			return false
		}
	}
	return true
}
