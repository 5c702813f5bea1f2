package lock

import (
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Leak is a lock that one way out of a function leaves held, though nobody is there to release it.
type Leak struct {
	Hold Hold
	Exit ssa.Instruction // the return
	All  bool            // every way out leaves it held
	told bool            // the results of fn tell the exits that hold it from the others
}

// finish computes the net effects and the leaks from the states at the returns.
func (in *interp) finish() {
	if len(in.exit) == 0 {
		in.sum.NoReturn = in.fn.Recover == nil
		return
	}
	held, some := in.atExits(func(s *state) []Hold { return s.held })
	for _, h := range held {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			in.sum.Acquired = append(in.sum.Acquired, HeldRef{r, h.Mode})
		}
		in.leak(h, true)
	}
	for _, h := range some {
		in.leak(h, false)
	}
	released, some := in.atExits(func(s *state) []Hold { return s.dropped })
	for _, h := range released {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			in.sum.Released = append(in.sum.Released, HeldRef{r, h.Mode})
		}
	}
	for _, r := range in.refs(append(some, in.may...)) {
		if !slices.Contains(in.sum.May, r) {
			in.sum.May = append(in.sum.May, r)
		}
	}
	in.res.drops = append(released, some...)
}

// atExits sorts what get gives into that of all exits and that of some.
func (in *interp) atExits(get func(*state) []Hold) (all, some []Hold) {
	n := map[flow.Path]int{}
	first := map[flow.Path]Hold{}
	var order []flow.Path
	for _, s := range in.exit {
		seen := map[flow.Path]bool{}
		for _, h := range get(s.state) {
			if seen[h.Path] {
				continue
			}
			seen[h.Path] = true
			if n[h.Path] == 0 {
				first[h.Path] = h
				order = append(order, h.Path)
			}
			n[h.Path]++
		}
	}
	for _, p := range order {
		if n[p] == len(in.exit) {
			all = append(all, first[p])
		} else {
			some = append(some, first[p])
		}
	}
	return all, some
}

// leak notes h as a candidate: the function itself took it, and releases it on another path, or nobody does at all.
// Whether it is a hand-off is decided when all functions are known.
func (in *interp) leak(h Hold, all bool) {
	if h.Site == nil || h.Site.Parent() != in.fn || h.Stale || !in.freed[h.Path] && !(all && in.own(h.Site)) {
		return
	}
	for _, x := range in.exit {
		if x.widened {
			continue
		}
		if y, ok := find(x.held, h.Path); ok && y.Site == h.Site && !y.Stale && !given(h.Path, x.ret) {
			in.res.Leaks = append(in.res.Leaks, Leak{y, x.ret, all && !in.freed[h.Path], in.told(h.Path)})
			return
		}
	}
}

// given reports whether ret gives the lock p, or an object through which it is reached, to the caller, or whether the
// function keeps it elsewhere: whoever has it releases it.
func given(p flow.Path, ret *ssa.Return) bool {
	for i := range ret.Results {
		v, _ := flow.Returned(ret, i)
		q := flow.PathOf(v)
		if rest, ok := strings.CutPrefix(p.Sel, q.Sel); ok && q.Root == p.Root && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	if _, ok := p.Root.(*ssa.Parameter); ok || p.Root.Referrers() == nil {
		return false
	}
	for _, r := range *p.Root.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if _, local := r.Addr.(*ssa.Alloc); r.Val == p.Root && !local {
				return true
			}
		case *ssa.MapUpdate:
			if r.Value == p.Root {
				return true
			}
		case *ssa.Send:
			return true
		}
	}
	return false
}

// told reports whether a result of the function tells the exits that hold the lock p from those that do not: a bool
// constant, a nil error or something not nil where it is held.
func (in *interp) told(p flow.Path) bool {
	results := in.fn.Signature.Results()
	for i := range results.Len() {
		var with, without [2]bool // by class of result: false or nil, and the rest
		ok := true
		for _, x := range in.exit {
			v, _ := flow.Returned(x.ret, i)
			empty, known := emptyResult(v)
			if !known {
				ok = false
				break
			}
			k := 0
			if !empty {
				k = 1
			}
			if _, held := find(x.held, p); held {
				with[k] = true
			} else {
				without[k] = true
			}
		}
		if !ok || with[0] == with[1] || without[0] == without[1] || with == without {
			continue
		}
		if isErr := types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type()); !isErr || with[0] {
			return true
		}
	}
	return false
}

// emptyResult reports whether v is false or nil; the second result is false where that cannot be said.
func emptyResult(v ssa.Value) (empty, known bool) {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil {
			return true, true
		}
		if x.Value.Kind() == constant.Bool {
			return !constant.BoolVal(x.Value), true
		}
		return false, false
	}
	if _, ok := v.Type().Underlying().(*types.Basic); ok {
		return false, false
	}
	return false, true
}

// own reports whether site is a lock operation of the function itself, not a call of one that returns with the lock.
func (in *interp) own(site ssa.Instruction) bool {
	c, ok := site.(ssa.CallInstruction)
	if !ok {
		return false
	}
	_, ok = in.e.opOf(c.Common())
	return ok
}

// lockName matches functions that say that they return with a lock.
var lockName = regexp.MustCompile(`(?i)lock|acquire|begin|hold|^try|^take`)

// handOff reports whether somebody else can be expected to release the leaked lock of fn. That is so where a function
// literal of fn that outlives it does, and where another function releases locks of this class that it did not take and
// the result of fn tells the caller whether to call it, or fn always returns with the lock. An exported function whose
// name says so is believed.
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
	named := lockName.MatchString(fn.Name())
	if l.All { // it does nothing else with the lock: who knows what it is for
		return elsewhere || named || l.Hold.Class == "" || obj == nil || obj.Exported()
	}
	return elsewhere && l.told || obj != nil && obj.Exported() && named
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
	var only func(v ssa.Value, depth int) bool
	only = func(v ssa.Value, depth int) bool {
		if v.Referrers() == nil || depth > 3 {
			return false
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Call:
				if r.Call.Value != v {
					return false
				}
			case *ssa.Defer:
				if r.Call.Value != v {
					return false
				}
			case *ssa.Store: // unlock := func() {…}; defer func() { unlock() }()
				alloc, ok := r.Addr.(*ssa.Alloc)
				if !ok || r.Val != v || !onlyCalled(alloc, only, depth+1) {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return only(mc, 0)
}

func onlyCalled(addr ssa.Value, only func(ssa.Value, int) bool, depth int) bool {
	if depth > 3 {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store, *ssa.DebugRef:
		case *ssa.UnOp:
			if !only(r, depth) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && !onlyCalled(fn.FreeVars[i], only, depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
