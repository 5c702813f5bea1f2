package filter

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/program"
)

// polled reports whether n is looked at in a function that may say by an error of its own, and not because something else has failed, that it is not done yet,
// where the reconciler of c asks to be called again after a time then: what n says is asked for again by and by.
func (d *dropped) polled(c *controller, n need) bool {
	if c.Reconcile == nil {
		return false
	}
	reads := func(fn *ssa.Function) bool { return flow.FuncName(fn) == n.By }
	return flow.Any(flow.InstrsOf[*ssa.Call](region(d.ps.pkg, c.Reconcile)...), func(call *ssa.Call) bool {
		callee, err := d.ps.pkg.Callee(&call.Call), flow.ErrorOf(call)
		return callee != nil && err != nil && comesBackFor(err) && saysNotDone(callee) && flow.Any(d.ps.pkg.Reach(program.Calls, callee), reads)
	})
}

// comesBackFor reports whether the function that gets err, the error of a call, asks to be called again after a time where that is not nil.
func comesBackFor(err ssa.Value) bool {
	fn := err.Parent()
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		test := flow.Branch(b)
		if test == nil {
			return false
		}
		x, isNil, ok := flow.NilTest(test.Cond)
		if !ok || flow.Resolve(x) != flow.Resolve(err) {
			return false
		}
		failed := flow.Side(test, flow.TruthOf(!isNil))
		return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
			return failed.Dominates(ret.Block()) && lifetime.Requeued(ret.Results[0]) == flow.True
		})
	})
}

// saysNotDone reports whether fn gives back an error that it makes, where no other error has come before.
func saysNotDone(fn *ssa.Function) bool {
	return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		made, ok := flow.Unwrap(ret.Results[len(ret.Results)-1]).(*ssa.Call)
		return ok && kubeapi.MakesError(flow.Callee(&made.Call)) && !afterError(ret.Block())
	})
}
