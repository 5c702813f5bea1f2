package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Given returns, for a wait of the table, its kind, and the index of the context or stop channel among the arguments
// without the receiver, -1 if it takes none. It is false for functions that do not wait, or do so only while their
// cache is running.
func (t Table) Given(fn *types.Func) (Kind, int, bool) {
	if kubeapi.GetsInformer(fn) {
		return 0, 0, false
	}
	if e, ok := t.lookup(fn); ok {
		return e.kind, e.bound, true
	}
	w, ok := kubeapi.WaitOf(fn)
	return kinds[w.For], w.Bound, ok
}

// NameOf returns the name of the function of call, as the source would spell it.
func NameOf(call *ssa.CallCommon, fn *types.Func) string {
	if fn == nil {
		return flow.PathOf(call.Value).String()
	}
	return callName(call, fn)
}
