package oracle

import "slices"

// A demand is what a schedule that hangs demands of the rules.
type demand struct {
	sub   string // the sub-rule of lockheld
	top   int    // the line where it waits
	stack []int  // that line and those of the calls that lead there
	locks []int
	what  string   // what it waits for, in words
	blind []string // why the rules do not see it, as far as that is promised not to be seen
}

// demands are those of one stuck world.
func (a *alone) demands(w *world) []demand {
	var out []demand
	for g := range w.gs {
		if !w.running(g) {
			continue
		}
		in := &a.ins[w.top(g).pc]
		stack := a.lines(w, g)
		switch {
		case in.op == opLock:
			t := w.top(g)
			out = append(out, a.forLock(w, g, a.lockIn(&t, in.n), stack)...)
		case waits(in):
			for m := range w.locks {
				if w.owns(g, m) && a.mutual(w, g, m, in) {
					d := demand{sub: "blocking", top: in.line, stack: stack, locks: []int{a.class(m)}, what: a.describe(in)}
					s := a.sees(w, g, m)
					d.blind = a.blind(s, m)
					switch {
					case in.op == opJoin || in.op == opAwait:
						if !a.memberFollows(w, g, m) {
							d.blind = append(d.blind, "chosen")
						}
					case a.itself(w, g, in, s):
						d.blind = append(d.blind, "own-function")
					case slices.ContainsFunc(a.ins, func(by instr) bool { return by.tried && a.ends(in, &by) }):
						d.blind = append(d.blind, "behind-trylock")
					}
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// stray reports whether some function releases lock m, or one that goes for the same, without having it.
func (a *alone) stray(m int) bool {
	if a.strays[m] {
		return true
	}
	for o := range a.p.Locks {
		if a.strays[o] && a.p.oneType([]int{o, m}) {
			return true
		}
	}
	return false
}

// blind says why lock m of a goroutine is not seen.
func (a *alone) blind(s sight, m int) []string {
	var out []string
	switch {
	case a.stray(a.class(m)):
		out = append(out, "handed-on")
	case len(s.holders) == 0 && s.chosen:
		out = append(out, "chosen")
	case len(s.holders) == 0:
		out = append(out, "on-some-ways")
	}
	return out
}

// memberFollows reports whether one of the goroutines that g waits for waits for lock m, and follows to there by constants.
func (a *alone) memberFollows(w *world, g, m int) bool {
	return slices.ContainsFunc(a.members(w, g), func(o int) bool { return a.wants(w, o) == m && a.follows(w, o, 0) })
}

// members are the goroutines that g waits for, at a Fork or with a wait group.
func (c *code) members(w *world, g int) []int {
	var out []int
	f := w.top(g)
	in := &c.ins[f.pc]
	for o := range w.gs {
		if w.running(o) && (in.op == opJoin && w.gs[o].group == f.groups[len(f.groups)-1] || in.op == opAwait && w.gs[o].member == in.n+1) {
			out = append(out, o)
		}
	}
	return out
}

// wants is the lock that g waits for; -1 for none.
func (c *code) wants(w *world, g int) int {
	if !w.running(g) {
		return -1
	}
	f := w.top(g)
	if in := &c.ins[f.pc]; in.op == opLock {
		return c.lockIn(&f, in.n)
	}
	return -1
}

// joins reports whether the goroutine r waits for one that runs function owner, and ends the wait in after that: it cannot,
// as long as that one waits itself.
func (a *alone) joins(r root, owner int, in *instr) bool {
	return a.comes([]frame{{pc: r.pc}}, need{lock: -1}, true, func(by *instr, fs []frame) bool {
		if by.op != opFork || !slices.ContainsFunc(by.bodies, func(pc int) bool {
			return a.comes([]frame{{pc: pc}}, need{lock: -1}, true, func(x *instr, _ []frame) bool { return x.owner == owner })
		}) {
			return false
		}
		behind := slices.Clone(fs)
		behind[len(fs)-1].pc++
		return a.comes(behind, need{lock: -1}, true, func(x *instr, _ []frame) bool { return a.ends(in, x) })
	})
}

// itself reports whether the function of g that waits, or one that holds the lock, can end the wait in another goroutine:
// that one may have the lock behind it.
func (a *alone) itself(w *world, g int, in *instr, s sight) bool {
	for _, i := range append(s.holders, len(w.gs[g].frames)-1) {
		owner := a.ins[a.at(w, g, i)].owner
		for _, r := range a.roots {
			if r.goroutine && a.joins(r, owner, in) {
				return true
			}
			if a.ins[r.pc].owner == owner && a.comes([]frame{{pc: r.pc}}, need{lock: -1}, true, func(by *instr, _ []frame) bool { return a.ends(in, by) }) {
				return true
			}
		}
	}
	return false
}

// lines are those of the stack of g.
func (c *code) lines(w *world, g int) []int {
	var out []int
	for _, f := range w.gs[g].frames[1:] {
		out = append(out, f.called)
	}
	return append(out, c.ins[w.top(g).pc].line)
}

// buffered reports whether the wait is about a channel with a buffer.
func (c *code) buffered(in *instr) bool {
	switch in.op {
	case opSend, opReceive:
		return c.room(c.chanIn(&frame{item: 1}, in.n)) > 0
	case opSelect:
		return slices.ContainsFunc(in.arms, func(a Arm) bool { return a.Op != Done && c.room(c.chanIn(&frame{item: 1}, a.N)) > 0 })
	case opPublish:
		return c.p.Item.Buffer > 0
	}
	return false
}

// describe says what kind of wait in is.
func (c *code) describe(in *instr) string {
	buffered := ""
	if c.buffered(in) {
		buffered = "buffered "
	}
	switch in.op {
	case opSend, opReceive, opPublish:
		if in.op != opReceive {
			return buffered + "send"
		}
		if in.value {
			return buffered + "range"
		}
		return buffered + "receive"
	case opSelect:
		return buffered + "select"
	case opDone:
		return "context"
	case opJoin:
		return "join"
	case opAwait:
		return "group"
	case opWake:
		return "condition"
	}
	return "lock"
}

// forLock are the demands of g, which waits for lock m.
func (a *alone) forLock(w *world, g, m int, stack []int) []demand {
	top := stack[len(stack)-1]
	if w.owns(g, m) {
		return []demand{{sub: "relock", top: top, stack: stack, locks: []int{a.class(m)}, what: "lock", blind: a.blind(a.sees(w, g, m), m)}}
	}
	var out []demand
	for _, o := range w.owners(m) {
		if !w.running(o) {
			d := demand{sub: "leak", top: top, stack: stack, locks: []int{a.class(m)}, what: "lock"}
			switch {
			case a.stray(a.class(m)):
				d.blind = []string{"handed-on"}
			case !a.keeps(a.class(m)):
				d.blind = []string{"on-some-ways"}
			}
			out = append(out, d)
		}
	}
	if circle := a.circle(w, g); circle != nil {
		d := demand{sub: "order", top: top, stack: stack, what: "lock"}
		for _, s := range circle {
			d.locks = append(d.locks, a.class(s.lock))
			d.blind = append(d.blind, a.blind(a.sees(w, s.g, s.lock), s.lock)...)
		}
		out = append(out, d)
	}
	return out
}

// keeps reports whether some function that takes lock m itself returns with it, and either has released it on another way
// or never does, and leaves a goroutine that ends with it.
func (a *alone) keeps(m int) bool {
	for _, l := range a.leaks {
		ends := func(o leak) bool { return o.goroutine && o.lock == m && o.from == l.owner }
		own := slices.ContainsFunc(a.ins, func(in instr) bool { return in.op == opLock && in.n == m && in.line == l.site && in.owner == l.owner })
		if l.lock == m && !l.behind && !l.vague && (a.frees[keeps{l.owner, m}] || own && !a.exits[exit{l.owner, m, false}] && slices.ContainsFunc(a.leaks, ends)) {
			return true
		}
	}
	return false
}

// A step is one goroutine on a circle, and the lock that it has and another one waits for.
type step struct{ g, lock int }

// circle is one of goroutines that wait for a lock of the next one each, with g on it; nil where there is none.
func (c *code) circle(w *world, g int) []step {
	var found []step
	var visit func(o int, way []step)
	visit = func(o int, way []step) {
		m := c.wants(w, o)
		if found != nil || m < 0 {
			return
		}
		if slices.ContainsFunc(way, func(s step) bool { return s.lock == m }) {
			return
		}
		next := w.owners(m)
		if p := w.locks[m].pending; p >= 0 && p != o && c.ins[w.top(o).pc].read {
			next = append(next, p) // a writer that waits keeps readers out
		}
		for _, x := range next {
			to := append(slices.Clone(way), step{x, m})
			if x == g && x != o {
				found = to
				return
			}
			if x != o && !slices.ContainsFunc(way, func(s step) bool { return s.g == x }) {
				visit(x, to)
			}
		}
	}
	visit(g, nil)
	if len(found) < 2 {
		return nil
	}
	return found
}

// mutual reports whether another goroutine waits for lock m of g, and nobody can end the wait in of g without it.
func (c *code) mutual(w *world, g, m int, in *instr) bool {
	if c.buffered(in) {
		return false // whether there is room depends on how often
	}
	if in.op == opDone || slices.ContainsFunc(in.arms, func(a Arm) bool { return a.Op == Done }) {
		return false // a context is taken to end
	}
	n := need{lock: c.class(m), read: w.locks[m].writer != g}
	item := w.top(g).item
	if in.op == opPublish {
		item = w.subs[w.top(g).turn] - len(c.p.Chans) + 1
	}
	peer := false
	for o := range w.gs {
		if o == g || c.wants(w, o) != m || n.read && c.ins[w.top(o).pc].read {
			continue
		}
		if in.op == opJoin || in.op == opAwait {
			peer = peer || slices.Contains(c.members(w, g), o)
			continue
		}
		peer = peer || c.comes(w.gs[o].frames, need{lock: -1}, true, func(by *instr, fs []frame) bool {
			return c.ends(in, by) && (!about(in) || fs[len(fs)-1].item == item) // an item's channel has to be the same one
		})
	}
	if in.op == opJoin || in.op == opAwait {
		return peer
	}
	return peer && !c.freed(in, n, true)
}

// at is the instruction in which frame i of g is.
func (c *code) at(w *world, g, i int) int {
	fs := w.gs[g].frames
	pc := fs[i].pc
	if i < len(fs)-1 && pc > 0 {
		if in := &c.ins[pc-1]; (in.op == opCall || in.op == opLiteral) && in.line == fs[i+1].called {
			return pc - 1
		}
	}
	return pc // of the return whose deferred calls run
}

// A sight is what the rules can know of a goroutine that waits with a lock.
type sight struct {
	holders []int // frames
	chosen  bool  // some function holds it, but what happens below depends on bools that it was given itself
}

// sees finds the frames of g in whose functions lock m is held on every way to where they are, and from which what
// happens below follows. What a function does only where one of its parameters says so follows from a constant alone.
func (a *alone) sees(w *world, g, m int) sight {
	var out sight
	fs := w.gs[g].frames
	for i := range fs {
		if a.always[a.place(a.at(w, g, i))]&a.bit(&fs[i], m) == 0 {
			continue
		}
		if a.follows(w, g, i) {
			out.holders = append(out.holders, i)
		} else {
			out.chosen = true
		}
	}
	return out
}

// follows reports whether constants decide all tests of parameters on the way from frame i of g to where it is.
func (a *alone) follows(w *world, g, i int) bool {
	fs := w.gs[g].frames
	var open uint16 // parameters of the frame that matter further down
	for j := len(fs) - 1; j > i; j-- {
		open |= a.ins[a.at(w, g, j)].guards
		var above uint16
		if open != 0 {
			call := &a.ins[a.at(w, g, j-1)]
			for p, arg := range call.args {
				if open&(1<<p) != 0 && arg.Var >= 0 {
					above |= 1 << arg.Var
				}
			}
			if call.op == opReturn {
				above = open // a deferred call: what it was given is not kept
			}
		}
		open = above
	}
	return open == 0
}
