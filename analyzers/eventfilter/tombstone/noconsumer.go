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

// hasNoConsumer reports whether the package never takes keys from q, a queue that it makes for an unexported field: it
// only calls methods that do not return keys.
func (t *tombstones) hasNoConsumer(q queue) bool {
	return t.noConsumer.Ask(q, false, func() bool { return t.findNoConsumer(q) })
}

// findNoConsumer computes isUnworked.
func (t *tombstones) findNoConsumer(q queue) bool {
	if q.owner == nil || q.owner.Obj().Pkg() != t.pass.Pkg || q.field == "" || q.field[0] != '.' ||
		token.IsExported(q.field[1:]) {
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
			made = made ||
				slices.ContainsFunc(*in.Referrers(), func(r ssa.Instruction) bool { _, set := r.(*ssa.Store); return set })
		case *ssa.Field:
			if is(in.X.Type(), in.Field) {
				return false
			}
		}
	}
	return made
}

// onlyFilled reports whether the queue at addr is only set to a new one, and only methods that return no keys are
// called on it.
func onlyFilled(addr *ssa.FieldAddr) bool {
	for st := range flow.StoresTo(addr) {
		if !madeFor(st.Val, st) {
			return false
		}
	}
	for in, v := range values.Uses(addr) {
		if call := values.MethodCall(in, v); call == nil || !call.Common().IsInvoke() ||
			kubeapi.QueueOp(call.Common().Method.Name()) == kubeapi.QueueGet {
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
