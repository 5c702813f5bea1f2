package kubeapi

import "go/types"

// stops are the functions of client-go and apimachinery that return when the stop channel among their arguments, the receiver
// not counted, gives one value or is closed.
var stops = map[Symbol]int{
	{Pkg: Wait, Name: "Until"}: 2, {Pkg: Wait, Name: "NonSlidingUntil"}: 2, {Pkg: Wait, Name: "JitterUntil"}: 4,
	{Pkg: Wait, Name: "PollUntil"}: 2, {Pkg: Wait, Name: "PollImmediateUntil"}: 2,
	{Pkg: Cache, Name: "WaitForCacheSync"}: 0, {Pkg: Cache, Recv: "SharedInformer", Name: "Run"}: 0,
	{Pkg: Cache, Recv: "SharedIndexInformer", Name: "Run"}: 0, {Pkg: Cache, Recv: "Controller", Name: "Run"}: 0,
	{Pkg: Cache, Recv: "Reflector", Name: "Run"}: 0,
}

// TakesStop reports whether argument i of a call of fn, the receiver not counted, is a stop channel from which fn takes one value
// at most.
func TakesStop(fn *types.Func, i int) bool {
	if fn == nil {
		return false
	}
	at, ok := stops[SymbolOf(fn)]
	return ok && at == i
}
