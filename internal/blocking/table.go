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
	Declared                  // a function that the user's configuration declares
	Server                    // an answer of a server
	Drain                     // the end of work of other goroutines
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
// the wait, -1 if there is none.
type entry struct {
	kind  Kind
	bound int
}

// table has the calls of the standard library, and of those beside it, that block without a time limit; kubeapi has
// those of the Kubernetes libraries.
var table = map[kubeapi.Symbol]entry{
	{Pkg: "golang.org/x/sync/semaphore", Recv: "Weighted", Name: "Acquire"}: {Acquire, 0},
	{Pkg: "sync", Recv: "WaitGroup", Name: "Wait"}:                          {Group, -1},
	{Pkg: "golang.org/x/sync/errgroup", Recv: "Group", Name: "Wait"}:        {Group, -1},
	{Pkg: "sync", Recv: "Cond", Name: "Wait"}:                               {Cond, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Run"}:                              {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Wait"}:                             {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "Output"}:                           {Process, -1},
	{Pkg: "os/exec", Recv: "Cmd", Name: "CombinedOutput"}:                   {Process, -1},
}

// kinds are the kinds of the waits that kubeapi knows.
var kinds = [...]Kind{kubeapi.ForSync: CacheSync, kubeapi.ForEnd: Run, kubeapi.ForCondition: Poll, kubeapi.ForItem: Queue, kubeapi.ForGroup: Group}

// A Table lists the functions that block: those of the libraries, and those that the user has declared.
type Table kubeapi.List

// lookup returns the entry of fn; false if there is none.
func (t Table) lookup(fn *types.Func) (entry, bool) {
	if fn == nil {
		return entry{}, false
	}
	s := kubeapi.SymbolOf(fn)
	if e, ok := table[s]; ok {
		return e, true
	}
	if w, ok := kubeapi.WaitOf(fn); ok && !w.Unlocked {
		return entry{kinds[w.For], w.Bound}, true
	}
	sig := fn.Signature()
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

// Waits reports whether fn is a wait of the table, one that the user declares, or has the shape of one, as the
// methods of generated factories.
func (t Table) Waits(fn *types.Func) bool {
	_, ok := t.lookup(fn)
	return ok
}

// Known reports whether the table or the user lists functions of package path.
func (t Table) Known(path string) bool {
	for s := range table {
		if s.Pkg == path {
			return true
		}
	}
	return kubeapi.HasWaits(path) || t.Declares(path)
}

// Declares reports whether the user has declared a function of package path.
func (t Table) Declares(path string) bool {
	return slices.ContainsFunc(t, func(s kubeapi.Symbol) bool { return s.Pkg == path })
}
