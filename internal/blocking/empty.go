package blocking

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Empty reports whether the wait for caches at call is for a cache that its function has made, by itself or as a part
// of a cluster or manager, and that has no informers then: the wait is over as soon as the cache is started.
func Empty(call ssa.CallInstruction) bool {
	owner := CacheOwner(call)
	if owner == nil {
		return false
	}
	owner = flow.Resolve(owner)
	made, _ := flow.ResultOf(owner)
	return made != nil && made.Parent() == call.Parent() && kubeapi.CacheMakers.Called(&made.Call) && !asked(owner, call)
}

// CacheOwner returns the cache that call, a method of it, waits for, or the cluster or manager that contains it; nil
// for a function that is no method.
func CacheOwner(call ssa.CallInstruction) ssa.Value {
	owner := flow.Recv(call.Common())
	if owner == nil {
		return nil
	}
	if get, ok := flow.Resolve(owner).(*ssa.Call); ok && kubeapi.GivesCache(&get.Call) {
		return flow.Recv(&get.Call)
	}
	return owner
}

// asked reports whether an instruction before the wait at call may get an informer from v, which has a cache: any use
// except starting it and waiting for it.
func asked(v ssa.Value, call ssa.CallInstruction) bool {
	work := values.From(v)
	work.Skip = func(r ssa.Instruction) bool {
		return r == call || r.Parent() == call.Parent() && !flow.Reaches(r, call, nil)
	}
	for r, v := range work.Uses() {
		method := values.MethodCall(r, v)
		_, compared := r.(*ssa.BinOp)
		switch {
		case compared, method != nil && kubeapi.RunsCache(method.Common()):
		case method != nil && kubeapi.GivesCache(method.Common()) && method.Value() != nil:
			work.Add(method.Value())
		default:
			return true
		}
	}
	return false
}
