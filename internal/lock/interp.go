package lock

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// interp runs one function over its states.
type interp struct {
	e    *engine
	fn   *ssa.Function
	res  *FuncResult
	sum  *Summary
	seen map[*ssa.BasicBlock]map[string]bool
	wide map[*ssa.BasicBlock]*state // the widened state of a block that had too many
	exit []*state

	tested map[ssa.Value]int // how many branches depend on a condition
	work   []item

	index map[eventKey]int // position in res.Events
}

type item struct {
	block *ssa.BasicBlock
	state *state
}

// An eventKey tells apart what one instruction can do: its own operation, and each event of its callees.
type eventKey struct {
	instr ssa.Instruction
	pos   token.Pos
	at    string
	lock  flow.Path
	kind  blocking.Kind
}

// Occurrence is something that happens at an instruction, with the locks that are held there on every path.
type Occurrence struct {
	Instr ssa.Instruction
	Held  []Hold // on every path that comes here, less what the callee drops first
	// One of the two:
	Acquire *AcquireEvent
	Block   *BlockEvent
	Lock    flow.Path // for Acquire: the lock in this function's terms
	Bound   blocking.Bound
}

// Waiter is the function that waits, for a wait that it does itself; nil where a callee does.
func (o *Occurrence) Waiter() *ssa.Function {
	if o.Block == nil || len(o.Block.Chain) > 0 {
		return nil
	}
	return o.Instr.Parent()
}

// FuncResult is what the rules read of one function.
type FuncResult struct {
	Fn     *ssa.Function
	Events []Occurrence
}

func (e *engine) interpret(fn *ssa.Function) (*FuncResult, *Summary) {
	in := &interp{
		e: e, fn: fn,
		res:    &FuncResult{Fn: fn},
		sum:    &Summary{},
		seen:   map[*ssa.BasicBlock]map[string]bool{},
		wide:   map[*ssa.BasicBlock]*state{},
		tested: map[ssa.Value]int{},
		index:  map[eventKey]int{},
	}
	for _, b := range fn.Blocks {
		if c := branch(b); c != nil {
			v, _ := condition(c.Cond)
			in.tested[v]++
		}
	}
	in.push(fn.Blocks[0], &state{})
	for len(in.work) > 0 {
		it := in.work[len(in.work)-1]
		in.work = in.work[:len(in.work)-1]
		in.block(it.block, it.state)
	}
	in.finish()
	return in.res, in.sum
}

// push queues b with s unless it was there in that state before. A block with too many states goes on with what they
// have in common.
func (in *interp) push(b *ssa.BasicBlock, s *state) {
	m := in.seen[b]
	if m == nil {
		m = map[string]bool{}
		in.seen[b] = m
	}
	if w := in.wide[b]; w != nil {
		before := w.key()
		w.meet(s)
		if w.key() == before {
			return
		}
		in.work = append(in.work, item{b, w.clone()})
		return
	}
	k := s.key()
	if m[k] {
		return
	}
	m[k] = true
	if len(m) > maxStates {
		in.e.widened++
		in.wide[b] = s.clone()
	}
	in.work = append(in.work, item{b, s})
}

func branch(b *ssa.BasicBlock) *ssa.If {
	c, _ := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return c
}

// condition takes negations off v; the second result is false where their number is odd.
func condition(v ssa.Value) (ssa.Value, bool) {
	pos := true
	for {
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.NOT {
			return v, pos
		}
		v, pos = u.X, !pos
	}
}

func (in *interp) block(b *ssa.BasicBlock, s *state) {
	for _, instr := range b.Instrs {
		if v, ok := instr.(ssa.Value); ok {
			s.redefine(v)
		}
		switch x := instr.(type) {
		case *ssa.Store:
			s.assign(flow.PathOf(x.Addr))
		case *ssa.Defer:
			s.defers = append(s.defers, x)
		case *ssa.RunDefers:
			for i := len(s.defers) - 1; i >= 0; i-- {
				in.call(s.defers[i], s.defers[i].Common(), s)
			}
			s.defers = nil
		case *ssa.Call:
			in.call(x, x.Common(), s)
		case *ssa.Go:
		case *ssa.Return:
			in.exit = append(in.exit, s)
			return
		case *ssa.Panic:
			return
		case *ssa.If:
			in.branch(x, s)
			return
		default:
			if w, ok := blocking.Of(instr); ok {
				in.wait(instr, w, s)
			}
		}
	}
	for _, succ := range b.Succs {
		in.push(succ, s.clone())
	}
}

// branch follows both edges, or the one that an earlier test of the same condition has chosen, and takes a lock on the
// edge on which TryLock succeeded.
func (in *interp) branch(c *ssa.If, s *state) {
	v, pos := condition(c.Cond)
	succ := func(truth bool) *ssa.BasicBlock {
		if truth == pos {
			return c.Block().Succs[0]
		}
		return c.Block().Succs[1]
	}
	if k, ok := v.(*ssa.Const); ok && k.Value != nil {
		in.push(succ(k.Value.String() == "true"), s)
		return
	}
	if known, ok := s.conds[v]; ok {
		in.push(succ(known), s)
		return
	}
	for _, truth := range []bool{true, false} {
		t := s.clone()
		if in.tested[v] > 1 {
			if t.conds == nil {
				t.conds = map[ssa.Value]bool{}
			}
			t.conds[v] = truth
		}
		if call, ok := v.(*ssa.Call); ok && truth {
			if o, ok := opOf(&call.Call); ok && o.action == tryAcquire {
				t.acquire(Hold{Path: o.lock, Class: o.class, Mode: o.mode, Site: call})
			}
		}
		in.push(succ(truth), t)
	}
}

// call applies a call, immediate or deferred, to s.
func (in *interp) call(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if o, ok := opOf(call); ok {
		if !o.lock.Known() || in.e.aliases.hidden(o) {
			return
		}
		switch o.action {
		case acquire:
			in.acquire(at, o, s)
			s.acquire(Hold{Path: o.lock, Class: o.class, Mode: o.mode, Site: at})
		case release:
			s.release(o.lock, o.mode, o.class)
		}
		return
	}
	in.e.staleAfterCall(s)
	if w, ok := blocking.Call(call); ok {
		in.wait(at, w, s)
	} else {
		in.callees(at, call, s)
	}
	if fn := flow.Callee(call); fn != nil {
		if i, ok := blocking.CalledInPlace(fn); ok {
			if args := flow.Args(call); i < len(args) {
				in.callArg(at, args[i], nil, s)
			}
		}
	}
}

// callees applies the summaries of what call may run: the static callee with all its effects; the few implementers of
// an interface of this package with their events only, for which of them runs is not known.
func (in *interp) callees(at ssa.CallInstruction, call *ssa.CallCommon, s *state) {
	if p, ok := flow.Resolve(call.Value).(*ssa.Parameter); ok && !call.IsInvoke() {
		in.paramCall(at, p, s)
		return
	}
	if fn := flow.StaticCallee(call); fn != nil {
		in.apply(at, fn, in.e.summary(fn), flow.AllArgs(call), s, true)
		return
	}
	if call.IsInvoke() {
		impls := in.e.implementers(call)
		for _, fn := range impls {
			in.apply(at, fn, in.e.summary(fn), flow.AllArgs(call), s, len(impls) == 1)
		}
	}
}

// paramCall notes that the function calls its own parameter.
func (in *interp) paramCall(at ssa.CallInstruction, p *ssa.Parameter, s *state) {
	for i, q := range in.fn.Params {
		if q == p && len(in.sum.Calls) < maxEvents {
			pc := ParamCall{Param: i, Event: Event{Pos: at.Pos(), At: in.e.at(at.Pos()), Dropped: in.refs(s.dropped)}, Held: in.refs(s.held)}
			for _, old := range in.sum.Calls {
				if old.Pos == pc.Pos && old.Param == pc.Param {
					return
				}
			}
			in.sum.Calls = append(in.sum.Calls, pc)
		}
	}
}

func (in *interp) refs(hs []Hold) []Ref {
	var out []Ref
	for _, h := range hs {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			out = append(out, r)
		}
	}
	return out
}

// callArg applies the function value v that a callee calls in place; extra is what the callee holds around the call.
func (in *interp) callArg(at ssa.CallInstruction, v ssa.Value, extra []Hold, s *state) {
	fn := flow.FuncValue(v)
	if fn == nil {
		if p, ok := flow.Resolve(v).(*ssa.Parameter); ok {
			in.paramCall(at, p, s)
		}
		return
	}
	t := s.clone()
	t.held = append(t.held, extra...)
	// How often the callee calls it is not known, so its effect on the locks counts for nothing afterwards.
	var args []ssa.Value
	if mc, ok := flow.Resolve(v).(*ssa.MakeClosure); ok && fn.Synthetic != "" { // a bound method: its receiver is the binding
		args = mc.Bindings
		if obj := flow.Object(fn); obj != nil {
			if m := in.e.prog.FuncValue(obj); m != nil {
				fn = m
			}
		}
	}
	in.apply(at, fn, in.e.summary(fn), args, t, false)
}

// apply puts the summary of fn, called with args, into s. The net effects count only where fn surely runs once.
func (in *interp) apply(at ssa.CallInstruction, fn *ssa.Function, sum *Summary, args []ssa.Value, s *state, surely bool) {
	if sum.empty() {
		return
	}
	hop := Hop{Func: flow.FuncName(fn), Pos: at.Pos(), At: in.e.at(at.Pos())}
	if fn.Parent() != nil {
		hop.Func = "the function literal"
	}
	path := func(r Ref) (flow.Path, bool) { return r.pathIn(in.e.prog, args) }
	chain := func(ev Event) (Event, bool) {
		if len(ev.Chain) >= maxHops {
			return ev, false
		}
		return Event{Pos: ev.Pos, At: ev.At, Chain: append([]Hop{hop}, ev.Chain...)}, true
	}
	// dropped are the caller's locks that the callee released before ev, in the caller's terms.
	without := func(held []Hold, ev Event) ([]Hold, []Hold) {
		var gone []Hold
		for _, r := range ev.Dropped {
			if p, ok := path(r); ok {
				gone = append(gone, Hold{Path: p, Class: r.Class})
			}
		}
		var left []Hold
		for _, h := range held {
			if _, ok := find(gone, h.Path); !ok {
				left = append(left, h)
			}
		}
		return left, gone
	}
	for i := range sum.Acquires {
		a := &sum.Acquires[i]
		p, ok := path(a.Lock)
		ev, ok2 := chain(a.Event)
		if !ok2 {
			continue
		}
		if !ok {
			p = flow.Path{}
		}
		held, gone := without(s.held, a.Event)
		in.record(Occurrence{
			Instr: at, Held: held, Lock: p,
			Acquire: &AcquireEvent{Event: ev, Lock: Ref{Param: -1, Class: a.Lock.Class}, Mode: a.Mode},
		}, append(gone, s.dropped...))
	}
	for i := range sum.Blocks {
		b := sum.Blocks[i]
		ev, ok := chain(b.Event)
		if !ok {
			continue
		}
		held, gone := without(s.held, b.Event)
		occ := Occurrence{Instr: at, Held: held}
		if b.Limit == blocking.Parameter {
			var v ssa.Value
			if b.Bound.local != nil {
				v = b.Bound.local
			} else if b.Bound.Param >= 0 && b.Bound.Param < len(args) {
				v = args[b.Bound.Param]
			}
			occ.Bound = blocking.BoundOf(v)
			if occ.Bound.Limit == blocking.Deadline {
				continue
			}
		} else {
			occ.Bound = blocking.Bound{Limit: b.Limit, Why: b.Why}
		}
		if b.Kind == blocking.Cond {
			if p, ok := path(b.Own); ok {
				held = removePath(held, p)
				occ.Held = held
			}
		}
		b.Event = ev
		occ.Block = &b
		in.record(occ, append(gone, s.dropped...))
	}
	for _, pc := range sum.Calls {
		if pc.Param < len(args) {
			held, gone := without(s.held, pc.Event)
			t := s.clone()
			t.held = held
			t.dropped = append(t.dropped, gone...)
			var extra []Hold
			for _, r := range pc.Held {
				if p, ok := path(r); ok {
					extra = append(extra, Hold{Path: p, Class: r.Class, Mode: Write, Site: at})
				}
			}
			in.callArg(at, args[pc.Param], extra, t)
		}
	}
	if !surely {
		return
	}
	for _, r := range sum.May {
		if p, ok := path(r); ok {
			s.forget(p)
		}
	}
	for _, r := range sum.Released {
		if p, ok := path(r.Ref); ok {
			s.release(p, r.Mode, r.Class)
		}
	}
	for _, r := range sum.Acquired {
		if p, ok := path(r.Ref); ok {
			s.acquire(Hold{Path: p, Class: r.Class, Mode: r.Mode, Site: at})
		}
	}
}

func removePath(hs []Hold, p flow.Path) []Hold {
	var out []Hold
	for _, h := range hs {
		if h.Path != p {
			out = append(out, h)
		}
	}
	return out
}

// acquire records that the function itself takes a lock at instr.
func (in *interp) acquire(instr ssa.Instruction, o op, s *state) {
	ev := Event{Pos: flow.Pos(instr), At: in.e.at(flow.Pos(instr))}
	in.record(Occurrence{
		Instr: instr, Held: append([]Hold(nil), s.held...), Lock: o.lock,
		Acquire: &AcquireEvent{Event: ev, Lock: Ref{Param: -1, Class: o.class}, Mode: o.mode},
	}, s.dropped)
}

// wait records that the function itself blocks at instr.
func (in *interp) wait(instr ssa.Instruction, w blocking.Wait, s *state) {
	pos := flow.Pos(instr)
	b := &BlockEvent{
		Event: Event{Pos: pos, At: in.e.at(pos)},
		Kind:  w.Kind, What: in.e.spelled(instr.Pos(), w.What), Limit: w.Bound.Limit, Why: w.Bound.Why,
		Bound: Ref{Param: -1}, Own: Ref{Param: -1},
	}
	held := append([]Hold(nil), s.held...)
	if w.On != nil || w.Kind == blocking.Select {
		b.Peers = in.e.peersOf(w)
		if b.Peers == nil {
			return
		}
	}
	if w.Kind == blocking.Cond {
		own, ok := in.e.condLock(w.On)
		if !ok {
			return // which lock it lets go is not known
		}
		held = removePath(held, own)
		b.Own, _ = refOf(in.fn, own, "")
	}
	in.record(Occurrence{Instr: instr, Held: held, Block: b, Bound: w.Bound}, s.dropped)
}

// record notes an occurrence in the result and, in the function's own terms, in its summary. An occurrence that was
// seen in another state before keeps the locks that are held in both.
func (in *interp) record(o Occurrence, dropped []Hold) {
	k := eventKey{instr: o.Instr}
	if o.Acquire != nil {
		k.pos, k.at, k.lock = o.Acquire.Pos, o.Acquire.At, o.Lock
	} else {
		k.pos, k.at, k.kind = o.Block.Pos, o.Block.At, o.Block.Kind
	}
	if i, ok := in.index[k]; ok {
		old := &in.res.Events[i]
		var both []Hold
		for _, h := range old.Held {
			if _, ok := find(o.Held, h.Path); ok {
				both = append(both, h)
			}
		}
		old.Held = both
		return
	}
	in.index[k] = len(in.res.Events)
	in.res.Events = append(in.res.Events, o)

	refs := in.refs(dropped)
	if o.Acquire != nil {
		if r, ok := refOf(in.fn, o.Lock, o.Acquire.Lock.Class); ok && !in.guarded(o.Instr) && len(in.sum.Acquires) < maxEvents {
			a := *o.Acquire
			a.Lock, a.Dropped = r, refs
			in.sum.Acquires = append(in.sum.Acquires, a)
		} else if !ok && o.Acquire.Lock.Class != "" && len(in.sum.Acquires) < maxEvents {
			// Unnamed for the caller, but its class is known: peers and lock order need that.
			a := *o.Acquire
			a.Lock, a.Dropped = Ref{Param: -1, Class: o.Acquire.Lock.Class}, refs
			in.sum.Acquires = append(in.sum.Acquires, a)
		}
		return
	}
	if len(in.sum.Blocks) >= maxEvents || in.guarded(o.Instr) {
		return
	}
	b := *o.Block
	b.Dropped = refs
	b.Under = b.Under || len(o.Held) > 0 && b.Peers == nil
	b.Limit, b.Bound, b.Why = o.Bound.Limit, Ref{Param: -1}, o.Bound.Why
	if o.Bound.Limit == blocking.Parameter {
		if r, ok := refOf(in.fn, flow.Path{Root: o.Bound.Param}, ""); ok {
			b.Bound = r
		} else {
			b.Limit = blocking.Unknown
		}
	}
	in.sum.Blocks = append(in.sum.Blocks, b)
}

// guarded reports whether instr runs only if a bool parameter of the function has one value, or if another parameter
// equals one constant, as nil: whether it happens is then the caller's choice, and the summary does not say which
// callers choose it. That a parameter is not nil is no choice: most callers pass something.
func (in *interp) guarded(instr ssa.Instruction) bool {
	for b := instr.Block(); b != nil; b = b.Idom() {
		d := b.Idom()
		if d == nil {
			break
		}
		c := branch(d)
		if c == nil || len(b.Preds) != 1 || b.Preds[0] != d {
			continue
		}
		v, pos := condition(c.Cond)
		if cmp, ok := v.(*ssa.BinOp); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
			equal := d.Succs[0] == b == (pos == (cmp.Op == token.EQL))
			if equal && (in.isParam(cmp.X) && isConst(cmp.Y) || in.isParam(cmp.Y) && isConst(cmp.X)) {
				return true
			}
		}
		if p, ok := flow.Resolve(v).(*ssa.Parameter); ok && p.Parent() == in.fn {
			if t, ok := p.Type().Underlying().(*types.Basic); ok && t.Kind() == types.Bool {
				return true
			}
		}
	}
	return false
}

func (in *interp) isParam(v ssa.Value) bool {
	p, ok := flow.Resolve(v).(*ssa.Parameter)
	return ok && p.Parent() == in.fn
}

func isConst(v ssa.Value) bool { _, ok := flow.Unwrap(v).(*ssa.Const); return ok }

// finish computes the net effects from the states at the returns.
func (in *interp) finish() {
	if len(in.exit) == 0 {
		return
	}
	count := func(get func(*state) []Hold) (all, some []Hold) {
		n := map[flow.Path]int{}
		first := map[flow.Path]Hold{}
		var order []flow.Path
		for _, s := range in.exit {
			seen := map[flow.Path]bool{}
			for _, h := range get(s) {
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
	acquired, _ := count(func(s *state) []Hold { return s.held })
	released, some := count(func(s *state) []Hold { return s.dropped })
	for _, h := range acquired {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			in.sum.Acquired = append(in.sum.Acquired, HeldRef{r, h.Mode})
		}
	}
	for _, h := range released {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			in.sum.Released = append(in.sum.Released, HeldRef{r, h.Mode})
		}
	}
	in.sum.May = in.refs(some)
}
