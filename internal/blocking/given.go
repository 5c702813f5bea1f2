package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// asksInformer reports whether fn gives an informer of a cache, and waits for it where that is started.
func asksInformer(fn *types.Func) bool {
	s := kubeapi.SymbolOf(fn)
	return s.Pkg == crCache && (s.Name == "GetInformer" || s.Name == "GetInformerForKind")
}

// Given is what a wait of the table is given as its bound: the wait's kind, and the index of the context or stop channel
// among the arguments without the receiver, -1 where it takes none. It is false for functions that do not wait, or not before the
// cache is started that they belong to.
func (t Table) Given(fn *types.Func) (Kind, int, bool) {
	if asksInformer(fn) {
		return 0, 0, false
	}
	if e, ok := t.lookup(fn); ok {
		return e.kind, e.bound, true
	}
	if e, ok := given[kubeapi.SymbolOf(fn)]; ok {
		return e.kind, e.bound, true
	}
	if fn == nil {
		return 0, 0, false
	}
	sig := fn.Type().(*types.Signature)
	if sig.Recv() != nil && fn.Name() == factorySync && sig.Params().Len() == 1 && kubeapi.IsContext(sig.Params().At(0).Type()) {
		return CacheSync, 0, true
	}
	return 0, 0, false
}

// factorySync is the method by which the informer factories wait for their caches since client-go 0.36.
const factorySync = "WaitForCacheSyncWithContext"

// given are waits that matter to those who ask what bounds them, and that are no news under a lock: they are rarely
// called with one held.
var given = map[kubeapi.Symbol]entry{
	{Pkg: kubeapi.Cache, Name: "WaitFor"}:                               {CacheSync, 0},
	{Pkg: "k8s.io/client-go/tools/watch", Name: "UntilWithSync"}:        {Poll, 0},
	{Pkg: "k8s.io/client-go/tools/watch", Name: "UntilWithoutRetry"}:    {Poll, 0},
	{Pkg: "k8s.io/client-go/tools/watch", Name: "Until"}:                {Poll, 0},
	{Pkg: "k8s.io/client-go/tools/watch", Name: "ListWatchUntil"}:       {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "WaitForWithContext"}:                     {Poll, 0},
	{Pkg: kubeapi.Wait, Recv: "DelayFunc", Name: "Until"}:               {Poll, 0},
	{Pkg: "k8s.io/kubernetes/pkg/controller", Name: "WaitForCacheSync"}: {CacheSync, 1},
}

// NameOf is how a message names the function of call, as the source would spell it.
func NameOf(call *ssa.CallCommon, fn *types.Func) string {
	if fn == nil {
		return flow.PathOf(call.Value).String()
	}
	return callName(call, fn)
}
