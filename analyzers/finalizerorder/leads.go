package finalizerorder

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// letsGo reports whether e takes off a finalizer that this controller looks after: a list that is emptied without that the package adds one has those of others
// in it.
func (a *analyzer) letsGo(e event) bool {
	return takesAway(e) && (e.kind == removes || e.kind == removesNow || a.addsTo(e))
}

// goesTo reports whether v, or anything that is made from it, is used by an instruction that is wanted. Errors and
// contexts are not followed.
func goesTo(v ssa.Value, wanted func(ssa.Instruction) bool) bool { return leadsOn(v, false, wanted) }

// leadsOn is goesTo, with contexts where these count.
func leadsOn(v ssa.Value, contexts bool, wanted func(ssa.Instruction) bool) bool {
	tainted := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	add := func(v ssa.Value) {
		if v != nil && !tainted[v] && !flow.IsError(v.Type()) && (contexts || !kubeapi.IsContext(v.Type())) {
			tainted[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, r := range *refs {
			if wanted(r) {
				return true
			}
			switch r := r.(type) {
			case *ssa.Store:
				add(flow.Base(r.Addr))
			case *ssa.MapUpdate:
				add(r.Map)
			case *ssa.Call:
				for _, arg := range r.Call.Args { // it may keep it
					if alloc, ok := flow.Unwrap(arg).(*ssa.Alloc); ok {
						add(alloc)
					}
				}
				add(r)
			case ssa.Value:
				add(r)
			}
		}
	}
	return false
}

// comesBack reports whether ret asks for another run, or fails.
func comesBack(ret *ssa.Return) bool {
	if fails(ret) {
		return true
	}
	for i, r := range ret.Results {
		if kubeapi.IsType(r.Type(), kubeapi.ControllerRuntime+"/pkg/reconcile", "Result") {
			_, zero := returned(ret, i).(*ssa.Const)
			return !zero
		}
	}
	return false
}

// leavesForGood reports whether ret says that there is nothing more to do.
func leavesForGood(ret *ssa.Return) bool {
	i := flow.ErrorResult(ret.Parent().Signature)
	if i < 0 || i >= len(ret.Results) || comesBack(ret) {
		return false
	}
	return paths.ValueAt(returned(ret, i), ret.Block()) == flow.True
}

// named is nameOf, or the path of the object where the source has no name for it.
func (a *analyzer) named(e event) string {
	if s := nameOf(a.pass, e); s != "" {
		return s
	}
	return e.obj.path.String()
}
