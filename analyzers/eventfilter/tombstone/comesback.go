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
// finds without an event what has gone meanwhile. Where it has only looked at its object, and leaves it alone, it does so for each event.
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
		case onlyLooks(ret):
		case !controllers.AsksAgain(result):
			return false
		default:
			back = true
		}
	}
	return back
}

// onlyLooks reports whether all that may be done before ret is to read the object of the request, to copy it, and to log.
func onlyLooks(ret *ssa.Return) bool {
	for in := range flow.Instrs(ret.Parent()) {
		switch in := in.(type) {
		case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate:
			if flow.Reaches(in, ret, nil) {
				return false
			}
		case *ssa.Store:
			if _, mine := flow.Base(in.Addr).(*ssa.Alloc); !mine && flow.Reaches(in, ret, nil) {
				return false
			}
		case ssa.CallInstruction:
			if !looks(in) && flow.Reaches(in, ret, nil) {
				return false
			}
		}
	}
	return true
}

// looks reports whether call reads an object by the name that its function is given, copies one, logs, or makes a text or an error.
func looks(call ssa.CallInstruction) bool {
	if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
		return true
	}
	if r, ok := kube.RequestOf(call.Common()); ok {
		return r.Verb == kube.VerbGet && ofKey(r.Name, call.Parent())
	}
	fn := flow.Callee(call.Common())
	return fn != nil && (kube.Logs(fn) || kube.GivesLogger(fn) || kube.IsDeepCopy(fn) || kube.IsGetter(fn) || kube.MakesError(fn) || kube.WrapsError(fn) ||
		kube.AsksAbsence(fn) || kube.IgnoresAbsence(fn))
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
