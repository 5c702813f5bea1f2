// Package blocking knows which operations can block, on what, and what bounds them.
//
// The table below holds what must be known of code that is not analysed: the standard library and the Kubernetes
// libraries. What a project wraps around these calls is found by inference (internal/lock summaries).
package blocking

import (
	"go/types"
	"slices"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Kind says what an operation waits for.
type Kind uint8

// The kinds of waits.
const (
	CacheSync Kind = iota + 1 // an informer's first list to arrive from an API server
	Run                       // a component that runs until its stop channel or context ends
	Poll                      // a condition that is polled
	Queue                     // an item in a work queue
	Process                   // a child process
	Acquire                   // a semaphore
	Send                      // a receiver of a channel
	Receive                   // a sender or closer of a channel
	Select                    // one of several channels
	Group                     // goroutines to finish
	Cond                      // a condition variable to be signalled
	Change                    // a variable to be changed
	Declared                  // what the user knows of
	Server                    // an answer of a server
	Drain                     // what others have under way to come to its end
)

// For completes "waits for …" in a message.
func (k Kind) For() string {
	switch k {
	case CacheSync:
		return "the API server"
	case Run:
		return "the component to stop"
	case Poll:
		return "its condition to hold"
	case Queue:
		return "an item in the queue"
	case Process:
		return "a child process to exit"
	case Acquire:
		return "the semaphore"
	case Send:
		return "a receiver"
	case Receive:
		return "a sender"
	case Select:
		return "another goroutine"
	case Group:
		return "goroutines to finish"
	case Cond:
		return "a signal"
	case Declared:
		return "an external event"
	case Server:
		return "a server to respond"
	case Drain:
		return "operations in progress to finish"
	}
	return "something"
}

// entry is one line of the table: bound is the index (without the receiver) of the context or stop channel that ends
// the wait, -1 where there is none.
type entry struct {
	kind  Kind
	bound int
}

const (
	manager    = kubeapi.ControllerRuntime + "/pkg/manager"
	crCache    = kubeapi.ControllerRuntime + "/pkg/cache"
	controller = kubeapi.ControllerRuntime + "/pkg/controller"
	cluster    = kubeapi.ControllerRuntime + "/pkg/cluster"
	leader     = "k8s.io/client-go/tools/leaderelection"
)

// table is the knowledge of calls that block. Calls that wait for one round trip to a server are not in it: they have
// the bound of their client. Polls with a timeout are bounded and left out too.
var table = map[kubeapi.Symbol]entry{
	{Pkg: kubeapi.Cache, Name: "WaitForCacheSync"}:                       {CacheSync, 0},
	{Pkg: kubeapi.Cache, Name: "WaitForNamedCacheSync"}:                  {CacheSync, 1},
	{Pkg: kubeapi.Cache, Name: "WaitForNamedCacheSyncWithContext"}:       {CacheSync, 0},
	{Pkg: kubeapi.Cache, Recv: "SharedInformer", Name: "Run"}:            {Run, 0},
	{Pkg: kubeapi.Cache, Recv: "SharedInformer", Name: "RunWithContext"}: {Run, 0},
	{Pkg: kubeapi.Cache, Recv: "Controller", Name: "Run"}:                {Run, 0},
	{Pkg: kubeapi.Cache, Recv: "Controller", Name: "RunWithContext"}:     {Run, 0},
	{Pkg: kubeapi.Cache, Recv: "Reflector", Name: "Run"}:                 {Run, 0},

	// They return at once only before the cache is started, which it is wherever a manager runs something.
	{Pkg: crCache, Recv: "Informers", Name: "GetInformer"}:        {CacheSync, 0},
	{Pkg: crCache, Recv: "Informers", Name: "GetInformerForKind"}: {CacheSync, 0},

	{Pkg: manager, Recv: "Manager", Name: "Start"}:                          {Run, 0},
	{Pkg: crCache, Recv: "Informers", Name: "Start"}:                        {Run, 0},
	{Pkg: crCache, Recv: "Cache", Name: "Start"}:                            {Run, 0},
	{Pkg: cluster, Recv: "Cluster", Name: "Start"}:                          {Run, 0},
	{Pkg: controller, Recv: "Controller", Name: "Start"}:                    {Run, 0},
	{Pkg: controller, Recv: "TypedController", Name: "Start"}:               {Run, 0},
	{Pkg: leader, Recv: "LeaderElector", Name: "Run"}:                       {Run, 0},
	{Pkg: leader, Name: "RunOrDie"}:                                         {Run, 0},
	{Pkg: kubeapi.Workqueue, Recv: "Interface", Name: "Get"}:                {Queue, -1},
	{Pkg: kubeapi.Workqueue, Recv: "TypedInterface", Name: "Get"}:           {Queue, -1},
	{Pkg: "golang.org/x/sync/semaphore", Recv: "Weighted", Name: "Acquire"}: {Acquire, 0},

	{Pkg: kubeapi.Wait, Name: "Until"}:                            {Run, 2},
	{Pkg: kubeapi.Wait, Name: "UntilWithContext"}:                 {Run, 0},
	{Pkg: kubeapi.Wait, Name: "NonSlidingUntil"}:                  {Run, 2},
	{Pkg: kubeapi.Wait, Name: "NonSlidingUntilWithContext"}:       {Run, 0},
	{Pkg: kubeapi.Wait, Name: "JitterUntil"}:                      {Run, 4},
	{Pkg: kubeapi.Wait, Name: "JitterUntilWithContext"}:           {Run, 0},
	{Pkg: kubeapi.Wait, Name: "BackoffUntil"}:                     {Run, 3},
	{Pkg: kubeapi.Wait, Name: "Forever"}:                          {Run, -1},
	{Pkg: kubeapi.Wait, Name: "PollInfinite"}:                     {Poll, -1},
	{Pkg: kubeapi.Wait, Name: "PollImmediateInfinite"}:            {Poll, -1},
	{Pkg: kubeapi.Wait, Name: "PollUntil"}:                        {Poll, 2},
	{Pkg: kubeapi.Wait, Name: "PollImmediateUntil"}:               {Poll, 2},
	{Pkg: kubeapi.Wait, Name: "PollInfiniteWithContext"}:          {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "PollImmediateInfiniteWithContext"}: {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "PollUntilWithContext"}:             {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "PollImmediateUntilWithContext"}:    {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "PollUntilContextCancel"}:           {Poll, 0},
	{Pkg: kubeapi.Wait, Name: "WaitFor"}:                          {Poll, 2},
	{Pkg: kubeapi.Wait, Recv: "Group", Name: "Wait"}:              {Group, -1},

	{Pkg: "sync", Recv: "WaitGroup", Name: "Wait"}:                   {Group, -1},
	{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Wait"}: {Group, -1},
	{Pkg: "sync", Recv: "Cond", Name: "Wait"}:                        {Cond, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Run"}:                       {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Wait"}:                      {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Output"}:                    {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "CombinedOutput"}:            {Process, -1},
}

// syncNames are methods that wait for informer caches wherever they are declared: every generated informer factory
// and every cache has one, with a stop channel or a context as its parameter.
var syncNames = map[string]bool{"WaitForCacheSync": true, "WaitForSync": true}

// A Table is what is known of the functions that block: those of the libraries, and in it the ones that the user has
// declared.
type Table kubeapi.List

// lookup is the table's entry for fn. A method that is known by the shape alone needs a stop channel or context as
// its first parameter.
func (t Table) lookup(fn *types.Func) (entry, bool) {
	if fn == nil {
		return entry{}, false
	}
	s := kubeapi.SymbolOf(fn)
	if e, ok := table[s]; ok {
		return e, true
	}
	sig := fn.Type().(*types.Signature)
	if sig.Recv() != nil && syncNames[fn.Name()] && sig.Params().Len() == 1 && IsBound(sig.Params().At(0).Type()) {
		return entry{CacheSync, 0}, true
	}
	if !slices.Contains(t, s) {
		return entry{}, false
	}
	for i := range sig.Params().Len() { // the first context or stop channel, if there is one, ends the wait
		if IsBound(sig.Params().At(i).Type()) {
			return entry{Declared, i}, true
		}
	}
	return entry{Declared, -1}, true
}

// Waits reports whether fn is a wait of the table, one that the user declares, or has the shape of one, as the methods of
// generated factories.
func (t Table) Waits(fn *types.Func) bool {
	_, ok := t.lookup(fn)
	return ok
}

// Known reports whether the table or the user has something to say of package path.
func (t Table) Known(path string) bool {
	for s := range table {
		if s.Pkg == path {
			return true
		}
	}
	return t.Declares(path)
}

// Declares reports whether the user has declared a function of package path.
func (t Table) Declares(path string) bool {
	return slices.ContainsFunc(t, func(s kubeapi.Symbol) bool { return s.Pkg == path })
}
