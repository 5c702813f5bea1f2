package lock

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// Mode is how a lock is held.
type Mode uint8

// Read is shared, Write is exclusive. Once is how the function of a sync.Once holds it: other callers wait until it
// returns, and none waits after that.
const (
	Read  Mode = 1
	Write Mode = 2
	Once  Mode = 3
)

// Verb is the past participle for messages.
func (m Mode) Verb() string {
	switch m {
	case Read:
		return "read-locked"
	case Once:
		return "run"
	}
	return "locked"
}

// action is what a method of the sync package does to its lock.
type action uint8

const (
	acquire action = iota + 1
	release
	tryAcquire
)

// op is one operation on a lock.
type op struct {
	action action
	mode   Mode
	lock   flow.Path
	class  Class
}

// ofActivation reports whether p is rooted at a local or captured variable: another activation of the function has
// another one.
func ofActivation(p flow.Path) bool {
	switch p.Root.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return true
	}
	return false
}

// onceOf is the sync.Once whose Do call is.
func onceOf(call *ssa.CallCommon) (op, bool) {
	if !(kubeapi.Symbol{Pkg: "sync", Recv: "Once", Name: "Do"}).Is(flow.Callee(call)) {
		return op{}, false
	}
	recv := flow.Recv(call)
	return op{acquire, Once, flow.PathOf(recv), lockClass(recv)}, true
}

var methods = map[string]struct {
	action action
	mode   Mode
}{
	"Lock": {acquire, Write}, "Unlock": {release, Write}, "TryLock": {tryAcquire, Write},
	"RLock": {acquire, Read}, "RUnlock": {release, Read}, "TryRLock": {tryAcquire, Read},
}

// lockPackages have types named Mutex and RWMutex: package sync, and a replacement for it that many projects use to
// find deadlocks at run time.
var lockPackages = map[string]bool{"sync": true, "github.com/sasha-s/go-deadlock": true}

// opOf is the lock operation that call is: a method of sync.Mutex, sync.RWMutex or sync.Locker, or the unlock
// of any other interface.
func opOf(call *ssa.CallCommon) (op, bool) {
	fn := flow.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return op{}, false
	}
	m, ok := methods[fn.Name()]
	if !ok {
		return op{}, false
	}
	if !lockPackages[kubeapi.Path(fn.Pkg().Path())] {
		// A project's own interface may hold a mutex: what it unlocks is not held any more.
		if sig := fn.Signature(); call.IsInvoke() && m.action == release && sig.Params().Len() == 0 &&
			sig.Results().Len() == 0 {
			return op{m.action, m.mode, flow.PathOf(call.Value), ""}, true
		}
		return op{}, false
	}
	switch kubeapi.RecvName(fn) {
	case "Mutex", "RWMutex", "Locker":
	default:
		return op{}, false
	}
	recv, mode := flow.Recv(call), m.mode
	if recv == nil {
		return op{}, false
	}
	// mu.RLocker().Lock() takes mu for reading.
	if c, ok := flow.Resolve(recv).(*ssa.Call); ok {
		if (kubeapi.Symbol{Pkg: "sync", Recv: "RWMutex", Name: "RLocker"}).Is(flow.Callee(&c.Call)) {
			recv, mode = flow.Recv(&c.Call), Read
		}
	}
	return op{m.action, mode, flow.PathOf(recv), lockClass(recv)}, true
}
