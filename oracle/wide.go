package oracle

import "slices"

// GenerateWide is [Generate] with more shapes: items, literals in variables, constructors that fail, locks that are handed
// over, wait groups and subscribers. The programs of Generate stay what they are, so that its seeds can be referred to.
func GenerateWide(data []byte) *Program {
	g := &generator{draw: draw{data}, p: &Program{}, wide: true}
	g.program()
	return g.p
}

// A role is what a function of a wide program is for, besides what it does anyway.
type role struct {
	given Given
	makes bool
	keeps int // the lock that it returns with; its callers release it
	owes  int // the lock that it releases for whoever calls or starts it
}

// none is no lock.
const none = -1

// parts chooses what a wide program has besides locks and channels.
func (g *generator) parts() {
	p := g.p
	if g.chance(50) { // a channel of the object has seldom somebody at its other end
		p.Chans = nil
	}
	if g.chance(75) {
		p.Item = &Item{Embedded: g.chance(25), Buffer: []int{0, 0, 0, 1, 2}[g.n(5)]}
	}
	p.Groups = []int{0, 1, 1}[g.n(3)]
	if len(p.Conds) == 0 && g.chance(25) {
		p.Conds = append(p.Conds, g.n(len(p.Locks)))
	}
	p.Paced = len(p.Conds) > 0 && g.chance(50)
	g.subs = none
	if p.Item != nil && g.chance(35) {
		g.subs = g.n(len(p.Locks))
	}
}

// role chooses that of function f.
func (g *generator) role(f int) role {
	r := role{keeps: none, owes: none}
	k := g.n(100)
	switch item := g.p.Item != nil; {
	case k < 25 && item:
		r.given = WholeItem
	case k < 35 && item:
		r.given = ItsChannel
	case k < 50 && item:
		r.makes = true
		g.tells[f] = false
	case k < 58:
		r.keeps = g.n(len(g.p.Locks))
	case k < 66:
		r.owes = g.n(len(g.p.Locks))
	}
	return r
}

// body makes that of the function under construction.
func (g *generator) body(f *Func) {
	r := g.roles[g.fn]
	f.Given, f.Makes = r.given, r.makes
	g.item, g.made = r.given, false
	if r.makes {
		g.item = WholeItem
	}
	first := g.literals(f)
	g.pairs = len(f.Literals) / 2
	n := 1 + g.n(3)
	switch {
	case r.makes:
		f.Body = g.constructor()
	case r.keeps != none:
		g.low[g.fn] = min(g.low[g.fn], r.keeps)
		f.Body = append([]*Stmt{{Op: Acquire, N: r.keeps}}, g.block([]held{{lock: r.keeps, late: true}}, 0, n-1)...)
	case r.owes != none && g.chance(40):
		f.Body = append([]*Stmt{{Op: Late, N: r.owes}}, g.block([]held{{lock: r.owes, late: true}}, 0, n)...)
	case r.owes != none:
		f.Body = append(g.block([]held{{lock: r.owes}}, 0, n), &Stmt{Op: Release, N: r.owes})
	default:
		f.Body = g.block(nil, 0, n)
		if r.given != NoItem && g.chance(60) {
			f.Body = append(f.Body, &Stmt{Op: Send, N: Own})
		}
	}
	f.Body = append(first, f.Body...)
}

// constructor is the body of a function that makes an item: it may lock it, may fail before it releases it, and may give it
// back locked.
func (g *generator) constructor() []*Stmt {
	var out []*Stmt
	own := held{lock: Own}
	var hs []held
	if g.chance(65) {
		g.low[g.fn] = min(g.low[g.fn], g.rank(Own))
		out = append(out, &Stmt{Op: Acquire, N: Own})
		hs = append(hs, own)
		if g.chance(25) {
			out = append(out, &Stmt{Op: Late, N: Own})
			hs[0].late = true
		}
	}
	out = append(out, g.block(hs, 0, 2)...)
	if g.params[g.fn] > 0 && g.chance(70) {
		fail := &Stmt{Op: If, N: g.n(g.params[g.fn])}
		if hs != nil && !hs[0].late && g.chance(50) {
			fail.Body = append(fail.Body, &Stmt{Op: Release, N: Own})
		}
		fail.Body = append(fail.Body, &Stmt{Op: Return})
		out = append(out, fail)
		out = append(out, g.block(hs, 0, 1)...)
	}
	if hs != nil && !hs[0].late && g.chance(70) {
		out = append(out, &Stmt{Op: Release, N: Own})
	}
	return out
}

// literals gives f a pair of literals that take and release a lock, or do so where a parameter or a flag says so. It gives
// what comes first in f for that.
func (g *generator) literals(f *Func) []*Stmt {
	if !g.chance(35) {
		return nil
	}
	m := g.n(len(g.p.Locks))
	if g.item == WholeItem && g.chance(30) {
		m = Own
	}
	take, drop := []*Stmt{{Op: Acquire, N: m}}, []*Stmt{{Op: Release, N: m}}
	var first []*Stmt
	if g.chance(75) {
		v := g.vars
		if f.Params > 0 && g.chance(75) {
			v = g.n(f.Params)
		} else {
			g.vars++
			if g.chance(60) {
				first = append(first, &Stmt{Op: Set, N: v, Value: true})
			}
		}
		take, drop = []*Stmt{{Op: If, N: v, Body: take}}, []*Stmt{{Op: If, N: v, Body: drop}}
	}
	f.Literals = [][]*Stmt{take, drop}
	g.bound = m
	return first
}

// rank is the place of lock m in the order of locks: that of an item comes last.
func (g *generator) rank(m int) int {
	if m == Own {
		return len(g.p.Locks)
	}
	return m
}

// may reports whether lock m may be taken with hs held.
func (g *generator) may(hs []held, m int) bool {
	if g.ordered {
		return g.highest(hs) < g.rank(m)
	}
	return !g.has(hs, m) || !g.careful && g.chance(40)
}

func (g *generator) has(hs []held, m int) bool {
	return slices.ContainsFunc(hs, func(h held) bool { return h.lock == m })
}

// callable reports whether function f can be called as it is.
func (g *generator) callable(f int) bool {
	r := g.roles[f]
	return !r.makes && r.keeps == none && r.owes == none && (r.given == NoItem || g.item == WholeItem || g.item == r.given)
}

// enter are statements that call f from the goroutines of Run, with what it needs.
func (g *generator) enter(f int) []*Stmt {
	c := g.call(f)
	if !g.wide {
		return []*Stmt{c}
	}
	switch r := g.roles[f]; {
	case r.makes:
		return []*Stmt{g.makeBy(c, nil)}
	case r.given != NoItem && g.chance(60): // and somebody at the other end
		s := &Stmt{Op: Go, N: c.N, Args: c.Args}
		return []*Stmt{{Op: Make, N: Own, Body: []*Stmt{s, {Op: Receive, N: Own}}}}
	case r.given != NoItem:
		return []*Stmt{{Op: Make, N: Own, Body: []*Stmt{c}}}
	case r.keeps != none:
		return []*Stmt{c, {Op: Release, N: r.keeps}}
	case r.owes != none:
		return []*Stmt{{Op: Acquire, N: r.owes}, c}
	}
	return []*Stmt{c}
}

// makeBy is the call c of a constructor, and body with the item that comes out.
func (g *generator) makeBy(c *Stmt, body []*Stmt) *Stmt {
	return &Stmt{Op: Make, N: c.N, Args: c.Args, Body: body}
}

// later chooses a function behind the one under construction that fits; the last result is false where there is none.
func (g *generator) later(fits func(f int) bool) (int, bool) {
	var all []int
	for f := g.fn + 1; f < len(g.p.Funcs); f++ {
		if fits(f) {
			all = append(all, f)
		}
	}
	if all == nil {
		return 0, false
	}
	return all[g.n(len(all))], true
}

// more is a statement of those that only wide programs have, or some; nil where what was chosen does not fit.
func (g *generator) more(hs []held, depth int) []*Stmt {
	switch k := g.n(100); {
	case k < 12:
		if g.item == WholeItem && g.may(hs, Own) {
			return g.around(hs, depth, Own)
		}
	case k < 28:
		return g.ownChannel()
	case k < 36:
		return g.underLock(hs)
	case k < 48:
		return g.invoking(hs, depth)
	case k < 64:
		return g.groups(hs)
	case k < 76:
		return g.handing(hs, depth)
	case k < 88:
		return g.making(hs, depth)
	default:
		return g.subscribing(hs)
	}
	return nil
}

// ownChannel is a statement about the item's channel. Mostly, who is given the item sends, and who has made it receives.
func (g *generator) ownChannel() []*Stmt {
	if g.item == NoItem {
		return nil
	}
	ops := []Op{Send, Receive}
	if g.made || g.literal > 0 {
		ops = []Op{Receive, Send}
	}
	switch k := g.n(100); {
	case k < 65:
		return []*Stmt{{Op: ops[0], N: Own}}
	case k < 80:
		return []*Stmt{{Op: ops[1], N: Own}}
	case k < 85:
		return []*Stmt{{Op: TrySend, N: Own}}
	case k < 90:
		return []*Stmt{{Op: TryRecv, N: Own}}
	case k < 95 && len(g.p.Chans) > 0:
		return []*Stmt{{Op: Select, Arms: []Arm{{Op: Receive, N: Own}, {Op: []Op{Send, Receive}[g.n(2)], N: g.n(len(g.p.Chans))}}}}
	}
	return []*Stmt{{Op: Close, N: Own}}
}

// underLock is a statement about a condition variable, in a method maybe, with its lock as it is held, or around it.
func (g *generator) underLock(hs []held) []*Stmt {
	d, m := 0, none
	if len(g.p.Conds) > 0 {
		m = g.p.Conds[0]
	}
	if g.item == WholeItem && (m == none || g.chance(50)) {
		d, m = Own, Own
	}
	if m == none {
		return nil
	}
	s := &Stmt{Op: []Op{Wait, Signal}[g.n(2)], N: d, Style: []Style{Plain, Wrapped}[g.n(2)]}
	return g.with(hs, m, s)
}

// with is s with lock m, which is taken for it where it is not held.
func (g *generator) with(hs []held, m int, s *Stmt) []*Stmt {
	if i := slices.IndexFunc(hs, func(h held) bool { return h.lock == m }); i >= 0 {
		if hs[i].read {
			return nil
		}
		return []*Stmt{s}
	}
	if !g.may(hs, m) {
		return nil
	}
	g.low[g.fn] = min(g.low[g.fn], g.rank(m))
	return []*Stmt{{Op: Acquire, N: m}, s, {Op: Release, N: m}}
}

// invoking runs the function's pair of literals around other statements.
func (g *generator) invoking(hs []held, depth int) []*Stmt {
	if g.pairs == 0 || !g.may(hs, g.bound) {
		return nil
	}
	g.low[g.fn] = min(g.low[g.fn], g.rank(g.bound))
	inside := append(slices.Clone(hs), held{lock: g.bound, late: true})
	take, drop := &Stmt{Op: Invoke}, &Stmt{Op: Invoke, N: 1}
	if depth == 0 && g.literal == 0 && g.chance(50) {
		drop.Op = InvokeLate
		return append([]*Stmt{take, drop}, g.block(inside, depth+1, 3)...)
	}
	return append(append([]*Stmt{take}, g.block(inside, depth+1, 2)...), drop)
}

// groups starts goroutines in a wait group, or waits for them.
func (g *generator) groups(hs []held) []*Stmt {
	if g.p.Groups == 0 {
		return nil
	}
	n := g.n(g.p.Groups)
	if g.chance(40) {
		return []*Stmt{{Op: Await, N: n, Style: []Style{Plain, Wrapped}[g.n(2)]}}
	}
	f, ok := g.later(func(f int) bool { return g.callable(f) || g.roles[f].owes != none && g.has(hs, g.roles[f].owes) })
	if !ok {
		return nil
	}
	s := g.call(f)
	s.Op, s.Group, s.Style = Start, n, []Style{Plain, Wrapped, MethodValue}[g.n(3)]
	if g.chance(30) && g.roles[f].owes == none {
		return []*Stmt{{Op: Loop, N: 2, Body: []*Stmt{s}}}
	}
	return []*Stmt{s}
}

// handing takes a lock by a function that keeps it, or has one released by a function or a goroutine that is given it.
func (g *generator) handing(hs []held, depth int) []*Stmt {
	if depth > 2 {
		return nil
	}
	if g.chance(50) {
		f, ok := g.later(func(f int) bool { return g.roles[f].keeps != none && g.may(hs, g.roles[f].keeps) })
		if !ok {
			return nil
		}
		m := g.roles[f].keeps
		g.low[g.fn] = min(g.low[g.fn], g.rank(m))
		h := held{lock: m}
		c := g.call(f)
		if depth == 0 && g.chance(40) {
			h.late = true
			return append([]*Stmt{c, {Op: Late, N: m}}, g.block(append(slices.Clone(hs), h), depth+1, 2)...)
		}
		return append(append([]*Stmt{c}, g.block(append(slices.Clone(hs), h), depth+1, 2)...), &Stmt{Op: Release, N: m})
	}
	f, ok := g.later(func(f int) bool { return g.roles[f].owes != none && g.may(hs, g.roles[f].owes) })
	if !ok {
		return nil
	}
	m := g.roles[f].owes
	g.low[g.fn] = min(g.low[g.fn], g.rank(m))
	c := g.call(f)
	if g.chance(50) {
		c.Op, c.Style = Go, []Style{Plain, InLiteral}[g.n(2)]
	}
	out := append([]*Stmt{{Op: Acquire, N: m}}, g.block(append(slices.Clone(hs), held{lock: m}), depth+1, 2)...)
	return append(out, c)
}

// making makes an item, once in a function that has none.
func (g *generator) making(hs []held, depth int) []*Stmt {
	if g.p.Item == nil || g.item != NoItem || g.made || depth > 0 || g.literal > 0 {
		return nil
	}
	f, ok := g.later(func(f int) bool { return g.roles[f].makes })
	if ok && g.ordered && g.highest(hs) >= g.low[f] {
		ok = false
	}
	s := &Stmt{Op: Make, N: Own}
	if ok && g.chance(60) {
		s = g.makeBy(g.call(f), nil)
		g.low[g.fn] = min(g.low[g.fn], g.low[f])
	}
	g.item, g.made = WholeItem, true
	g.budget += 3 // else there is nothing to do with it
	if to, ok := g.later(func(f int) bool { return g.roles[f].given != NoItem }); ok && g.chance(75) {
		c := g.call(to)
		c.Op, c.Style = Go, []Style{Plain, InLiteral}[g.n(2)]
		s.Body = append(s.Body, c)
		if g.chance(60) {
			s.Body = append(s.Body, g.block(hs, depth, 1)...)
			s.Body = append(s.Body, &Stmt{Op: Receive, N: Own})
		}
	}
	s.Body = append(s.Body, g.block(hs, depth, 3)...)
	g.item = NoItem
	return []*Stmt{s}
}

// subscribing puts the item's channel on the list, or sends to all that are there.
func (g *generator) subscribing(hs []held) []*Stmt {
	if g.subs == none {
		return nil
	}
	if g.item == NoItem || g.chance(40) {
		return g.with(hs, g.subs, &Stmt{Op: Publish})
	}
	out := g.with(hs, g.subs, &Stmt{Op: Subscribe})
	if len(out) == 3 && g.item == WholeItem && g.chance(60) { // it has released the lock: what it waits for may come
		again := func() []*Stmt { return []*Stmt{{Op: Acquire, N: g.subs}, {Op: Release, N: g.subs}} }
		if g.chance(30) {
			out = append(out, again()...)
		}
		out = append(out, &Stmt{Op: Receive, N: Own})
		if g.chance(50) {
			out = append(out, again()...)
		}
	}
	return out
}
