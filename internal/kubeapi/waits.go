package kubeapi

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A WaitFor says what a call of a library waits for.
type WaitFor uint8

// What calls wait for.
const (
	ForSync      WaitFor = iota // an informer's first list to arrive
	ForEnd                      // the end of what it runs
	ForCondition                // a condition that is polled
	ForItem                     // an item in a work queue
	ForGroup                    // the goroutines of a group
)

// A LibraryWait is a call that waits.
type LibraryWait struct {
	For   WaitFor
	Bound int // the index of the context or stop channel that ends it, without the receiver; -1 if there is none
	// Unlocked: it is rarely called with a lock held.
	Unlocked bool
}

const watchTools = "k8s.io/client-go/tools/watch"

// libraryWaits are the calls of the Kubernetes libraries that wait without a time limit. A round trip to a server is
// none: it has the bound of its client. GetInformer returns at once only before the cache is started.
var libraryWaits = waitTable([]waitRow{
	{Cache, "WaitForCacheSync WaitForNamedCacheSyncWithContext", LibraryWait{For: ForSync}},
	{Cache, "WaitForNamedCacheSync", LibraryWait{For: ForSync, Bound: 1}},
	{Cache, "WaitFor", LibraryWait{For: ForSync, Unlocked: true}},
	{kubeController, "WaitForCacheSync", LibraryWait{For: ForSync, Bound: 1, Unlocked: true}},
	{CRCache, "Informers.GetInformer Informers.GetInformerForKind", LibraryWait{For: ForSync}},

	{Cache, "SharedInformer.Run SharedInformer.RunWithContext Controller.Run Controller.RunWithContext Reflector.Run", LibraryWait{For: ForEnd}},
	{Manager, "Manager.Start", LibraryWait{For: ForEnd}},
	{CRCache, "Informers.Start Cache.Start", LibraryWait{For: ForEnd}},
	{clusterPackage, "Cluster.Start", LibraryWait{For: ForEnd}},
	{controllerPackage, "Controller.Start TypedController.Start", LibraryWait{For: ForEnd}},
	{leaderElection, "LeaderElector.Run RunOrDie", LibraryWait{For: ForEnd}},
	{Wait, "UntilWithContext NonSlidingUntilWithContext JitterUntilWithContext", LibraryWait{For: ForEnd}},
	{Wait, "Until NonSlidingUntil", LibraryWait{For: ForEnd, Bound: 2}},
	{Wait, "BackoffUntil", LibraryWait{For: ForEnd, Bound: 3}},
	{Wait, "JitterUntil", LibraryWait{For: ForEnd, Bound: 4}},
	{Wait, "Forever", LibraryWait{For: ForEnd, Bound: -1}},

	{Wait, "PollInfinite PollImmediateInfinite", LibraryWait{For: ForCondition, Bound: -1}},
	{Wait, "PollUntil PollImmediateUntil WaitFor", LibraryWait{For: ForCondition, Bound: 2}},
	{Wait, "PollInfiniteWithContext PollImmediateInfiniteWithContext PollUntilWithContext PollImmediateUntilWithContext PollUntilContextCancel",
		LibraryWait{For: ForCondition}},
	{Wait, "WaitForWithContext DelayFunc.Until", LibraryWait{For: ForCondition, Unlocked: true}},
	{watchTools, "UntilWithSync UntilWithoutRetry Until ListWatchUntil", LibraryWait{For: ForCondition, Unlocked: true}},

	{Workqueue, "Interface.Get TypedInterface.Get", LibraryWait{For: ForItem, Bound: -1}},
	{Wait, "Group.Wait", LibraryWait{For: ForGroup, Bound: -1}},
})

type waitRow struct {
	pkg, names string
	wait       LibraryWait
}

func waitTable(rows []waitRow) map[Symbol]LibraryWait {
	table := map[Symbol]LibraryWait{}
	for _, row := range rows {
		for s := range symbols(row.pkg, row.names) {
			table[s] = row.wait
		}
	}
	return table
}

// WaitOf returns the wait of a call of fn. A method that waits for caches is one wherever it is declared: each
// generated factory and each cache has one, with a stop channel or a context as its parameter.
func WaitOf(fn *types.Func) (LibraryWait, bool) {
	if w, ok := libraryWaits[SymbolOf(fn)]; ok || fn == nil {
		return w, ok
	}
	sig := fn.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 1 {
		return LibraryWait{}, false
	}
	ctx := IsContext(sig.Params().At(0).Type())
	switch fn.Name() {
	case WaitForCacheSync, WaitForSync:
		return LibraryWait{For: ForSync}, ctx || isReceiver(sig.Params().At(0).Type())
	case factorySync: // since client-go 0.36
		return LibraryWait{For: ForSync, Unlocked: true}, ctx
	}
	return LibraryWait{}, false
}

// HasWaits reports whether calls of the package at path are known to wait.
func HasWaits(path string) bool {
	for s := range libraryWaits {
		if s.Pkg == path {
			return true
		}
	}
	return false
}

// TakesStop reports whether argument i of a call of fn, the receiver not counted, is a stop channel that ends what fn
// waits for, and from which fn takes one value at most.
func TakesStop(fn *types.Func, i int) bool {
	w, ok := libraryWaits[SymbolOf(fn)]
	return ok && w.Bound == i && isReceiver(fn.Signature().Params().At(i).Type())
}

func isReceiver(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() != types.SendOnly
}

const (
	factorySync = "WaitForCacheSyncWithContext"
)

// DrainsFactory reports whether fn is the Shutdown of a generated informer factory.
func DrainsFactory(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != Shutdown || fn.Signature().Params().Len() != 0 || fn.Signature().Results().Len() != 0 {
		return false
	}
	return slices.ContainsFunc([]string{WaitForCacheSync, WaitForSync}, func(name string) bool {
		_, waits := WaitOf(Method(recv.Type(), name))
		return waits
	})
}

// RunsPeriodically reports whether fn, of package wait, runs a function again after each period, with no time limit.
func RunsPeriodically(fn *types.Func) bool {
	w, ok := libraryWaits[SymbolOf(fn)]
	return ok && w.For == ForEnd && SymbolOf(fn).Pkg == Wait
}

// GivesCache reports whether call returns the cache of a cluster or manager.
func GivesCache(call *ssa.CallCommon) bool { return calls(call, GetCache) }

// RunsCache reports whether call starts a cache, cluster or manager, or waits for its cache.
func RunsCache(call *ssa.CallCommon) bool { return calls(call, Start) || calls(call, WaitForCacheSync) }

// calls reports whether call calls a method of that name.
func calls(call *ssa.CallCommon, name string) bool {
	fn := flow.Callee(call)
	return fn != nil && fn.Signature().Recv() != nil && fn.Name() == name
}

// IsNeverStop reports whether v is wait.NeverStop.
func IsNeverStop(v ssa.Value) bool { return isGlobal(v, Wait, "NeverStop") }

// GivesSignals reports whether v is the function of controller-runtime that returns a context which ends with a signal.
func GivesSignals(v ssa.Value) bool { return isGlobal(v, ControllerRuntime, "SetupSignalHandler") }

// isGlobal reports whether v is read from the package variable pkg.name.
func isGlobal(v ssa.Value, pkg, name string) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == name && g.Pkg != nil && SamePackage(g.Pkg.Pkg.Path(), pkg)
}

const grpc = "google.golang.org/grpc"

var roundTrips = union(symbols("k8s.io/client-go/rest", "Request.Do Request.DoRaw Request.Stream Request.Watch"),
	symbols(grpc, "ClientConn.Invoke ClientConn.NewStream"))

// RoundTrip reports whether fn asks an API server or a gRPC server, and whether it may be answered by a cache that
// has to be filled first. Typed clients have one shape wherever they are generated: a context first, options of
// meta/v1 last.
func RoundTrip(fn *types.Func) (cached, ok bool) {
	s, sig := SymbolOf(fn), fn.Signature()
	switch verb := VerbOf(s.Name); {
	case s.Pkg == Client && verb != "":
		return (verb == VerbGet || verb == VerbList) && s.Recv != "SubResourceReader", sig.Recv() != nil
	case roundTrips[s], AsksPeer(sig):
		return false, true
	case s.Pkg == "k8s.io/client-go/discovery" && sig.Recv() != nil && strings.HasPrefix(s.Name, "Server"):
		return false, true
	default:
		return false, sig.Recv() != nil && verb != "" && sig.Params().Len() > 1 && IsContext(sig.Params().At(0).Type()) && TakesOptions(sig)
	}
}

// AsksPeer reports whether sig is that of a unary call of a gRPC client: an interface's method with the options that
// all generated clients take, and an answer that is a message.
func AsksPeer(sig *types.Signature) bool {
	n := sig.Params().Len()
	if sig.Recv() == nil || !types.IsInterface(sig.Recv().Type()) || !sig.Variadic() || n < 2 || !IsContext(sig.Params().At(0).Type()) {
		return false
	}
	last, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	if !ok || !IsType(last.Elem(), grpc, "CallOption") {
		return false
	}
	for r := range sig.Results().Variables() {
		if types.IsInterface(r.Type()) && !flow.IsError(r.Type()) {
			return false // a stream, which begins before the other side answers
		}
	}
	return true
}
