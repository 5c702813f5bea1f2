package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/words"
)

// saysLock reports whether the name of a function says that it returns with a lock.
func saysLock(name string) bool {
	first := words.Of(name)
	return words.Has(name, "lock", "rlock", "locks", "locked", "acquire", "acquired", "begin", "hold", "held",
		"trylock") ||
		len(first) > 0 && (first[0] == "try" || first[0] == "take")
}

// handOff reports whether another function is expected to release the leaked lock of fn. Evidence is a literal of fn
// that outlives it and releases the lock; another function that releases locks of the class without acquiring them,
// if a result of fn or a flag that it sets distinguishes the exits; or callers that release it, if all exits of fn
// hold it. Without callers, the name of fn is the evidence.
func (e *engine) handOff(fn *ssa.Function, l Leak) bool {
	elsewhere := false
	for _, r := range e.releasers[releaseKey(l.Hold.Path, l.Hold.Class)] {
		if r == fn {
			continue
		}
		if encloses(fn, r) || encloses(r, fn) {
			return true
		}
		elsewhere = true
	}
	obj := flow.Object(fn)
	if !l.All {
		exported := obj != nil && obj.Exported() && saysLock(fn.Name())
		return elsewhere && (l.distinguishable || exported || e.flagged(fn, l)) ||
			exported && len(e.origins.Callers(fn)) == 0
	}
	// without other uses of the lock, its purpose is unknown
	if elsewhere || l.Hold.Class == "" || obj == nil || obj.Exported() {
		return true
	}
	r, ok := refOf(fn, l.Hold.Path, "")
	if !ok {
		return saysLock(fn.Name())
	}
	f := e.fateOf(handed{fn, r})
	if n := len(e.origins.Callers(fn)); n > 0 && f.dead == n {
		return true // all calls are unreachable
	}
	return f.forgets == "" && (f.released || saysLock(fn.Name()))
}

// flagged reports whether fn stores to a variable or field that other functions test before they release locks of the
// class of l: the flag hands the lock over.
func (e *engine) flagged(fn *ssa.Function, l Leak) bool {
	key := releaseKey(l.Hold.Path, l.Hold.Class)
	for _, r := range e.releasers[key] {
		if r == fn {
			continue
		}
		var tests []Class
		for c := range flow.Calls(r) {
			if o, ok := e.opOf(c.Common()); ok && o.action == release && releaseKey(o.lock, o.class) == key {
				tests = append(tests, testsBefore(c)...)
			}
		}
		for in := range flow.Instrs(fn) {
			if st, ok := in.(*ssa.Store); ok && slices.Contains(tests, classOf(st.Addr)) {
				return true
			}
		}
	}
	return false
}

// forgetter is a function that calls that of the leak and forgets to release its lock, while others release it; ""
// where there is none.
func (e *engine) forgetter(fn *ssa.Function, l Leak) string {
	if r, ok := refOf(fn, l.Hold.Path, ""); ok && l.All {
		if f := e.fateOf(handed{fn, r}); f.released {
			return f.forgets
		}
	}
	return ""
}

// A handed is a lock that all exits of a function hold, in terms of the function, without a class.
type handed struct {
	fn  *ssa.Function
	ref Ref
}

// A handing is a call of a function that returns with a lock.
type handing struct {
	call ssa.CallInstruction
	handed
}

// A receipt is what becomes of a lock with which a callee returns.
type receipt struct {
	path flow.Path
	kept kept
}

// kept says whether a function holds at its exits a lock that a callee returned with.
type kept uint8

const (
	neverReturns kept = iota
	keptNever
	keptSometimes // and is not released on other ways
	keptAlways
)

// receive notes that call has run fn, which returned with the lock r, at p.
func (in *interp) receive(call ssa.CallInstruction, fn *ssa.Function, r Ref, p flow.Path) {
	r.Class = ""
	in.res.handed[handing{call, handed{fn, r}}] = &receipt{path: p}
}

// settle decides which locks that callees return with are held at the exits. It tracks the lock and not the call, since
// calls on different paths may return with the same lock.
func (in *interp) settle() {
	for _, r := range in.res.handed {
		with, without := 0, 0
		for _, x := range in.exit {
			if h, ok := find(x.held, r.path); ok && !h.Stale && !escapesAt(r.path, x.ret) {
				with++
			} else {
				without++
			}
		}
		switch {
		case with == 0, without > 0 && in.freed[r.path]: // the exits without a release are leaks of the caller itself
			r.kept = keptNever
		case without > 0:
			r.kept = keptSometimes
		default:
			r.kept = keptAlways
		}
	}
}

// A fate is what the callers of a function do with the lock that it returns with.
type fate struct {
	released bool   // some caller may release it
	forgets  string // a caller that leaks it; "" for none
	dead     int    // calls that are unreachable
}

// fateOf asks the callers of h.fn for the fate of the lock. A caller that returns with it at all exits hands it on to
// its own callers. A goroutine, and a literal that escapes to unknown code, have no caller that could release it.
// Unreachable calls do not count.
func (e *engine) fateOf(h handed) fate {
	return e.fates.Ask(h, fate{}, func() fate {
		var f fate
		for _, c := range e.origins.Callers(h.fn) {
			caller := c.Parent()
			forgets := false
			if _, ok := c.(*ssa.Go); ok {
				forgets = true
			} else if res := e.results[caller]; res != nil {
				r := res.handed[handing{c, h}]
				if r == nil {
					if _, seen := e.heldAt[c]; !seen {
						f.dead++
					}
					continue
				}
				switch r.kept {
				case keptNever:
					f.released = true
				case keptSometimes:
					forgets = true
				case keptAlways:
					up := e.fateUp(caller, r.path)
					f.released = f.released || up.released
					forgets = !up.released && up.forgets != ""
					if up.released && up.forgets != "" {
						f.forget(up.forgets)
					}
				}
			}
			if forgets {
				f.forget(flow.FuncName(caller))
			}
		}
		return f
	})
}

// fateUp is what becomes of the lock at path with which fn always returns.
func (e *engine) fateUp(fn *ssa.Function, path flow.Path) fate {
	if fn.Parent() != nil && len(e.origins.Callers(fn)) == 0 {
		return fate{forgets: flow.FuncName(fn)}
	}
	r, ok := refOf(fn, path, "")
	if !ok {
		return fate{}
	}
	return e.fateOf(handed{fn, r})
}

// forget notes one of the functions that forget the lock, the first by name.
func (f *fate) forget(name string) {
	if f.forgets == "" || name < f.forgets {
		f.forgets = name
	}
}

type lockKey struct {
	class Class
	path  flow.Path
}

func releaseKey(p flow.Path, c Class) lockKey {
	if c != "" {
		return lockKey{class: c.Inner()}
	}
	return lockKey{path: p}
}

// indexReleasers finds the functions that release a lock that they did not take. A function literal that is only called
// or deferred where it stands is a part of the function around it.
func (e *engine) indexReleasers() {
	e.releasers = map[lockKey][]*ssa.Function{}
	for _, fn := range e.pkg.Funcs {
		res := e.results[fn]
		if res == nil || fn.Parent() != nil && inPlace(fn) {
			continue
		}
		for _, h := range res.drops {
			k := releaseKey(h.Path, h.Class)
			e.releasers[k] = append(e.releasers[k], fn)
		}
	}
}

// inPlace reports whether the function literal fn is only called or deferred by the function that makes it.
func inPlace(fn *ssa.Function) bool {
	mc := flow.ClosureSite(fn)
	if mc == nil {
		return false
	}
	seen := map[ssa.Value]bool{}
	var only func(v ssa.Value, address bool) bool // v is the function, or the address of a variable that has it
	only = func(v ssa.Value, address bool) bool {
		if v.Referrers() == nil {
			return false
		}
		if seen[v] {
			return true
		}
		seen[v] = true
		return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.Store: // unlock := func() {…}; defer func() { unlock() }()
				alloc, ok := r.Addr.(*ssa.Alloc)
				return !address && (!ok || r.Val != v || !only(alloc, true))
			case *ssa.UnOp:
				return !address || !only(r, false)
			case *ssa.MakeClosure:
				i := slices.Index(r.Bindings, v)
				return !address || !only(r.Fn.(*ssa.Function).FreeVars[i], true)
			case *ssa.Call:
				return r.Call.Value != v
			case *ssa.Defer:
				return r.Call.Value != v
			}
			return true
		})
	}
	return only(mc, false)
}
