package tombstone

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// comesBack reports whether the reconciler of c asks to be run again after a time wherever its object is there and not being deleted, and nothing fails: it
// finds without an event what has gone meanwhile.
func (t *tombstones) comesBack(c *controllers.Controller) bool {
	fn := t.reconcileOf(c)
	if fn == nil {
		return false
	}
	view := ways.See(fn, inOrder, nil)
	back := false
	for ret := range flow.Returns(fn) {
		if len(ret.Results) != 2 {
			return false
		}
		result, _ := flow.Returned(ret, 0)
		switch {
		case !view.Live(ret.Block()) || view.Of(lastStored(ret, 1)) == flow.No:
		case !controllers.AsksAgain(result):
			return false
		default:
			back = true
		}
	}
	return back
}

// lastStored is result i of ret before what is deferred has changed it: it adds what fails there.
func lastStored(ret *ssa.Return, i int) ssa.Value {
	v, sure := flow.Returned(ret, i)
	if load, ok := v.(*ssa.UnOp); ok && !sure {
		for _, in := range slices.Backward(ret.Block().Instrs) {
			if st, ok := in.(*ssa.Store); ok && st.Addr == load.X {
				return st.Val
			}
		}
	}
	return v
}

// inOrder tells that no call has failed, and that no object is being deleted.
func inOrder(v ssa.Value) flow.Truth {
	if kube.IsDeletionTime(v) || kube.AsksAlive(v) {
		return flow.Yes // nil, and zero
	}
	call, _ := flow.ResultOf(v)
	if call == nil || !flow.IsError(v.Type()) || kube.MakesError(flow.Callee(&call.Call)) || kube.WrapsError(flow.Callee(&call.Call)) {
		return flow.Either
	}
	return flow.Yes // nil
}
