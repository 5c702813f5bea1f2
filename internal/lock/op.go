// Package lock says what a lock is and which locks are held where.
//
// A lock has two identities. Its access path (flow.Path) answers "the same lock for certain" inside a function and,
// with actual arguments put in, across calls. Its [Class], the owner's type and the field, answers "the same kind of
// lock". Every function is summarised once, bottom-up ([Summary]); a summary crosses package borders as a fact.
package lock

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// Mode is how a lock is held.
type Mode uint8

// Read is shared, Write is exclusive.
const (
	Read  Mode = 1
	Write Mode = 2
)

// Verb is the past participle for messages.
func (m Mode) Verb() string {
	if m == Read {
		return "read-locked"
	}
	return "locked"
}

// Class is a kind of lock: "pkg/path.Type.field", "pkg/path.var"; "" where it has no name that another function could
// use, as for a local variable. Where the type that has the field lies by value in a field of another object, and that is
// known, "@pkg/path.Outer.field" follows: a type that wraps a mutex and is embedded in many others is many kinds of lock.
type Class string

// Inner is the class without the object around it.
func (c Class) Inner() Class {
	inner, _, _ := strings.Cut(string(c), "@")
	return Class(inner)
}

// Same reports whether c and o may be one kind of lock: the objects around them are one, or are not known.
func (c Class) Same(o Class) bool {
	ci, co, _ := strings.Cut(string(c), "@")
	oi, oo, _ := strings.Cut(string(o), "@")
	return ci == oi && (co == oo || co == "" || oo == "")
}

// within is c in an object that lies at addr.
func (c Class) within(addr ssa.Value) Class {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok || c == "" || strings.Contains(string(c), "@") {
		return c
	}
	if outer := classOf(fa); outer != "" && !strings.HasPrefix(string(c), string(outer)+".") {
		return c + "@" + outer
	}
	return c
}

// lockClass is the class of the lock at v.
func lockClass(v ssa.Value) Class {
	c := classOf(v)
	if fa, ok := flow.Resolve(v).(*ssa.FieldAddr); ok {
		return c.within(fa.X)
	}
	return c
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

var methods = map[string]struct {
	action action
	mode   Mode
}{
	"Lock": {acquire, Write}, "Unlock": {release, Write}, "TryLock": {tryAcquire, Write},
	"RLock": {acquire, Read}, "RUnlock": {release, Read}, "TryRLock": {tryAcquire, Read},
}

// lockPackages have types named Mutex and RWMutex: package sync, and a replacement for it that many projects use to find
// deadlocks at run time.
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
	if !lockPackages[kube.Path(fn.Pkg().Path())] {
		// A project's own interface may hold a mutex: what it unlocks is not held any more.
		if sig := fn.Signature(); call.IsInvoke() && m.action == release && sig.Params().Len() == 0 && sig.Results().Len() == 0 {
			return op{m.action, m.mode, flow.PathOf(call.Value), ""}, true
		}
		return op{}, false
	}
	switch kube.RecvName(fn) {
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
		if (kube.Symbol{Pkg: "sync", Recv: "RWMutex", Name: "RLocker"}).Is(flow.Callee(&c.Call)) {
			recv, mode = flow.Recv(&c.Call), Read
		}
	}
	return op{m.action, mode, flow.PathOf(recv), lockClass(recv)}, true
}

// classOf is the class of the lock (or channel, or wait group) at v.
func classOf(v ssa.Value) Class {
	sel := ""
	var loads []ssa.Value // a variable that is set to what it points to would come back
	for {
		v = flow.Resolve(v)
		var t types.Type
		var i int
		switch x := v.(type) {
		case *ssa.FieldAddr:
			t, i, v = x.X.Type(), x.Field, x.X
		case *ssa.Field:
			t, i, v = x.X.Type(), x.Field, x.X
		case *ssa.Global:
			if x.Pkg != nil {
				return Class(kube.Path(x.Pkg.Pkg.Path()) + "." + x.Name() + sel)
			}
			return ""
		case *ssa.UnOp:
			if slices.Contains(loads, v) {
				return ""
			}
			loads, v = append(loads, v), x.X
			continue
		default:
			return ""
		}
		f := flow.Field(t, i)
		if f == nil {
			return ""
		}
		sel = "." + f.Name() + sel
		// A field of a struct without a name, or of a condition variable, is known by the object that has it.
		if n := kube.Named(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "sync" {
			return Class(kube.Path(n.Obj().Pkg().Path()) + "." + n.Obj().Name() + sel)
		}
	}
}
