package oracle

import (
	"errors"
	"slices"
)

// Exploration says what can become of a program.
type Exploration struct {
	States   int  // that were seen, between two operations that other goroutines can notice
	Steps    int  // from one of them to another
	Finishes bool // some schedule ends all goroutines
	Ends     bool // some schedule ends all that Run waits for

	stuck   []*world     // the states in which something waits forever
	left    []*world     // all goroutines have ended, and a lock is still held
	reached map[int]bool // lines
	waited  map[int]bool // lines where a wait group has goroutines that have not ended
}

// Hangs reports whether Run, or a goroutine that it does not wait for, waits forever in some schedule.
func (x *Exploration) Hangs() bool { return len(x.stuck) > 0 }

// Errors of programs that are left out.
var (
	ErrPanics   = errors.New("the program panics in some schedule")
	ErrTooBig   = errors.New("the program has too many states")
	ErrUnscoped = errors.New("the program names what it does not have")
)

// MaxStates bounds the exploration of one program.
const MaxStates = 15000

// explorer walks all schedules of a program.
type explorer struct {
	*code
	anything bool // bool arguments may have any value
	out      *Exploration
	seen     map[string]bool
	todo     []*world
	err      error
}

// explore walks all schedules of c; with anything, for all values of the arguments of each call and of its result. An error says that the program
// panics or is too big.
func explore(c *code, anything bool) (*Exploration, error) {
	x := &explorer{code: c, anything: anything, out: &Exploration{reached: map[int]bool{}, waited: map[int]bool{}}, seen: map[string]bool{}}
	x.add(newWorld(c))
	for len(x.todo) > 0 && x.err == nil {
		w := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.expand(w)
		if len(x.seen) > MaxStates {
			return nil, ErrTooBig
		}
	}
	x.out.States = len(x.seen)
	return x.out, x.err
}

// add lets all goroutines of w do what no other one can notice, and keeps what comes out.
func (x *explorer) add(w *world) {
	x.out.Steps++
	for g := 0; g < len(w.gs); g++ { // goroutines are added on the way
		for w.running(g) && x.local(w, g) {
		}
	}
	k := w.key()
	if !x.seen[k] {
		x.seen[k] = true
		x.todo = append(x.todo, w)
	}
}

// chooses reports whether the instruction depends on a bool that may have any value: the arguments of a call, or its
// result.
func (x *explorer) chooses(in *instr) bool {
	return x.anything && (in.op == opTest || len(in.args) > 0 && (in.op == opCall || in.op == opSpawn || in.op == opDeferCall))
}

// local is a step of g that no other goroutine can notice and that has one outcome; false where the next step is none.
func (x *explorer) local(w *world, g int) bool {
	f := w.top(g)
	in := &x.ins[f.pc]
	x.out.reached[in.line] = true
	if x.chooses(in) {
		return false
	}
	switch in.op {
	case opBranch, opTest, opJump, opSet, opDefer, opDeferCall, opDeferLiteral, opCall, opSpawn, opLiteral, opFork, opNew, opMade:
		x.step(w, g, evaluate(in.args, f.vars))
		return true
	case opReturn:
		if len(f.late) > 0 || len(w.gs[g].frames) == 1 && w.gs[g].member > 0 {
			return false
		}
		x.pop(w, g, in)
		return true
	}
	return false
}

// pop ends the innermost call of g by the return in, or g itself.
func (x *explorer) pop(w *world, g int, in *instr) {
	item := w.top(g).item
	w.put(g)
	if n := len(w.gs[g].frames); n > 0 {
		f := w.top(g)
		f.result = in.value
		if in.n == Own {
			f.item = item
		}
		w.put(g, f)
	} else if member := w.gs[g].member; member > 0 {
		if w.counts[member-1]--; w.counts[member-1] == 0 {
			for o := range w.gs {
				if x.awaiting(w, o, member-1) {
					w.gs[o].awake = true
				}
			}
		}
	} else if group := w.gs[g].group; group >= 0 {
		w.groups = slices.Clone(w.groups)
		w.groups[group]--
	}
}

// awaiting reports whether goroutine g waits for wait group n.
func (x *explorer) awaiting(w *world, g, n int) bool {
	if !w.running(g) {
		return false
	}
	in := &x.ins[w.top(g).pc]
	return in.op == opAwait && in.n == n
}

// evaluate gives the variables of a callee.
func evaluate(args []Arg, vars uint16) uint16 {
	var out uint16
	for i, a := range args {
		if a.Var >= 0 && vars&(1<<a.Var) != 0 || a.Var < 0 && a.Value {
			out |= 1 << i
		}
	}
	return out
}

// step does the local instruction of g, with args for a callee.
func (x *explorer) step(w *world, g int, args uint16) {
	f := w.top(g)
	in := &x.ins[f.pc]
	f.pc++
	switch in.op {
	case opBranch:
		if f.vars&(1<<in.n) == 0 {
			f.pc = in.to
		}
	case opTest:
		if !f.result {
			f.pc = in.to
		}
	case opJump:
		f.pc = in.to
	case opSet:
		f.vars &^= 1 << in.n
		if in.value {
			f.vars |= 1 << in.n
		}
	case opDefer, opDeferCall, opDeferLiteral:
		f.late = append(slices.Clone(f.late), x.deferred(in, &f, args))
	case opNew:
		f.item = w.newItem(x.code)
	case opMade:
		if !f.result {
			f.pc = in.to
		}
	case opCall:
		w.put(g, f, frame{pc: x.entry[in.n], called: in.line, vars: args, item: f.item})
		return
	case opLiteral:
		w.put(g, f, frame{pc: in.to, called: in.line, vars: f.vars, item: f.item})
		return
	case opSpawn:
		w.gs = append(w.gs, goroutine{frames: []frame{{pc: x.entry[in.n], vars: args, item: f.item}}, group: -1, spawn: true})
	case opStart:
		w.gs = append(w.gs, goroutine{frames: []frame{{pc: x.entry[in.n], vars: args, item: f.item}}, group: -1, spawn: true, member: in.group + 1})
		w.counts[in.group]++
	case opFork:
		f.groups = append(slices.Clone(f.groups), len(w.groups))
		for _, pc := range in.bodies {
			w.gs = append(w.gs, goroutine{frames: []frame{{pc: pc, vars: f.vars, item: f.item}}, group: len(w.groups), spawn: w.gs[g].spawn})
		}
		w.groups = append(w.groups, len(in.bodies))
	}
	w.put(g, f)
}

// deferred is what in, in frame f, puts off to the end of the function, with args for a callee.
func (c *code) deferred(in *instr, f *frame, args uint16) late {
	switch in.op {
	case opDefer:
		return late{pc: -1, lock: c.lockIn(f, in.n), read: in.read}
	case opDeferLiteral:
		return late{pc: in.to, literal: true, item: f.item, line: in.line}
	}
	return late{pc: c.entry[in.n], vars: args, item: f.item, line: in.line}
}

// frame is that of the deferred call l of f.
func (l late) frame(f *frame) frame {
	vars := l.vars
	if l.literal { // they are those at the end
		vars = f.vars
	}
	return frame{pc: l.pc, called: l.line, vars: vars, item: l.item}
}

// expand adds what can follow on w.
func (x *explorer) expand(w *world) {
	before := x.out.Steps
	for g := range w.gs {
		if !w.running(g) {
			continue
		}
		f := w.top(g)
		if in := &x.ins[f.pc]; x.chooses(in) {
			if in.op == opTest {
				for _, pc := range []int{f.pc + 1, in.to} {
					n := w.clone()
					f.pc = pc
					n.put(g, f)
					x.add(n)
				}
				return
			}
			for args := range uint16(1) << len(in.args) {
				n := w.clone()
				x.step(n, g, args)
				x.add(n)
			}
			return // it makes no difference to others when this happens
		}
	}
	alive, waited := false, false
	for g := range w.gs {
		if !w.running(g) {
			continue
		}
		alive = true
		waited = waited || !w.gs[g].spawn
		x.visible(w, g)
	}
	x.fire(w)
	if !waited {
		x.out.Ends = true
	}
	if x.out.Steps > before || x.err != nil {
		return
	}
	if alive {
		x.out.stuck = append(x.out.stuck, w)
		return
	}
	x.out.Finishes = true
	for m := range w.locks {
		if len(w.owners(m)) > 0 {
			x.out.left = append(x.out.left, w)
			break
		}
	}
}

// fire lets the time of a context come.
func (x *explorer) fire(w *world) {
	for c, kind := range x.p.Contexts {
		if kind != Timeout || w.ended[c] {
			continue
		}
		for g := range w.gs {
			if w.running(g) && x.awaits(&x.ins[w.top(g).pc], c) {
				n := w.clone()
				n.ended[c] = true
				x.add(n)
				break
			}
		}
	}
}

func (x *explorer) awaits(in *instr, context int) bool {
	return in.op == opDone && in.n == context || in.op == opSelect && slices.Contains(in.arms, Arm{Done, context})
}

// visible adds the states behind the next step of g, one that others can notice.
func (x *explorer) visible(w *world, g int) {
	f := w.top(g)
	in := &x.ins[f.pc]
	next := func(do func(n *world)) {
		n := w.clone()
		do(n)
		x.add(n)
	}
	switch in.op {
	case opLock:
		x.lock(w, g, x.lockIn(&f, in.n), in.read)
	case opUnlock:
		n := w.clone()
		if !n.drop(g, x.lockIn(&f, in.n), in.read) {
			x.err = ErrPanics
			return
		}
		n.advance(g)
		x.add(n)
	case opReturn: // with deferred calls, or of a group's goroutine
		if len(f.late) == 0 {
			next(func(n *world) { x.pop(n, g, in) })
			return
		}
		l := f.late[len(f.late)-1]
		n := w.clone()
		rest := f
		rest.late = f.late[:len(f.late)-1]
		n.put(g, rest)
		if l.pc >= 0 {
			n.put(g, rest, l.frame(&rest))
		} else if !n.drop(g, l.lock, l.read) {
			x.err = ErrPanics
			return
		}
		x.add(n)
	case opTry:
		m := x.lockIn(&f, in.n)
		free := w.free(m, in.read)
		if free {
			next(func(n *world) {
				n.take(x.code, g, m, in.read)
				n.advance(g)
			})
		}
		if !free || x.wanted(w, m) { // it may go to one that has waited for long
			next(func(n *world) {
				f.pc = in.to
				n.put(g, f)
			})
		}
	case opSend:
		x.communicate(w, g, Arm{Send, in.n})
	case opReceive:
		x.communicate(w, g, Arm{Receive, in.n})
	case opDone:
		x.communicate(w, g, Arm{Done, in.n})
	case opSelect:
		surely := false
		for _, a := range in.arms {
			surely = x.communicate(w, g, a) || surely
		}
		if in.n == 1 && !surely {
			next(func(n *world) { n.advance(g) })
		}
	case opClose:
		ch := x.chanIn(&f, in.n)
		if w.chans[ch].closed {
			x.err = ErrPanics
			return
		}
		next(func(n *world) {
			n.chans[ch].closed = true
			n.advance(g)
		})
	case opWait:
		next(func(n *world) {
			if n.ready[x.condIn(&f, in.n)] {
				f.pc += 2
				n.put(g, f)
				return
			}
			if !n.drop(g, x.guardIn(&f, in.n), false) {
				x.err = ErrPanics
			}
			n.gs[g].awake = false
			n.advance(g)
		})
	case opWake:
		if w.gs[g].awake {
			x.lock(w, g, x.guardIn(&f, in.n), false)
		}
	case opSignal:
		next(func(n *world) {
			d := x.condIn(&f, in.n)
			n.ready[d] = true
			for o := range n.gs {
				if !n.running(o) {
					continue
				}
				if t := n.top(o); x.ins[t.pc].op == opWake && x.condIn(&t, x.ins[t.pc].n) == d {
					n.gs[o].awake = true
				}
			}
			n.advance(g)
		})
	case opCancel:
		next(func(n *world) {
			n.ended[in.n] = true
			n.advance(g)
		})
	case opJoin:
		if group := f.groups[len(f.groups)-1]; w.groups[group] == 0 {
			next(func(n *world) {
				f.groups = f.groups[:len(f.groups)-1]
				f.pc++
				n.put(g, f)
			})
		}
	case opStart:
		if x.misused(w, in.group) {
			x.err = ErrPanics
			return
		}
		if !x.anything {
			next(func(n *world) { x.step(n, g, evaluate(in.args, f.vars)) })
			return
		}
		for args := range uint16(1) << len(in.args) {
			next(func(n *world) { x.step(n, g, args) })
		}
	case opAwait:
		if w.counts[in.n] > 0 {
			x.out.waited[in.line] = true
		}
		if w.counts[in.n] == 0 || w.gs[g].awake {
			next(func(n *world) {
				n.gs[g].awake = false
				n.advance(g)
			})
		}
	case opSubscribe:
		next(func(n *world) {
			n.subs = append(n.subs, x.chanIn(&f, Own))
			n.advance(g)
		})
	case opPublish:
		if f.turn < len(w.subs) {
			x.communicate(w, g, Arm{Send, Own})
			return
		}
		next(func(n *world) {
			f.turn = 0
			f.pc++
			n.put(g, f)
		})
	}
}

// misused reports whether a start in wait group n may come between the end of its last goroutine and those that waited for
// it, where Go panics.
func (x *explorer) misused(w *world, n int) bool {
	if w.counts[n] > 0 {
		return false
	}
	for o := range w.gs {
		if x.awaiting(w, o, n) && w.gs[o].awake {
			return true
		}
	}
	return false
}

// lock adds the states behind an attempt of g to take lock m.
func (x *explorer) lock(w *world, g, m int, read bool) {
	n := w.clone()
	has, changed := n.take(x.code, g, m, read)
	if has {
		n.advance(g)
	}
	if changed {
		x.add(n)
	}
}

// wanted reports whether some goroutine is about to take lock m.
func (x *explorer) wanted(w *world, m int) bool {
	for g := range w.gs {
		if w.running(g) {
			f := w.top(g)
			if in := &x.ins[f.pc]; in.op == opLock && x.lockIn(&f, in.n) == m {
				return true
			}
		}
	}
	return false
}

// target is the channel of arm a of the instruction at which g is.
func (x *explorer) target(w *world, g int, a Arm) int {
	f := w.top(g)
	if x.ins[f.pc].op == opPublish {
		return w.subs[f.turn]
	}
	return x.chanIn(&f, a.N)
}

// meets are the arms with which g waits at another goroutine.
func (x *explorer) meets(w *world, g int) []Arm {
	f := w.top(g)
	switch in := &x.ins[f.pc]; in.op {
	case opSend:
		return []Arm{{Send, in.n}}
	case opReceive:
		return []Arm{{Receive, in.n}}
	case opPublish:
		if f.turn < len(w.subs) {
			return []Arm{{Send, Own}}
		}
	case opSelect:
		if in.n == 0 {
			return in.arms
		}
	}
	return nil
}

// passed moves g, which has communicated, on: to the next instruction, or where that is a loop, to its next turn, unless it
// was on a closed channel.
func (x *explorer) passed(w *world, g int, closed bool) {
	f := w.top(g)
	switch in := &x.ins[f.pc]; {
	case in.op == opPublish:
		f.turn++
		w.put(g, f)
	case in.op != opReceive || !in.value || closed:
		w.advance(g)
	}
}

// communicate adds the states behind an operation of g on a channel or context. It reports whether a select could not take
// its default case: the operation needs nobody else.
func (x *explorer) communicate(w *world, g int, a Arm) bool {
	next := func(n *world, closed bool) {
		x.passed(n, g, closed)
		x.add(n)
	}
	if a.Op == Done {
		if w.ended[a.N] {
			next(w.clone(), true)
			return true
		}
		return false
	}
	c := x.target(w, g, a)
	ch := w.chans[c]
	switch {
	case ch.closed && a.Op == Send:
		x.err = ErrPanics
		return true
	case a.Op == Send && ch.n < x.room(c):
		n := w.clone()
		n.chans[c].n++
		next(n, false)
		return true
	case a.Op == Receive && ch.n > 0:
		n := w.clone()
		n.chans[c].n--
		next(n, false)
		return true
	case ch.closed:
		next(w.clone(), true)
		return true
	case x.room(c) > 0:
		return false
	}
	// Both sides meet. Two that do not wait never do.
	other := Receive
	if a.Op == Receive {
		other = Send
	}
	for o := range w.gs {
		if o == g || !w.running(o) || !slices.ContainsFunc(x.meets(w, o), func(b Arm) bool { return b.Op == other && x.target(w, o, b) == c }) {
			continue
		}
		n := w.clone()
		x.passed(n, o, false)
		next(n, false)
	}
	return false
}

// Explore walks all schedules of p. An error is ErrPanics, ErrTooBig or ErrUnscoped.
func Explore(p *Program) (*Exploration, error) {
	if !p.scoped() {
		return nil, ErrUnscoped
	}
	return explore(compile(p, Emit(p, Form{Package: "program"})), false)
}
