package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// cacheMakers make what has a cache in which there are no informers yet.
var cacheMakers = []kubeapi.Symbol{{Pkg: manager, Name: "New"}, {Pkg: cluster, Name: "New"}, {Pkg: crCache, Name: "New"}}

// Empty reports whether the wait for caches at call is for one that its function has made, by itself or as a part of a cluster or manager, and of which nobody
// has asked for an informer by then: it is over as soon as the cache is started.
func Empty(call ssa.CallInstruction) bool {
	owner := CacheOwner(call)
	if owner == nil {
		return false
	}
	owner = flow.Resolve(owner)
	made, _ := flow.ResultOf(owner)
	return made != nil && made.Parent() == call.Parent() && slices.Contains(cacheMakers, kubeapi.Called(&made.Call)) && !asked(owner, call)
}

// CacheOwner is the cache that call, a method of it, waits for, or the cluster or manager of which that is a part; nil for a function that is no method.
func CacheOwner(call ssa.CallInstruction) ssa.Value {
	owner := flow.Recv(call.Common())
	if owner == nil {
		return nil
	}
	if get, ok := flow.Resolve(owner).(*ssa.Call); ok && isMethod(get, "GetCache") {
		return flow.Recv(&get.Call)
	}
	return owner
}

// isMethod reports whether call calls a method of that name.
func isMethod(call ssa.CallInstruction, name string) bool {
	fn := flow.Callee(call.Common())
	return fn != nil && fn.Signature().Recv() != nil && fn.Name() == name
}

// asked reports whether something is done with v, which has a cache, before the wait at call, that may ask for an informer: all but starting it and
// waiting for it.
func asked(v ssa.Value, call ssa.CallInstruction) bool {
	return v.Referrers() == nil || slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.BinOp:
			return false
		case *ssa.Store:
			if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				return askedIn(cell, call)
			}
		case ssa.CallInstruction:
			if r == call || flow.Recv(r.Common()) == v && (isMethod(r, "Start") || isMethod(r, "WaitForCacheSync")) {
				return false
			}
			if get, ok := r.(*ssa.Call); ok && isMethod(get, "GetCache") && flow.Recv(&get.Call) == v {
				return asked(get, call)
			}
		}
		return r.Parent() != call.Parent() || flow.Reaches(r, call, nil)
	})
}

// askedIn is asked for what is kept in the variable at cell.
func askedIn(cell ssa.Value, call ssa.CallInstruction) bool {
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store:
			return false
		case *ssa.UnOp:
			return asked(r, call)
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == cell && askedIn(r.Fn.(*ssa.Function).FreeVars[i], call) {
					return true
				}
			}
			return false
		}
		return true
	})
}
