package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Leak is a lock that is held at one exit of a function without a hand-off.
type Leak struct {
	Hold Hold
	Exit ssa.Instruction // the return, or the panic that the function recovers from
	All  bool            // every way out leaves it held
	// for All: a caller that returns with the lock, which other callers release
	By              string
	NewObject       bool // the object is a new one, which the function does not return there
	distinguishable bool // a result of fn distinguishes the exits that hold it

	// Failing: all exits that hold it return an error, or may.
	Failing bool
}

// recovered notes the locks that are still held when the panic x, which a deferred function recovers from, has brought
// the function to its end.
func (in *interp) recovered(x *ssa.Panic, s *state) {
	if !slices.ContainsFunc(s.defers, recovers) || s.widened {
		return
	}
	in.runDefers(s)
	for _, h := range s.held {
		if h.Site != nil && h.Site.Parent() == in.fn && !h.Stale && h.Mode != Once {
			in.panicked = append(in.panicked, Leak{Hold: h, Exit: x})
		}
	}
}

// recovers reports whether d is the call of a function that recovers from a panic whenever there is one.
func recovers(d *ssa.Defer) bool {
	fn := flow.StaticCallee(&d.Call)
	if mc, ok := d.Call.Value.(*ssa.MakeClosure); ok {
		fn = mc.Fn.(*ssa.Function)
	}
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	for in := range flow.Instrs(fn) {
		if _, again := in.(*ssa.Panic); again {
			return false // it may panic again
		}
	}
	return slices.ContainsFunc(fn.Blocks[0].Instrs, func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		return ok && isBuiltin(c, "recover")
	})
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
			handle := slices.ContainsFunc(in.exit, func(x exit) bool { return returnsHandle(x.ret, h.Path, false) })
			in.sum.Acquired = append(in.sum.Acquired, HeldRef{Ref: r, Mode: h.Mode, handle: handle})
		}
		in.leak(h, true)
	}
	for _, h := range some {
		in.leak(h, in.keptSince(h))
	}
	for _, l := range in.panicked {
		if in.freed[l.Hold.Path] {
			in.res.Leaks = append(in.res.Leaks, l)
		}
	}
	released, some := in.atExits(func(s *state) []Hold { return s.dropped })
	for _, h := range released {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			in.sum.Released = append(in.sum.Released, HeldRef{Ref: r, Mode: h.Mode})
		}
	}
	for _, r := range in.refs(append(some, in.may...)) {
		if !slices.Contains(in.sum.May, r) {
			in.sum.May = append(in.sum.May, r)
		}
	}
	in.res.drops = append(released, some...)
	in.settle()
}

// keptSince reports whether h is held at each exit that is reachable from its acquisition.
func (in *interp) keptSince(h Hold) bool {
	return h.Site != nil && h.Site.Parent() == in.fn && !slices.ContainsFunc(in.exit, func(x exit) bool {
		_, held := find(x.held, h.Path)
		return !held && flow.Reaches(h.Site, x.ret, nil)
	})
}

// atExits partitions the holds that get returns into those of all exits and those of some.
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

// leak adds the lock h as a candidate: the function itself acquired it, and releases it on other paths, or nothing
// does. Hand-offs are removed when all functions are summarised.
func (in *interp) leak(h Hold, all bool) {
	if h.Site == nil || h.Site.Parent() != in.fn || h.Stale || !in.freed[h.Path] && !(all && in.own(h.Site)) {
		return
	}
	var first *Leak
	failing := true
	for _, x := range in.exit {
		y, ok := find(x.held, h.Path)
		if !ok || y.Site != h.Site || y.Stale || escapesAt(h.Path, x.ret) || returnsHandle(x.ret, h.Path, true) ||
			handleEscapes(h.Site, x.ret) || in.e.unshared(h.Path, x.ret) {
			continue
		}
		failing = failing && fails(x.ret)
		if first == nil && !x.widened {
			first = &Leak{
				Hold: y, Exit: x.ret, All: all && !in.freed[h.Path],
				distinguishable: in.distinguishable(h.Path), NewObject: in.isLocalObject(h.Path, x.ret),
			}
		}
	}
	if first != nil {
		first.Failing = failing
		in.res.Leaks = append(in.res.Leaks, *first)
	}
}

// isLocalObject reports whether the function has made the object of the lock p itself, and does not return it at ret.
func (in *interp) isLocalObject(p flow.Path, ret *ssa.Return) bool {
	made, ok := in.e.allocation(p.Root)
	return ok && made.Parent() == in.fn && !returnsPath(ret, p)
}

// escapesAt reports whether the lock p, or an object on its access path, is returned by ret or stored elsewhere by
// the function: the lock may be released through that alias.
func escapesAt(p flow.Path, ret *ssa.Return) bool {
	if returnsPath(ret, p) {
		return true
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

// returnsPath reports whether ret returns the value at p, or an object on its access path.
func returnsPath(ret *ssa.Return, p flow.Path) bool {
	for i := range ret.Results {
		v, _ := flow.Returned(ret, i)
		if _, ok := flow.PathOf(v).Below(p); ok {
			return true
		}
	}
	return false
}

// returnsHandle reports whether ret returns something that may release the lock p: a function, or an object or result
// of a call that is made from the lock or an object on its path; with itself, from the lock alone.
func returnsHandle(ret *ssa.Return, p flow.Path, itself bool) bool {
	reaches := func(v ssa.Value) bool {
		if itself {
			return flow.PathOf(v) == p
		}
		_, ok := flow.PathOf(v).Below(p)
		return ok
	}
	for i := range ret.Results {
		v, _ := flow.Returned(ret, i)
		v = flow.Unwrap(v)
		if !itself && flow.IsFunc(v) && !flow.IsNil(v) {
			return true
		}
		switch x := v.(type) {
		case *ssa.Call:
			if slices.ContainsFunc(flow.AllArgs(&x.Call), reaches) {
				return true
			}
		}
		made, ok := v.(*ssa.Alloc)
		if load, is := v.(*ssa.UnOp); is {
			made, ok = load.X.(*ssa.Alloc)
		}
		if !ok {
			continue
		}
		for _, r := range *made.Referrers() {
			fa, ok := r.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			for _, r := range *fa.Referrers() {
				if st, ok := r.(*ssa.Store); ok && (reaches(st.Val) || !itself && flow.IsFunc(st.Val)) {
					return true
				}
			}
		}
	}
	return false
}

// handleEscapes reports whether a function that the call site returned together with a lock is used other than by a
// call on a path to ret: it may release the lock later.
func handleEscapes(site ssa.Instruction, ret *ssa.Return) bool {
	call, ok := site.(*ssa.Call)
	if !ok {
		return false
	}
	for i := range call.Call.Signature().Results().Len() {
		v := flow.ResultAt(call, i)
		if v != nil && flow.IsFunc(v) && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			switch r := r.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.Call, *ssa.Defer:
				if r.(ssa.CallInstruction).Common().Value == v {
					return false
				}
			}
			return r == ssa.Instruction(ret) || flow.Reaches(r, ret, nil)
		}) {
			return true
		}
	}
	return false
}

// distinguishable reports whether a result of the function distinguishes the exits that hold the lock p from the
// others: by a bool constant, by a nil error, or by a value that is not nil.
func (in *interp) distinguishable(p flow.Path) bool {
	results := in.fn.Signature.Results()
	for i := range results.Len() {
		seen, sure := map[[2]bool]bool{}, true // held, and whether the result is false or nil then
		for _, x := range in.exit {
			v, _ := flow.Returned(x.ret, i)
			empty, known := emptyResult(v)
			_, held := find(x.held, p)
			seen[[2]bool{held, empty}] = true
			sure = sure && known
		}
		full := seen[[2]bool{true, false}] && seen[[2]bool{false, true}]
		none := seen[[2]bool{true, true}] && seen[[2]bool{false, false}]
		if sure && len(seen) == 2 && (none || full && !flow.IsError(results.At(i).Type())) {
			return true
		}
	}
	return false
}

// emptyResult reports whether v is false or nil; known is false if that depends on the execution.
func emptyResult(v ssa.Value) (empty, known bool) {
	if t := flow.ConstTruth(v); t != flow.Unknown {
		return t == flow.False, true
	}
	if flow.IsNil(v) {
		return true, true
	}
	_, basic := v.Type().Underlying().(*types.Basic)
	_, constant := v.(*ssa.Const)
	return false, !basic && !constant
}

// own reports whether site is a lock operation of the function itself, not a call of one that returns with the lock.
func (in *interp) own(site ssa.Instruction) bool {
	c, ok := site.(ssa.CallInstruction)
	if ok {
		_, ok = in.e.opOf(c.Common())
	}
	return ok
}
