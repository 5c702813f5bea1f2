package finalizerorder

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// letsGo reports whether e takes off a finalizer that this controller looks after: a list that is emptied without that the package adds one has those of others
// in it.
func (a *analyzer) letsGo(e event) bool {
	return takesAway(e) && (e.kind == removes || e.kind == removesNow || a.addsTo(e))
}

// goesTo reports whether v, or anything that is made from it, is used by an instruction that is wanted. Errors and
// contexts are not followed.
func goesTo(v ssa.Value, wanted func(ssa.Instruction) bool) bool { return leadsOn(v, false, wanted) }

// leadsOn is goesTo, with contexts where these count: a forward taint analysis, in which a variable or map is tainted by what is stored in it, and a
// call taints its result and the variables that it is given.
func leadsOn(v ssa.Value, contexts bool, wanted func(ssa.Instruction) bool) bool {
	work := values.From(v)
	for tainted := range work.All() {
		if tainted != v && (flow.IsError(tainted.Type()) || !contexts && kubeapi.IsContext(tainted.Type())) {
			continue
		}
		for r := range flow.Referrers[ssa.Instruction](tainted) {
			if wanted(r) {
				return true
			}
			switch r := r.(type) {
			case *ssa.Store:
				work.Add(flow.Base(r.Addr))
			case *ssa.MapUpdate:
				work.Add(r.Map)
			case *ssa.Call:
				for _, arg := range r.Call.Args { // it may keep it
					if alloc, ok := flow.Unwrap(arg).(*ssa.Alloc); ok {
						work.Add(alloc)
					}
				}
				work.Add(r)
			case ssa.Value:
				work.Add(r)
			}
		}
	}
	return false
}

// mayRequeue reports whether ret asks for another run, or fails.
func mayRequeue(ret *ssa.Return) bool {
	if paths.Fails(ret) {
		return true
	}
	return len(ret.Results) > 0 && kubeapi.IsResult(ret.Results[0].Type()) && lifetime.Requeued(returned(ret, 0)) != flow.False
}

// leavesForGood reports whether ret says that there is nothing more to do.
func leavesForGood(ret *ssa.Return) bool {
	err := flow.ReturnedError(ret)
	return err != nil && !mayRequeue(ret) && paths.ValueAt(err, ret.Block()) == flow.True
}

// named is nameOf, or the path of the object where the source has no name for it.
func (a *analyzer) named(e event) string {
	if s := nameOf(a.pass, e); s != "" {
		return s
	}
	return e.obj.path.String()
}
