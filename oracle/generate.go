package oracle

import (
	"math/rand/v2"
	"slices"
)

// Generate makes a program from data: the same one from the same bytes. Any bytes will do. When they are used up, what is
// left to choose is the simplest, so that short data are small programs. Programs may panic, and may be of no interest:
// [Explore] and [Program.Trivial] say so.
func Generate(data []byte) *Program {
	g := &generator{draw: draw{data}, p: &Program{}}
	g.program()
	return g.p
}

// Seeded is the data of the program with number seed.
func Seeded(seed uint64) []byte {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	data := make([]byte, 400)
	rng := rand.NewChaCha8(key)
	for i := range data {
		data[i] = byte(rng.Uint64())
	}
	return data
}

// Trivial reports whether p takes fewer than two locks, so that the rules have next to nothing to say of it.
func (p *Program) Trivial() bool {
	acquisitions := 0
	p.each(func(s *Stmt) {
		if s.Op == Acquire || s.Op == Try {
			acquisitions++
		}
	})
	return acquisitions < 2
}

// draw makes choices of bytes.
type draw struct{ data []byte }

// n is a number below k; zero when the bytes are used up.
func (d *draw) n(k int) int {
	if len(d.data) == 0 || k <= 1 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % k
}

// chance is true in percent of 100 cases, and false when the bytes are used up.
func (d *draw) chance(percent int) bool {
	if len(d.data) == 0 {
		return false
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b)*100 < 256*percent
}

// A held lock is one that the statements under construction hold.
type held struct {
	lock int
	read bool
	late bool // a deferred call releases it
}

type generator struct {
	draw
	p *Program

	ordered bool  // locks are taken in the order of their numbers
	careful bool  // no function takes a lock that it has
	leaky   bool  // some releases are forgotten
	low     []int // the lowest lock that each function takes, itself or below
	params  []int
	tells   []bool

	fn      int // under construction
	budget  int // statements that it may still have
	vars    int
	flags   int
	literal int // depth of function literals: variables of the function are not written there

	wide  bool // what follows is of wide programs only
	roles []role
	subs  int   // the lock of the list of subscribers
	item  Given // what the function has of an item where statements are made
	made  bool  // it has made one
	pairs int   // of its literals
	bound int   // the lock that they are about
}

func (g *generator) program() {
	p := g.p
	n := 2 + g.n(3)
	for range n {
		l := Lock{RW: g.chance(30)}
		if g.chance(30) {
			l.Place = Place(g.n(5))
		}
		if l.Place == Embedded && slices.ContainsFunc(p.Locks, func(o Lock) bool { return o.Place == Embedded }) {
			l.Place = Field
		}
		p.Locks = append(p.Locks, l)
	}
	for range []int{0, 1, 1, 2}[g.n(4)] {
		p.Chans = append(p.Chans, []int{0, 0, 0, 1, 2}[g.n(5)])
	}
	if g.chance(20) {
		p.Conds = append(p.Conds, g.n(n))
	}
	if g.chance(20) {
		p.Contexts = append(p.Contexts, Context(g.n(3)))
	}
	if g.wide {
		g.parts()
	}
	reckless, careless, leaky := 45, 50, 20
	if g.wide { // most of its shapes can hang in more ways
		reckless, careless, leaky = 25, 30, 10
	}
	g.ordered, g.careful, g.leaky = !g.chance(reckless), !g.chance(careless), g.chance(leaky)

	count := 2 + g.n(3)
	g.low, g.params, g.tells = make([]int, count), make([]int, count), make([]bool, count)
	for f := range count {
		g.params[f] = []int{0, 0, 1, 1, 2}[g.n(5)]
		g.tells[f] = g.chance(10)
		if g.wide {
			g.roles = append(g.roles, g.role(f))
		}
	}
	p.Funcs = make([]*Func, count)
	for f := count - 1; f >= 0; f-- {
		g.fn, g.budget, g.vars, g.flags, g.low[f] = f, 3+g.n(5), g.params[f], 0, n+1
		p.Funcs[f] = &Func{Params: g.params[f], Tells: g.tells[f]}
		if g.wide {
			g.body(p.Funcs[f])
		} else {
			p.Funcs[f].Body = g.block(nil, 0, 1+g.n(3))
		}
	}

	g.fn = -1
	for range 1 + g.n(3) {
		var body []*Stmt
		for range 1 + g.n(2) {
			if len(p.Chans) > 0 && g.chance(30) {
				body = append(body, &Stmt{Op: []Op{Send, Receive}[g.n(2)], N: g.n(len(p.Chans))})
			}
			body = append(body, g.enter(g.n(count))...)
		}
		p.Goroutines = append(p.Goroutines, body)
	}
	g.callAll()
}

// callAll calls the functions that no goroutine reaches.
func (g *generator) callAll() {
	for {
		left := g.p.uncalled()
		if len(left) == 0 {
			return
		}
		at := g.n(len(g.p.Goroutines))
		g.p.Goroutines[at] = append(g.p.Goroutines[at], g.enter(left[0])...)
	}
}

// calls reports whether s runs function N.
func (s *Stmt) calls() bool {
	return s.Op == Call || s.Op == Go || s.Op == CallLate || s.Op == IfCall || s.Op == Start || s.Op == Make && s.N != Own
}

func (g *generator) call(f int) *Stmt {
	s := &Stmt{Op: Call, N: f}
	if g.chance(25) {
		s.Style = []Style{MethodValue, Interface}[g.n(2)]
	}
	g.arguments(s)
	return s
}

func (g *generator) arguments(s *Stmt) {
	for range g.params[s.N] {
		if g.fn >= 0 && g.params[g.fn] > 0 && g.chance(45) {
			s.Args = append(s.Args, Arg{Var: g.n(g.params[g.fn])})
		} else {
			s.Args = append(s.Args, Arg{Var: -1, Value: g.chance(50)})
		}
	}
}

// highest is the rank of the highest lock in hs, -1 where there is none.
func (g *generator) highest(hs []held) int {
	high := -1
	for _, h := range hs {
		high = max(high, g.rank(h.lock))
	}
	return high
}

// block makes up to n statements, some of which are several, with hs held. The outermost one of a function has depth 0.
func (g *generator) block(hs []held, depth, n int) []*Stmt {
	var out []*Stmt
	for range n {
		if g.budget <= 0 || len(g.data) == 0 {
			break
		}
		g.budget--
		out = append(out, g.stmt(hs, depth)...)
	}
	return out
}

func (g *generator) stmt(hs []held, depth int) []*Stmt {
	p := g.p
	if g.wide && g.chance(40) {
		if more := g.more(hs, depth); more != nil {
			return more
		}
	}
	switch k := g.n(100); {
	case k < 34:
		return g.locked(hs, depth)
	case k < 48:
		return g.waits(hs)
	case k < 64:
		return g.calling(hs, depth)
	case k < 76:
		return g.branching(hs, depth)
	case k < 81:
		if depth < 2 {
			if b := g.block(hs, depth+1, 2); b != nil {
				return []*Stmt{{Op: Loop, N: 2, Body: b}}
			}
		}
	case k < 87:
		if depth < 2 {
			return g.fork(hs, depth)
		}
	case k < 92:
		m := g.n(len(p.Locks))
		if depth < 3 && !slices.ContainsFunc(hs, func(h held) bool { return h.lock == m }) {
			b := g.block(append(slices.Clone(hs), held{lock: m, late: true}), depth+1, 2)
			return []*Stmt{{Op: Try, N: m, Read: p.Locks[m].RW && g.chance(40), Body: b}}
		}
	case k < 96:
		if depth < 2 {
			g.literal++
			b := g.block(asLate(hs), depth+1, 2)
			g.literal--
			if b != nil {
				return []*Stmt{{Op: Literal, Body: b}}
			}
		}
	default:
		return g.conditions(hs)
	}
	return nil
}

// asLate is hs as a function literal sees it: releasing is left to the function around it.
func asLate(hs []held) []held {
	out := slices.Clone(hs)
	for i := range out {
		out[i].late = true
	}
	return out
}

// locked is a lock around other statements.
func (g *generator) locked(hs []held, depth int) []*Stmt {
	m := g.n(len(g.p.Locks))
	if g.ordered {
		lo := g.highest(hs) + 1
		if lo >= len(g.p.Locks) {
			return nil
		}
		m = lo + g.n(len(g.p.Locks)-lo)
	} else if slices.ContainsFunc(hs, func(h held) bool { return h.lock == m }) && (g.careful || !g.chance(40)) {
		return nil
	}
	return g.around(hs, depth, m)
}

// around is lock m around other statements.
func (g *generator) around(hs []held, depth, m int) []*Stmt {
	g.low[g.fn] = min(g.low[g.fn], g.rank(m))
	h := held{lock: m, read: m != Own && g.p.Locks[m].RW && g.chance(50)}
	take := &Stmt{Op: Acquire, N: m, Read: h.read}
	drop := &Stmt{Op: Release, N: m, Read: h.read}
	if g.chance(3) {
		take.Style = Wrapped
	}
	if g.chance(6) {
		drop.Style = Wrapped
	}
	forget := g.leaky && g.chance(12) && depth == 0
	handed := Plain
	if g.wide && !forget && g.chance(20) {
		handed = []Style{Returned, Guarded}[g.n(2)]
	}
	switch k := g.n(100); {
	case k < 42 && depth == 0:
		h.late = true
		drop.Op = Late
		if g.chance(20) {
			drop.Style = InLiteral
		}
		if handed != Plain {
			take.Style, drop.Style = handed, handed
		}
		body := g.block(append(slices.Clone(hs), h), depth+1, 3)
		if g.ordered {
			g.budget = 0 // it is held to the end
		}
		if forget {
			return append([]*Stmt{take}, body...)
		}
		return append([]*Stmt{take, drop}, body...)
	case k < 56 && g.params[g.fn] > 0 && g.literal == 0 && g.flags == 0:
		// A flag, or the parameter itself, says at the end whether the lock is held.
		v := g.n(g.params[g.fn])
		test := v
		first := &Stmt{Op: If, N: v, Body: []*Stmt{take}}
		if g.chance(60) {
			test = g.vars
			g.vars++
			g.flags++
			first.Body = append(first.Body, &Stmt{Op: Set, N: test, Value: true})
		}
		h.late = true // no return in between
		body := g.block(append(slices.Clone(hs), h), depth+1, 2)
		return append(append([]*Stmt{first}, body...), &Stmt{Op: If, N: test, Body: []*Stmt{drop}})
	}
	if handed != Plain {
		take.Style, drop.Style = handed, handed
	}
	body := g.block(append(slices.Clone(hs), h), depth+1, 3)
	if forget {
		return append([]*Stmt{take}, body...)
	}
	return append(append([]*Stmt{take}, body...), drop)
}

// waits is a statement about a channel or a context.
func (g *generator) waits(hs []held) []*Stmt {
	p := g.p
	if len(p.Contexts) > 0 && g.chance(25) {
		c := g.n(len(p.Contexts))
		if p.Contexts[c] == Cancelled && g.chance(60) {
			return []*Stmt{{Op: Cancel, N: c}}
		}
		return []*Stmt{{Op: Done, N: c}}
	}
	if len(p.Chans) == 0 {
		return nil
	}
	c := g.n(len(p.Chans))
	switch k := g.n(100); {
	case k < 30:
		return []*Stmt{{Op: Send, N: c}}
	case k < 60:
		return []*Stmt{{Op: Receive, N: c}}
	case k < 70:
		return []*Stmt{{Op: TrySend, N: c}}
	case k < 80:
		return []*Stmt{{Op: TryRecv, N: c}}
	case k < 93:
		arms := []Arm{{Op: []Op{Send, Receive}[g.n(2)], N: c}}
		if len(p.Contexts) > 0 && g.chance(60) {
			arms = append(arms, Arm{Op: Done, N: g.n(len(p.Contexts))})
		} else {
			arms = append(arms, Arm{Op: []Op{Send, Receive}[g.n(2)], N: g.n(len(p.Chans))})
		}
		return []*Stmt{{Op: Select, Arms: arms}}
	case k < 96:
		return []*Stmt{{Op: Range, N: c}}
	}
	if len(hs) == 0 || g.chance(50) {
		return []*Stmt{{Op: Close, N: c}}
	}
	return nil
}

// conditions is a statement about a condition variable, under its lock.
func (g *generator) conditions(hs []held) []*Stmt {
	p := g.p
	if len(p.Conds) == 0 {
		return nil
	}
	m := p.Conds[0]
	if g.ordered && g.highest(hs) >= m || slices.ContainsFunc(hs, func(h held) bool { return h.lock == m }) {
		return nil
	}
	g.low[g.fn] = min(g.low[g.fn], m)
	op := []Op{Wait, Signal}[g.n(2)]
	return []*Stmt{{Op: Acquire, N: m}, {Op: op}, {Op: Release, N: m}}
}

// calling is a call of a later function.
func (g *generator) calling(hs []held, depth int) []*Stmt {
	if g.fn+1 >= len(g.p.Funcs) {
		return nil
	}
	f := g.fn + 1 + g.n(len(g.p.Funcs)-g.fn-1)
	if g.wide && !g.callable(f) {
		return nil
	}
	if g.ordered && g.highest(hs) >= g.low[f] {
		return nil
	}
	s := g.call(f)
	switch k := g.n(100); {
	case k < 12:
		s.Op, s.Style = Go, []Style{Plain, InLiteral}[g.n(2)]
		return []*Stmt{s}
	case k < 18 && depth == 0 && len(hs) == 0:
		s.Op, s.Style = CallLate, Plain
	case k < 60 && g.tells[f] && depth < 3:
		s.Op, s.Style = IfCall, Plain
		s.Body = g.block(hs, depth+1, 2)
	}
	g.low[g.fn] = min(g.low[g.fn], g.low[f])
	return []*Stmt{s}
}

// branching tests a parameter, and may return.
func (g *generator) branching(hs []held, depth int) []*Stmt {
	if g.params[g.fn] == 0 || depth > 3 {
		return nil
	}
	s := &Stmt{Op: If, N: g.n(g.params[g.fn])}
	if g.literal > 0 || !g.chance(45) {
		s.Body = g.block(hs, depth+1, 2)
		if g.chance(50) {
			s.Else = g.block(hs, depth+1, 2)
		}
		return []*Stmt{s}
	}
	s.Body = g.block(asLate(hs), depth+1, 1)
	for i, h := range slices.Backward(hs) {
		if h.late || g.leaky && i == len(hs)-1 && g.chance(50) {
			continue
		}
		s.Body = append(s.Body, &Stmt{Op: Release, N: h.lock, Read: h.read})
	}
	s.Body = append(s.Body, &Stmt{Op: Return, Value: g.chance(60)})
	return []*Stmt{s}
}

// fork is some goroutines that the function waits for.
func (g *generator) fork(hs []held, depth int) []*Stmt {
	s := &Stmt{Op: Fork}
	if g.chance(30) {
		s.Style = Wrapped
	}
	g.literal++
	defer func() { g.literal-- }()
	for range 1 + g.n(2) {
		// What the parent holds is held against them.
		if b := g.block(asLate(hs), depth+1, 1+g.n(2)); b != nil {
			s.Bodies = append(s.Bodies, b)
		}
	}
	if s.Bodies == nil {
		return nil
	}
	return []*Stmt{s}
}
