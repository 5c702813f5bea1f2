package oracle

// code is a program as instructions. Loops are unrolled, and each function and literal ends in a ret.
type code struct {
	p     *Program
	ins   []instr
	entry []int // by function
	start []int // of the goroutines that Run starts
	roots []root
	given map[int]bool // locks whose release some function gives away as a method value
}

// A root is code that runs on its own: a function, a literal on a goroutine, a goroutine of Run.
type root struct {
	pc        int
	vars      int  // the number of bools that may have any value
	goroutine bool // something in the program starts it as a goroutine
	run       bool // Run does
	top       bool // nothing calls it
}

type opcode uint8

const (
	opLock opcode = iota + 1
	opUnlock
	opDefer     // of an unlock: lock n
	opDeferCall // of function n
	opTry       // to where it fails
	opSend
	opReceive
	opSelect // arms, with a default case where n is one
	opClose
	opWait   // where the flag of condition n is not set
	opWake   // behind opWait: takes the lock again
	opSignal // condition n
	opCancel
	opDone
	opCall    // function n, on which pc is in to
	opSpawn   // the same
	opLiteral // code at to
	opBranch  // to where variable n is false
	opTest    // to where the last call did not give true
	opSet
	opJump
	opReturn
	opFork // starts the code at bodies
	opJoin
	opNew          // an item
	opMade         // to where the last call has made none
	opDeferLiteral // of the code at to
	opStart        // function n in wait group group
	opAwait
	opSubscribe
	opPublish
)

type instr struct {
	op     opcode
	n      int
	read   bool
	value  bool
	to     int
	args   []Arg
	arms   []Arm
	bodies []int
	group  int
	line   int
	owner  int    // the function that it is in
	guards uint16 // the function's parameters that decide whether it happens
	tried  bool   // it happens only where a TryLock has the lock
	free   bool   // a test of a parameter in a loop: the rules do not remember it from one turn to the next
}

type compiler struct {
	code
	t        *Text
	owner    int
	later    []func() // literals, which come behind the functions
	wrapped  map[wrapper]int
	function *Func
	bound    map[literal]*target
	guards   uint16
	tried    bool
	loop     bool
}

// A literal is one that a function has in a variable.
type literal struct {
	f *Func
	n int
}

// A target is where code begins that is compiled later, and who wants to know that.
type target struct {
	pc    int // zero as long as it is not known
	sites []int
}

// compile makes the code of p, which was emitted as t.
func compile(p *Program, t *Text) *code {
	c := &compiler{code: code{p: p, given: map[int]bool{}}, t: t, wrapped: map[wrapper]int{}, bound: map[literal]*target{}}
	called := make([]bool, len(p.Funcs))
	started := make([]bool, len(p.Funcs))
	p.each(func(s *Stmt) {
		if s.Op == Go || s.Op == Start {
			started[s.N] = true
		} else if s.calls() {
			called[s.N] = true
		}
	})
	c.entry = make([]int, len(p.Funcs))
	for i, f := range p.Funcs {
		c.owner, c.function = t.funcs[i], f
		c.entry[i] = len(c.ins)
		c.roots = append(c.roots, root{pc: len(c.ins), vars: f.Params, goroutine: started[i], top: !called[i]})
		if f.Makes {
			c.add(instr{op: opNew, line: t.items[i]})
		}
		c.list(f.Body)
		c.end()
		for n, list := range f.Literals {
			owner, ok := t.literals[literal{f, n}]
			if !ok {
				continue
			}
			to := c.target(n)
			c.literal(list, false, owner, func(pc int) {
				to.pc = pc
				for _, at := range to.sites {
					c.ins[at].to = pc
				}
			})
		}
	}
	for _, body := range p.Goroutines {
		c.function = &Func{}
		c.owner = -1
		if len(body) > 0 {
			c.owner = body[0].owner
		}
		c.start = append(c.start, len(c.ins))
		c.roots = append(c.roots, root{pc: len(c.ins), goroutine: true, run: true, top: true})
		c.list(body)
		c.add(instr{op: opReturn})
	}
	for len(c.later) > 0 {
		next := c.later[0]
		c.later = c.later[1:]
		next()
	}
	return &c.code
}

// end adds the end of the function.
func (c *compiler) end() {
	in := instr{op: opReturn}
	if c.function.Makes {
		in.value, in.n = true, Own
	}
	c.add(in)
}

// invoke adds in, which runs literal n of the function.
func (c *compiler) invoke(in instr, n int) {
	at := c.add(in)
	to := c.target(n)
	if to.pc > 0 {
		c.ins[at].to = to.pc
	} else {
		to.sites = append(to.sites, at)
	}
}

// target is that of literal n of the function.
func (c *compiler) target(n int) *target {
	l := literal{c.function, n}
	if c.bound[l] == nil {
		c.bound[l] = new(target)
	}
	return c.bound[l]
}

func (c *compiler) add(in instr) int {
	in.owner, in.guards, in.tried = c.owner, c.guards, c.tried
	c.ins = append(c.ins, in)
	return len(c.ins) - 1
}

// literal compiles list behind everything else, and hands its entry to at.
func (c *compiler) literal(list []*Stmt, goroutine bool, owner int, at func(pc int)) {
	f := c.function
	c.later = append(c.later, func() {
		c.owner, c.function, c.guards, c.tried, c.loop = owner, f, 0, false, false
		at(len(c.ins))
		if goroutine {
			c.roots = append(c.roots, root{pc: len(c.ins), vars: f.Params, goroutine: true, top: true})
		} else {
			c.roots = append(c.roots, root{pc: len(c.ins), vars: f.Params})
		}
		c.list(list)
		c.add(instr{op: opReturn})
	})
}

func (c *compiler) list(list []*Stmt) {
	before := c.guards
	for _, s := range list {
		c.stmt(s)
		if s.Op == If && s.N < c.function.Params && (returns(s.Body) || returns(s.Else)) {
			c.guards |= 1 << s.N
		}
	}
	c.guards = before
}

// returns reports whether the list ends in a return.
func returns(list []*Stmt) bool { return len(list) > 0 && list[len(list)-1].Op == Return }

// operation adds the operation ins, or a call of the method that wraps it.
func (c *compiler) operation(s *Stmt, ins ...instr) {
	w := s.wrapper()
	if !w.called() {
		for _, in := range ins {
			c.add(in)
		}
		return
	}
	if w.style == Returned && w.op == Acquire && !w.literal() {
		c.given[w.n] = true
	}
	at := c.add(instr{op: opLiteral, line: s.line})
	c.wrapper(w, func(pc int) { c.ins[at].to = pc }, ins...)
}

// wrapper compiles the method that does the operation ins, and hands its entry to at.
func (c *compiler) wrapper(w wrapper, at func(pc int), ins ...instr) {
	if pc, ok := c.wrapped[w]; ok {
		at(pc)
		return
	}
	line := c.t.wrappers[w]
	c.later = append(c.later, func() {
		if _, ok := c.wrapped[w]; !ok {
			c.owner, c.guards, c.tried, c.loop = c.t.owner[line], 0, false, false
			c.wrapped[w] = len(c.ins)
			c.roots = append(c.roots, root{pc: len(c.ins)})
			for _, in := range ins {
				in.line = line
				c.add(in)
			}
			c.add(instr{op: opReturn, line: line})
		}
		at(c.wrapped[w])
	})
}

func (c *compiler) stmt(s *Stmt) {
	line := s.line
	switch s.Op {
	case Acquire:
		c.operation(s, instr{op: opLock, n: s.N, read: s.Read, line: line})
	case Release:
		c.operation(s, instr{op: opUnlock, n: s.N, read: s.Read, line: line})
	case Late:
		c.add(instr{op: opDefer, n: s.N, read: s.Read, line: line})
		if w := s.wrapper(); w.called() { // it releases without having the lock
			c.wrapper(w, func(int) {}, instr{op: opUnlock, n: s.N, read: s.Read})
		}
	case Try:
		at := c.add(instr{op: opTry, n: s.N, read: s.Read, line: line})
		before := c.tried
		c.tried = true
		c.list(s.Body)
		c.tried = before
		c.add(instr{op: opUnlock, n: s.N, read: s.Read, line: line})
		c.ins[at].to = len(c.ins)
	case Send:
		c.add(instr{op: opSend, n: s.N, line: line})
	case Receive:
		c.add(instr{op: opReceive, n: s.N, line: line})
	case TrySend:
		c.add(instr{op: opSelect, n: 1, arms: []Arm{{Send, s.N}}, line: line})
	case TryRecv:
		c.add(instr{op: opSelect, n: 1, arms: []Arm{{Receive, s.N}}, line: line})
	case Select:
		c.add(instr{op: opSelect, arms: s.Arms, line: line})
	case Close:
		c.add(instr{op: opClose, n: s.N, line: line})
	case Range:
		c.add(instr{op: opReceive, n: s.N, value: true, line: line})
	case Wait:
		c.operation(s, instr{op: opWait, n: s.N, line: line}, instr{op: opWake, n: s.N, line: line})
	case Signal:
		c.operation(s, instr{op: opSignal, n: s.N, line: line})
	case Cancel:
		c.add(instr{op: opCancel, n: s.N, line: line})
	case Done:
		c.add(instr{op: opDone, n: s.N, line: line})
	case Call:
		c.add(instr{op: opCall, n: s.N, args: s.Args, line: line})
	case CallLate:
		c.add(instr{op: opDeferCall, n: s.N, args: s.Args, line: line})
	case Go:
		c.add(instr{op: opSpawn, n: s.N, args: s.Args, line: line})
	case IfCall:
		c.add(instr{op: opCall, n: s.N, args: s.Args, line: line})
		at := c.add(instr{op: opTest, line: line})
		c.list(s.Body)
		c.ins[at].to = len(c.ins)
	case If:
		at := c.add(instr{op: opBranch, n: s.N, free: c.loop && s.N < c.function.Params, line: line})
		before := c.guards
		if s.N < c.function.Params {
			c.guards |= 1 << s.N
		}
		c.list(s.Body)
		end := c.add(instr{op: opJump, line: line})
		c.ins[at].to = len(c.ins)
		c.list(s.Else)
		c.guards = before
		c.ins[end].to = len(c.ins)
	case Set:
		c.add(instr{op: opSet, n: s.N, value: s.Value, line: line})
	case Loop:
		outer := c.loop
		c.loop = true
		for range s.N {
			c.list(s.Body)
		}
		c.loop = outer
	case Return:
		in := instr{op: opReturn, value: s.Value, line: line}
		if c.function.Makes && s.Value {
			in.n = Own
		}
		c.add(in)
	case Fork:
		at := c.add(instr{op: opFork, bodies: make([]int, len(s.Bodies)), line: line})
		for i, body := range s.Bodies {
			c.literal(body, true, c.ownerOf(body), func(pc int) { c.ins[at].bodies[i] = pc })
		}
		c.add(instr{op: opJoin, line: line})
	case Literal:
		at := c.add(instr{op: opLiteral, line: line})
		c.literal(s.Body, false, c.ownerOf(s.Body), func(pc int) { c.ins[at].to = pc })
	case Make:
		if s.N == Own {
			c.add(instr{op: opNew, line: line})
			c.list(s.Body)
			return
		}
		c.add(instr{op: opCall, n: s.N, args: s.Args, line: line})
		at := c.add(instr{op: opMade, line: line})
		c.list(s.Body)
		c.ins[at].to = len(c.ins)
	case Invoke:
		c.invoke(instr{op: opLiteral, line: line}, s.N)
	case InvokeLate:
		c.invoke(instr{op: opDeferLiteral, line: line}, s.N)
	case Start:
		c.add(instr{op: opStart, n: s.N, group: s.Group, args: s.Args, line: line})
	case Await:
		c.operation(s, instr{op: opAwait, n: s.N, line: line})
	case Subscribe:
		c.add(instr{op: opSubscribe, line: line})
	case Publish:
		c.add(instr{op: opPublish, line: line})
	}
}

// ownerOf is the function of the first statement of a literal's body.
func (c *compiler) ownerOf(body []*Stmt) int {
	if len(body) == 0 {
		return c.owner
	}
	return body[0].owner
}
