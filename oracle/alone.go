package oracle

import (
	"maps"
	"slices"
)

// A relock is a lock that a goroutine takes while it has it.
type relock struct {
	lock   int
	site   int // the line where the function that has it took it, or called what did
	behind bool
}

// A leak is a lock that function owner took, by a call at line site or itself, and returns with; from has the operation.
type leak struct {
	owner, from, lock, site int
	goroutine               bool // owner is the outermost function of a goroutine, which ends so
	behind                  bool
	vague                   bool // only for some of what a callee was told
}

// An exit is a way out of function owner with a lock that it took, or without.
type exit struct {
	owner, lock int
	held        bool
}

// keeps is a lock and a function that does something to it.
type keeps struct{ owner, lock int }

// A place is an instruction in the text of function owner; the end of a function is one for itself.
type place struct {
	owner, line int
	end         bool
}

func (c *code) place(pc int) place {
	in := &c.ins[pc]
	return place{in.owner, in.line, in.op == opReturn}
}

// alone is what functions do by themselves, each with any arguments, where each wait ends.
type alone struct {
	*code
	relocks map[int][]relock // by each line of the stack
	leaks   []leak
	exits   map[exit]bool
	frees   map[keeps]bool   // taken by owner itself, and released by it
	handed  map[keeps]bool   // taken by owner, and released by another function
	drops   map[keeps]bool   // releases of a caller's lock, on some way
	always  map[place]uint16 // locks that are held on every way to there, in the function that has the place
	strays  map[int]bool     // locks that some function releases without having them, or gives away the release of
	lostBy  map[keeps]bool   // locks that a function keeps on some way, of an item that nobody has any more
	reached map[int]bool     // lines; false where they are reached only behind a lock that is taken again
	cut     bool             // there are too many ways
}

// one is a goroutine of its own.
type one struct {
	frames []solo
	held   []hold
	items  int    // that there are: the first one is what the root is given, or what the function around a literal has
	shared uint32 // those that another goroutine, or the program's object, has
	behind bool   // on the way it took a lock that it had
}

type solo struct {
	frame
	dropped []hold // locks of its callers that it released
}

// hold is a lock that is held.
type hold struct {
	lock  int
	read  bool
	depth int // of the frame that it is charged to; a root's caller has zero
	site  int
	vague bool // whether it is held depends on what a callee was told
	from  int  // the function that took it
}

// maxAlone bounds the states of one root.
const maxAlone = 20000

// judge looks at each root of c by itself. What a function does to its caller's locks, with any arguments, has to be known
// for that: it is found by doing it again until nothing new comes out.
func judge(c *code) *alone {
	a := new(alone)
	for before := -1; before != len(a.exits)+len(a.drops); {
		before = len(a.exits) + len(a.drops)
		a = &alone{
			code: c, relocks: map[int][]relock{}, exits: a.exits, frees: map[keeps]bool{}, handed: map[keeps]bool{}, drops: a.drops,
			always: map[place]uint16{}, lostBy: map[keeps]bool{}, strays: maps.Clone(c.given), reached: map[int]bool{}, cut: a.cut,
		}
		if a.exits == nil {
			a.exits, a.drops = map[exit]bool{}, map[keeps]bool{}
		}
		for _, r := range c.roots {
			a.root(r)
		}
	}
	return a
}

func (a *alone) root(r root) {
	seen := map[string]bool{}
	var todo []*one
	add := func(o *one) {
		if k := o.key(); !seen[k] {
			seen[k] = true
			todo = append(todo, o)
		}
	}
	for vars := range uint16(1) << r.vars {
		add(&one{frames: []solo{{frame: frame{pc: r.pc, vars: vars, item: 1}}}, items: 1})
	}
	for len(todo) > 0 {
		if len(seen) > maxAlone {
			a.cut = true
			return
		}
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		a.next(r, o, add)
	}
}

func (o *one) key() string {
	w := world{gs: []goroutine{{awake: o.behind}}}
	b := []byte{byte(o.items), byte(o.shared), byte(o.shared >> 8)}
	for _, f := range o.frames {
		w.gs[0].frames = append(w.gs[0].frames, f.frame)
		for _, d := range f.dropped {
			b = append(b, byte(d.lock), byte(d.depth), byte(d.site), byte(d.site>>8))
		}
		b = append(b, 254)
	}
	for _, h := range o.held {
		read := byte(0)
		if h.read {
			read = 1
		}
		if h.vague {
			read += 2
		}
		b = append(b, byte(h.lock), read, byte(h.from), byte(h.depth), byte(h.site), byte(h.site>>8))
	}
	return w.key() + string(b)
}

func (o *one) clone() *one {
	n := *o
	n.frames, n.held = slices.Clone(o.frames), slices.Clone(o.held)
	return &n
}

// stack are the lines of the instruction and of the calls that lead to it.
func (a *alone) stack(o *one) []int {
	var out []int
	for _, f := range o.frames[1:] {
		out = append(out, f.called)
	}
	return append(out, a.ins[o.frames[len(o.frames)-1].pc].line)
}

// from is the N of statements in frame f about lock m; that of none where it is the lock of another item.
func (c *code) from(f *frame, m int) int {
	if m < len(c.p.Locks) || m == c.lockIn(f, Own) {
		return c.class(m)
	}
	return Own - 1
}

// bit is that of lock m in the sets of locks that are held where frame f is.
func (c *code) bit(f *frame, m int) uint16 {
	switch c.from(f, m) {
	case m:
		return 1 << m
	case Own:
		return 1 << 15
	}
	return 0
}

// lost reports whether nobody has the item of lock m any more, once o has left its innermost function by the return in: what
// it made itself, kept for itself, and does not give back.
func (a *alone) lost(o *one, in *instr, m int) bool {
	item := m - len(a.p.Locks) + 1
	if item <= 1 || o.shared&(1<<item) != 0 {
		return false
	}
	outer := o.frames[:len(o.frames)-1]
	if in.n == Own && o.frames[len(outer)].item == item {
		return false
	}
	return !slices.ContainsFunc(outer, func(f solo) bool { return f.item == item })
}

func (a *alone) next(r root, o *one, add func(*one)) {
	depth := len(o.frames)
	f := o.frames[depth-1]
	in := &a.ins[f.pc]
	if was, ok := a.reached[in.line]; !ok || !was {
		a.reached[in.line] = !o.behind
	}
	if depth == 1 {
		var has uint16
		for _, h := range o.held {
			if !h.vague {
				has |= a.bit(&f.frame, h.lock)
			}
		}
		if before, ok := a.always[a.place(f.pc)]; ok {
			has &= before
		}
		a.always[a.place(f.pc)] = has
	}
	to := func(n *one, do func(f *solo)) {
		n.frames[depth-1].pc++
		if do != nil {
			do(&n.frames[depth-1])
		}
		add(n)
	}
	switch in.op {
	case opLock:
		a.lock(o, in, func(n *one) { to(n, nil) })
	case opUnlock:
		n := o.clone()
		a.release(n, a.lockIn(&f.frame, in.n), in.read, in.owner)
		to(n, nil)
	case opTry:
		to(o.clone(), func(f *solo) { f.pc = in.to })
		m := a.lockIn(&f.frame, in.n)
		if !slices.ContainsFunc(o.held, func(h hold) bool { return h.lock == m && (!in.read || !h.read) }) {
			n := o.clone()
			n.acquire(m, in.read, in.line, in.owner)
			to(n, nil)
		}
	case opBranch:
		yes := f.vars&(1<<in.n) != 0
		if yes || in.free {
			to(o.clone(), nil)
		}
		if !yes || in.free {
			to(o.clone(), func(f *solo) { f.pc = in.to })
		}
	case opTest: // what a callee says may be either
		to(o.clone(), nil)
		to(o.clone(), func(f *solo) { f.pc = in.to })
	case opJump:
		to(o.clone(), func(f *solo) { f.pc = in.to })
	case opSet:
		to(o.clone(), func(f *solo) {
			f.vars &^= 1 << in.n
			if in.value {
				f.vars |= 1 << in.n
			}
		})
	case opDefer, opDeferCall, opDeferLiteral:
		to(o.clone(), func(f *solo) {
			f.late = append(slices.Clone(f.late), a.deferred(in, &f.frame, evaluate(in.args, f.vars)))
		})
	case opNew:
		n := o.clone()
		n.items++
		to(n, func(f *solo) { f.item = n.items })
	case opMade:
		n := o.clone()
		if !f.result { // it may be made all the same, like what a callee says
			to(o.clone(), func(f *solo) { f.pc = in.to })
			n.items++
			n.frames[depth-1].item = n.items
		}
		to(n, nil)
	case opSpawn, opStart, opFork, opSubscribe:
		n := o.clone()
		n.shared |= 1 << f.item
		to(n, nil)
	case opCall, opLiteral:
		n := o.clone()
		n.frames[depth-1].pc++
		callee := frame{pc: in.to, called: in.line, vars: f.vars, item: f.item}
		if in.op == opCall {
			callee.pc, callee.vars = a.entry[in.n], evaluate(in.args, f.vars)
		}
		n.frames = append(n.frames, solo{frame: callee})
		add(n)
	case opReturn:
		a.leave(r, o, in, add)
	case opWait:
		n := o.clone() // the lock is let go and taken again; what else is held stays
		n.frames[depth-1].pc++
		to(n, nil)
	default:
		to(o.clone(), nil)
	}
}

// lock takes a lock. Behind one that o has already, both are tried: as if the second operation were not there, and as if
// it did not wait.
func (a *alone) lock(o *one, in *instr, next func(*one)) {
	m := a.lockIn(&o.frames[len(o.frames)-1].frame, in.n)
	for _, h := range o.held {
		if h.lock != m || h.read && in.read {
			continue
		}
		for _, line := range a.stack(o) {
			if r := (relock{a.class(m), h.site, o.behind}); !slices.Contains(a.relocks[line], r) {
				a.relocks[line] = append(a.relocks[line], r)
			}
		}
		without := o.clone()
		without.behind = true
		next(without)
		both := o.clone()
		both.behind = true
		both.acquire(m, in.read, in.line, in.owner)
		next(both)
		return
	}
	n := o.clone()
	n.acquire(m, in.read, in.line, in.owner)
	next(n)
}

func (o *one) acquire(lock int, read bool, line, owner int) {
	h := hold{lock: lock, read: read, depth: len(o.frames), site: line, from: owner}
	// What a caller held, was released here and is taken again, is the caller's as before.
	for i := len(o.frames) - 1; i >= 0; i-- {
		for j, d := range o.frames[i].dropped {
			if d.lock == lock && d.read == read {
				h.depth, h.site, h.from = d.depth, d.site, d.from
				o.frames[i].dropped = slices.Delete(slices.Clone(o.frames[i].dropped), j, j+1)
				o.held = append(o.held, h)
				return
			}
		}
	}
	o.held = append(o.held, h)
}

func (a *alone) release(o *one, lock int, read bool, owner int) {
	depth := len(o.frames)
	for i, h := range slices.Backward(o.held) {
		if h.lock == lock && h.read == read {
			o.held = slices.Delete(o.held, i, i+1)
			if !o.behind && h.depth >= depth {
				a.frees[keeps{owner, a.class(lock)}] = true
			}
			if !o.behind && h.from != owner {
				a.handed[keeps{h.from, a.class(lock)}] = true
			}
			if h.depth < depth {
				o.frames[depth-1].dropped = append(slices.Clone(o.frames[depth-1].dropped), h)
			}
			return
		}
	}
	o.frames[depth-1].dropped = append(slices.Clone(o.frames[depth-1].dropped), hold{lock: lock, read: read, from: owner})
}

// leave ends the innermost call.
func (a *alone) leave(r root, o *one, in *instr, add func(*one)) {
	depth := len(o.frames)
	n := o.clone()
	f := &n.frames[depth-1]
	if len(f.late) > 0 {
		l := f.late[len(f.late)-1]
		f.late = f.late[:len(f.late)-1]
		if l.pc >= 0 {
			n.frames = append(n.frames, solo{frame: l.frame(&f.frame)})
		} else {
			a.release(n, l.lock, l.read, in.owner)
		}
		add(n)
		return
	}
	site := 0
	if depth > 1 {
		caller := &n.frames[depth-2]
		caller.result = in.value
		if in.n == Own {
			caller.item = f.item
		}
		caller.dropped = append(slices.Clone(caller.dropped), f.dropped...)
		site = f.called
	}
	if depth == 1 {
		for _, d := range f.dropped {
			a.strays[a.class(d.lock)] = true
			a.drops[keeps{in.owner, a.from(&f.frame, d.lock)}] = true
		}
		for m := range append(slices.Clone(a.p.Locks), Lock{}) {
			c := a.class(m)
			m = a.lockIn(&f.frame, c)
			a.exits[exit{in.owner, c, slices.ContainsFunc(n.held, func(h hold) bool { return h.lock == m && !h.vague })}] = true
		}
	}
	n.held = slices.DeleteFunc(n.held, func(h hold) bool {
		lost := a.lost(n, in, h.lock)
		if lost {
			a.lostBy[keeps{in.owner, Own}] = true
		}
		return lost
	})
	for i, h := range n.held {
		m := a.from(&f.frame, h.lock)
		if h.depth >= depth && a.exits[exit{in.owner, m, false}] || h.depth < depth && a.drops[keeps{in.owner, m}] {
			n.held[i].vague = true
		}
	}
	for i, h := range n.held {
		if h.depth < depth {
			continue
		}
		l := leak{in.owner, h.from, a.class(h.lock), h.site, depth == 1 && r.top, o.behind, n.held[i].vague}
		if !slices.Contains(a.leaks, l) {
			a.leaks = append(a.leaks, l)
		}
		n.held[i].depth, n.held[i].site = depth-1, site
	}
	n.frames = n.frames[:depth-1]
	if depth > 1 {
		add(n)
	}
}
