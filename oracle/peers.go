package oracle

import "slices"

// waits reports whether the instruction may wait for another goroutine, other than for a lock.
func waits(in *instr) bool {
	switch in.op {
	case opSend, opReceive, opDone, opJoin, opWake, opAwait, opPublish:
		return true
	case opSelect:
		return in.n == 0
	}
	return false
}

// ends reports whether the instruction by can end the wait in.
func (c *code) ends(in, by *instr) bool {
	arms := in.arms
	switch in.op {
	case opSend:
		arms = []Arm{{Send, in.n}}
	case opPublish:
		arms = []Arm{{Send, Own}}
	case opReceive:
		arms = []Arm{{Receive, in.n}}
		if in.value { // a range ends when the channel is closed
			return by.op == opClose && by.n == in.n
		}
	case opDone:
		arms = []Arm{{Done, in.n}}
	case opWake:
		return by.op == opSignal && by.n == in.n
	}
	for _, a := range arms {
		switch a.Op {
		case Send:
			if by.op == opReceive && by.n == a.N || by.op == opSelect && slices.Contains(by.arms, Arm{Receive, a.N}) {
				return true
			}
		case Receive:
			if (by.op == opSend || by.op == opClose) && by.n == a.N || by.op == opPublish && a.N == Own || by.op == opSelect && slices.Contains(by.arms, Arm{Send, a.N}) {
				return true
			}
		case Done:
			if by.op == opCancel && by.n == a.N {
				return true
			}
		}
	}
	return false
}

// endsItself reports whether the time alone ends the wait.
func (c *code) endsItself(in *instr) bool {
	return in.op == opDone && c.p.Contexts[in.n] == Timeout ||
		in.op == opSelect && slices.ContainsFunc(in.arms, func(a Arm) bool { return a.Op == Done && c.p.Contexts[a.N] == Timeout })
}

// need is a lock that somebody holds, for reading only or not; lock is negative for none.
type need struct {
	lock   int
	read   bool
	behind bool // nor does a wait for an item or a wait group end
}

// stops reports whether in ends the way.
func (n need) stops(in *instr) bool {
	return n.behind && waits(in) && (in.op == opAwait || in.n == Own || in.op == opPublish)
}

// blocks reports whether an operation on lock m has to wait for it. That on the lock of an item need not: it may be another
// item.
func (n need) blocks(m int, read bool) bool { return m == n.lock && m != Own && (!read || !n.read) }

// freed reports whether some goroutine of the program can come to an instruction that ends the wait in without taking what n
// holds first; with anything, whatever the bool arguments of calls are. A wait for goroutines is freed only where none of them
// takes the lock on any way.
func (c *code) freed(in *instr, n need, anything bool) bool {
	if c.endsItself(in) || in.op == opAwait { // which goroutines are in a wait group, and when, is not in the text
		return true
	}
	if in.op == opJoin {
		for i := range c.ins {
			if f := &c.ins[i]; f.op == opFork && c.ins[i+1].line == in.line && c.someTake(f.bodies, n) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(c.roots, func(r root) bool {
		return r.goroutine && c.comes([]frame{{pc: r.pc}}, n, anything || !r.run, func(by *instr, _ []frame) bool { return c.ends(in, by) })
	})
}

// someTake reports whether one of the goroutines with this code may take what n holds, or one that it waits for.
func (c *code) someTake(bodies []int, n need) bool {
	return slices.ContainsFunc(bodies, func(pc int) bool {
		return c.comes([]frame{{pc: pc}}, need{lock: -1}, true, func(by *instr, _ []frame) bool {
			return by.op == opLock && n.blocks(by.n, by.read) || by.op == opWake && by.n != Own && n.blocks(c.p.Conds[by.n], false) ||
				by.op == opFork && c.someTake(by.bodies, n)
		})
	})
}

// mayTake reports whether some goroutine of the program can take what n holds, and come to an instruction that ends the wait
// in after that.
func (c *code) mayTake(in *instr, n need) bool {
	return slices.ContainsFunc(c.roots, func(r root) bool {
		return r.goroutine && c.comes([]frame{{pc: r.pc}}, need{lock: -1}, true, func(by *instr, fs []frame) bool {
			if !(by.op == opLock && n.blocks(by.n, by.read) || by.op == opFork && c.someTake(by.bodies, n)) {
				return false
			}
			behind := slices.Clone(fs)
			behind[len(fs)-1].pc++
			return c.comes(behind, need{lock: -1}, true, func(by *instr, _ []frame) bool { return c.ends(in, by) })
		})
	})
}

// ended reports whether the program has any instruction that can end the wait.
func (c *code) ended(in *instr) bool {
	return c.endsItself(in) || in.op == opJoin || in.op == opAwait || slices.ContainsFunc(c.ins, func(by instr) bool { return c.ends(in, &by) })
}

// about reports whether the wait in concerns an item's channel or condition variable.
func about(in *instr) bool {
	return in.n == Own || in.op == opPublish || slices.ContainsFunc(in.arms, func(a Arm) bool { return a.N == Own })
}

// comes reports whether a goroutine with the frames from can come to an instruction that goal wants, without an operation
// that has to wait for what n holds. With anything, every test may go either way, and the same one goes the same way again,
// if the rules remember it. Without a goal, it is the end of the goroutine.
func (c *code) comes(from []frame, n need, anything bool, goal func(*instr, []frame) bool) bool {
	seen := map[string]bool{}
	todo := [][]frame{from}
	for len(todo) > 0 && len(seen) < maxAlone {
		fs := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		k := (&world{gs: []goroutine{{frames: fs}}}).key()
		if seen[k] {
			continue
		}
		seen[k] = true
		last := len(fs) - 1
		f := fs[last]
		in := &c.ins[f.pc]
		if goal != nil && goal(in, fs) {
			return true
		}
		if n.stops(in) {
			continue
		}
		put := func(more ...frame) { todo = append(todo, append(slices.Clone(fs[:last]), more...)) }
		at := func(pc int) frame {
			f := f
			f.pc = pc
			return f
		}
		switch in.op {
		case opLock:
			if !n.blocks(in.n, in.read) {
				put(at(f.pc + 1))
			}
		case opTry:
			put(at(in.to))
			if !n.blocks(in.n, in.read) {
				put(at(f.pc + 1))
			}
		case opBranch:
			yes := f.vars&(1<<in.n) != 0
			either := anything && (in.free || f.known&(1<<in.n) == 0)
			for _, v := range []bool{false, true} {
				if !either && v != yes {
					continue
				}
				g := at(in.to)
				g.vars &^= 1 << in.n
				if v {
					g = at(f.pc + 1)
					g.vars |= 1 << in.n
				}
				g.known |= 1 << in.n // it is the same when it is asked again
				put(g)
			}
		case opTest:
			put(at(in.to))
			put(at(f.pc + 1))
		case opSet:
			g := at(f.pc + 1)
			g.known |= 1 << in.n
			g.vars &^= 1 << in.n
			if in.value {
				g.vars |= 1 << in.n
			}
			put(g)
		case opJump:
			put(at(in.to))
		case opCall:
			put(at(f.pc+1), frame{pc: c.entry[in.n], vars: evaluate(in.args, f.vars), item: f.item})
		case opLiteral:
			put(at(f.pc+1), frame{pc: in.to, vars: f.vars, known: f.known, item: f.item})
		case opDefer:
			put(at(f.pc + 1)) // a release is no way to anything
		case opDeferCall, opDeferLiteral:
			g := at(f.pc + 1)
			g.late = append(slices.Clone(f.late), c.deferred(in, &f, evaluate(in.args, f.vars)))
			put(g)
		case opMade:
			put(at(in.to))
			put(at(f.pc + 1))
		case opNew: // nobody waits for it yet
			g := at(f.pc + 1)
			g.item = 0
			put(g)
		case opJoin:
			// The goroutines have to end first.
			passes := true
			for _, pc := range c.ins[f.pc-1].bodies {
				passes = passes && c.comes([]frame{{pc: pc, vars: f.vars}}, n, anything, nil)
			}
			if passes {
				put(at(f.pc + 1))
			}
		case opReturn:
			if k := len(f.late); k > 0 {
				g := f
				g.late = f.late[:k-1]
				if l := f.late[k-1]; l.pc >= 0 {
					put(g, l.frame(&g))
				} else {
					put(g)
				}
			} else if last > 0 {
				put()
			} else if goal == nil {
				return true
			}
		default:
			put(at(f.pc + 1))
		}
	}
	return false
}
