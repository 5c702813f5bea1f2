package lifetime

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Requeued says whether the Result v asks for another run: False if it is zero, True if Requeue or RequeueAfter is
// set on all paths, if it is read from a field, or if a function of another package that gets a time sets it.
// Otherwise Unknown.
func Requeued(v ssa.Value) flow.Truth {
	call, _ := flow.ResultOf(v)
	load, loaded := v.(*ssa.UnOp)
	switch {
	case flow.IsZero(v):
		return flow.False
	case call != nil && hasTime(&call.Call), loaded && load.Op == token.MUL && hasWish(load):
		return flow.True
	}
	return flow.Unknown
}

// hasTime reports whether call, of a function of another package, is given a time that is not zero.
func hasTime(call *ssa.CallCommon) bool {
	callee := flow.StaticCallee(call)
	return (callee == nil || len(callee.Blocks) == 0) && slices.ContainsFunc(flow.Args(call), func(a ssa.Value) bool {
		return kubeapi.IsType(a.Type(), "time", "Duration") && !flow.IsZero(a)
	})
}

// hasWish reports whether a wish other than zero is stored to what load reads, before that.
func hasWish(load *ssa.UnOp) bool {
	if _, kept := load.X.(*ssa.FieldAddr); kept {
		return true
	}
	return load.X.Referrers() != nil && slices.ContainsFunc(*load.X.Referrers(), func(r ssa.Instruction) bool {
		fa, ok := r.(*ssa.FieldAddr)
		return ok && kubeapi.RequeueField(fa) && slices.ContainsFunc(*fa.Referrers(), func(u ssa.Instruction) bool {
			st, ok := u.(*ssa.Store)
			return ok && st.Addr == ssa.Value(fa) && flow.Dominates(st, load) && !flow.IsZero(st.Val)
		})
	})
}

// AlwaysRequeued reports whether the reconciler fn asks for another run whenever its object exists, is not being
// deleted, and no call fails, except at returns that spared accepts. A call whose results are returned unchanged is
// replaced by its body.
func AlwaysRequeued(pkg *program.Program, fn *ssa.Function, spared func(*ssa.Return) bool) bool {
	some, all := requeues(pkg, fn, spared, nil)
	return some && all
}

// requeues reports whether some return of fn asks for another run, and whether all do that have to. Calls of the
// functions of above, which are on a cycle, are left out.
func requeues(
	pkg *program.Program, fn *ssa.Function, spared func(*ssa.Return) bool, above []*ssa.Function,
) (some, all bool) {
	all, above = true, append(above, fn)
	view := paths.Reachable(fn, inOrder, nil)
	for ret := range flow.Returns(fn) {
		if len(ret.Results) != 2 {
			return false, false
		}
		result, _ := flow.Returned(ret, 0)
		call := passedOn(ret)
		switch {
		case !view.Reaches(ret.Block()) || view.Value(flow.Given(ret, 1)) == flow.False:
		case Requeued(result) == flow.True:
			some = true
		case call != nil && pkg.Callee(&call.Call) != nil:
			if callee := pkg.Callee(&call.Call); !slices.Contains(above, callee) {
				one, each := requeues(pkg, callee, spared, above)
				some, all = some || one, all && each
			}
		default:
			all = all && spared(ret)
		}
	}
	return some, all
}

// passedOn returns the call of which ret returns the two results as they are; nil for none.
func passedOn(ret *ssa.Return) *ssa.Call {
	call, i := flow.ResultOf(flow.Given(ret, 0))
	other, j := flow.ResultOf(flow.Given(ret, 1))
	if call == nil || call != other || i != 0 || j != 1 {
		return nil
	}
	return call
}

// inOrder assumes that no call has failed, and that no object is being deleted.
func inOrder(v ssa.Value) flow.Truth {
	if kubeapi.IsDeletionTime(v) || kubeapi.AsksAlive(v) {
		return flow.True // nil, and zero
	}
	call, _ := flow.ResultOf(v)
	if call == nil || !flow.IsError(v.Type()) {
		return flow.Unknown
	}
	if fn := flow.Callee(&call.Call); kubeapi.MakesError(fn) || kubeapi.WrapsError(fn) {
		return flow.Unknown
	}
	return flow.True // nil
}
