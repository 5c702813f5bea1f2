package lock

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A Context is one call chain by which a goroutine reaches an operation that ends a wait, with the locks that it may
// acquire and the waits that it passes before.
type Context struct {
	Takes []Taken
	Opens []OpenTaken

	// Outside is the exported function through which callers in other packages get here; "" if all callers are in the
	// package.
	Outside string

	// At is the place itself.
	At link.At

	// Funcs are the functions that it passes, by the names that all packages have for them.
	Funcs []string

	ops   []peerOp // the place itself, then the calls that lead there
	waits []*Peers
	held  []Hold // at the place itself, on every path

	// shares are the sites that acquire what the operation gives back: a unit of the semaphore, or the membership in
	// the wait group.
	shares sites
	// fresh says that such a site is on the chain, or that all channels of the group are allocated there: what the
	// callers did before precedes the wait.
	fresh bool
}

// Taken is a lock that a goroutine may acquire.
type Taken struct {
	Class Class
	Mode  Mode
	By    string  // "(*T).M at file.go:12"
	At    link.At // where
	From  link.At // for a lock that an open call leads to: the call
	Maybe bool    // the goroutine can reach the operation without it
	Later bool    // it is acquired after the operation, before the next iteration

	path  flow.Path
	fn    *ssa.Function
	instr ssa.Instruction
	pos   token.Pos // of the acquisition itself, which may be in a callee of instr
}

// A Witness is another goroutine that cannot do its part, or may not, while a lock is held.
type Witness struct {
	By     string // its function, and mostly the place of the acquisition: "(*T).M at file.go:12"
	Places []Place
	Maybe  bool // it may reach the operation without the lock
}

// A Place is a related place of a finding.
type Place struct {
	At   link.At
	What string // "(*T).M needs the same lock here"
}

// An OpenTaken is an open call that a goroutine may make, by which it may acquire locks.
type OpenTaken struct {
	Call OpenCall
	By   string  // as in Taken
	At   link.At // where
}

// The cost of a wait is linear in the contexts of its peers. Beyond these limits, an operation has one context without
// its callers, whose locks are not seen: that silences findings (TestLimits).
const (
	maxContexts = 16 // ways to one place
	maxLift     = 5  // callers above it
)

// contextsOf are the contexts of op, an operation on the group g: its function, called by each of its callers, up to
// the start of a goroutine. A function that unknown code can call is a context of its own.
func (e *engine) contextsOf(op peerOp, g origin.Group) []Context {
	return e.peers.contexts.Ask(opOfGroup{op, g}, nil, func() []Context {
		if _, ok := op.instr.(*ssa.Go); ok { // a library starts the goroutine, which acts at once
			return []Context{{ops: []peerOp{op}, Funcs: []string{origin.FuncName(op.fn)}, At: e.atOp(op)}}
		}
		var makes []*ssa.MakeChan
		var shares sites
		if g.Known() {
			makes, shares = g.Makes(), e.sharesOf(op, g)
		}
		return e.lift(e.extend(Context{shares: shares, At: e.atOp(op)}, op, makes), op.fn, makes, maxLift)
	})
}

// sharesOf are the sites where a goroutine acquires the share in the group g that op releases.
func (e *engine) sharesOf(op peerOp, g origin.Group) sites {
	o := e.peers.groups[g]
	k := shareKey{group: g, of: releases}
	var acquired []peerOp
	switch {
	case slices.Contains(o[releases], op), slices.Contains(o[isDone], op):
		acquired = slices.Concat(o[acquires], o[adds])
	case slices.Contains(o[receives], op):
		k.of, acquired = receives, o[sends]
	case slices.Contains(o[sends], op):
		k.of, acquired = sends, o[receives]
	default:
		return sites{}
	}
	return e.peers.shares.Ask(k, sites{}, func() sites {
		if k.of == releases || e.tokens(g, acquired, o[k.of]) {
			return e.sitesLeadingTo(acquired)
		}
		return sites{}
	})
}

type shareKey struct {
	group origin.Group
	of    role // the role that releases a share
}

// tokens reports whether the channels of the group g are used as semaphores: all have buffers, and each function with
// an operation of taken has one of given, or defers it.
func (e *engine) tokens(g origin.Group, taken, given []peerOp) bool {
	if g.Unknown() || len(taken) == 0 || len(g.Makes()) == 0 ||
		slices.ContainsFunc(g.Makes(), func(m *ssa.MakeChan) bool { return capacity(m) == 0 }) {
		return false
	}
	return !slices.ContainsFunc(taken, func(t peerOp) bool {
		return !slices.ContainsFunc(given, func(r peerOp) bool {
			if r.fn == t.fn {
				return flow.Reaches(t.instr, r.instr, nil)
			}
			start := startOf(r.fn, t.fn)
			return r.fn.Parent() == t.fn && start != nil && flow.Reaches(t.instr, start, nil)
		})
	})
}

// atOp is where op is: its function, where it is the end of that.
func (e *engine) atOp(op peerOp) link.At {
	if op.instr == nil {
		return e.at(op.fn.Pos())
	}
	return e.at(flow.Pos(op.instr))
}

// An opOfGroup is a place that acts on a group.
type opOfGroup struct {
	op    peerOp
	group origin.Group
}

// sites are places and the calls on the same goroutine that lead to them, by the function that has them.
type sites struct {
	at   map[*ssa.Function][]ssa.Instruction
	more bool // there are calls further above
}

// sitesLeadingTo are the sites of ops, up to maxLift calls above.
func (e *engine) sitesLeadingTo(ops []peerOp) sites { return e.sitesAbove(ops, false) }

// sitesAbove is sitesLeadingTo; with spawned, go statements lead there, too.
func (e *engine) sitesAbove(ops []peerOp, spawned bool) sites {
	s := sites{at: map[*ssa.Function][]ssa.Instruction{}}
	for depth := 0; len(ops) > 0; depth++ {
		var above []peerOp
		for _, op := range ops {
			if slices.Contains(s.at[op.fn], op.instr) {
				continue
			}
			known := len(s.at[op.fn]) > 0
			s.at[op.fn] = append(s.at[op.fn], op.instr)
			if known {
				continue
			}
			for _, call := range e.origins.Callers(op.fn) {
				switch call.(type) {
				case *ssa.Call:
					above = append(above, peerOp{call.Parent(), call})
				case *ssa.Go:
					if spawned {
						above = append(above, peerOp{call.Parent(), call})
					}
				}
			}
		}
		if ops = above; depth == maxLift {
			s.more = len(above) > 0
			break
		}
	}
	return s
}

// in are the sites in fn. Where there may be some that were not looked for, that is counted.
func (e *engine) in(s sites, fn *ssa.Function) []ssa.Instruction {
	found := s.at[fn]
	if len(found) == 0 && s.more {
		e.pkg.Cut("channels are made, or groups joined, too many calls below those that use them", fn)
	}
	return found
}

// extend prepends the function of op, up to op, to the call chain c.
func (e *engine) extend(c Context, op peerOp, makes []*ssa.MakeChan) Context {
	c = Context{
		Takes: slices.Clone(c.Takes), Funcs: c.Funcs, Opens: slices.Clone(c.Opens),
		ops:   append(slices.Clone(c.ops), op),
		waits: slices.Clone(c.waits), held: slices.Clone(c.held), At: c.At, shares: c.shares, fresh: c.fresh,
	}
	c.Funcs = append(slices.Clip(c.Funcs), origin.FuncName(op.fn))
	if op.instr != nil {
		c.held = append(c.held, e.heldAt[op.instr]...)
	}
	res := e.results[op.fn]
	if res == nil || c.fresh {
		return c
	}
	e.work += len(op.fn.Blocks) + len(res.Events) + len(res.Opens)
	comesBefore := e.before(op)
	var fresh, acquired []ssa.Instruction
	for _, a := range e.in(c.shares, op.fn) {
		if a != op.instr && comesBefore(a) {
			acquired, c.fresh = append(acquired, a), true
		}
	}
	var given []func(ssa.Instruction) bool
	below, all := e.allocatedBelow(op, makes, comesBefore)
	for _, in := range append(published(op, allocatedFor(op, len(c.ops) == 1, all, makes, comesBefore)), below...) {
		given = append(given, e.cfg.reachableFrom(in))
	}
	if all {
		c.fresh, fresh = true, e.allocationsAt(op, makes)
	}
	var again func(ssa.Instruction) bool
	if op.instr != nil && e.cfg.inLoop(op.instr.Block()) && e.spawned(op.fn) {
		again = e.cfg.reachableFrom(op.instr)
	}
	counts := func(in ssa.Instruction) bool {
		if !comesBefore(in) {
			return false
		}
		if len(fresh) > 0 && !betweenShares(fresh, in, op.instr) ||
			len(acquired) > 0 && !betweenShares(acquired, in, op.instr) {
			return false
		}
		// A wait begins only once the channel is published: what the peer did before that is over.
		if len(given) > 0 &&
			!slices.ContainsFunc(given, func(after func(ssa.Instruction) bool) bool { return after(in) }) {
			return false
		}
		// What a goroutine does once before its loop ends soon.
		return again == nil || again(in)
	}
	for i := range res.Opens {
		o := &res.Opens[i]
		if !counts(o.Instr) || o.Instr == op.instr {
			continue
		}
		if len(c.Opens) >= maxEvents {
			e.pkg.Cut(tooManyEvents, op.fn)
			break
		}
		c.Opens = append(c.Opens, OpenTaken{o.Call, fmt.Sprintf("%s at %s", flow.FuncName(op.fn), o.At), o.At})
	}
	for i := range res.Events {
		o := &res.Events[i]
		wait := o.Block != nil && o.Block.Peers != nil && o.Instr != op.instr
		switch {
		case o.Acquire == nil && !wait || !counts(o.Instr) || o.Acquire != nil && e.unshared(o.Lock, o.Instr):
		case len(c.Takes)+len(c.waits) >= 2*maxEvents:
			e.pkg.Cut(tooManyEvents, op.fn)
			return c
		case wait:
			c.waits = append(c.waits, o.Block.Peers)
		default:
			first, later := e.always(o.Instr, op.instr)
			c.Takes = append(c.Takes, Taken{
				Class: o.Acquire.Lock.Class, Mode: o.Acquire.Mode,
				By: taker(op.fn, o.Acquire), At: o.Acquire.At, Maybe: o.Acquire.Maybe || !first && !later, Later: later,
				path: o.Lock, fn: op.fn, instr: o.Instr, pos: o.Acquire.Pos,
			})
		}
	}
	return c
}

// always reports whether op is preceded by instr on every path; in the second result, whether it is on every path
// from op back to op, in a loop without a bound. A nil op is the end of the function.
func (e *engine) always(instr, op ssa.Instruction) (first, again bool) {
	if _, late := op.(*ssa.Defer); op == nil || late {
		return instr.Block() == instr.Parent().Blocks[0], false
	}
	if e.cfg.dominates(instr, op) {
		return true, false
	}
	return false, e.cfg.inLoop(op.Block()) && !e.counted(op.Block()) && !e.cfg.cyclesWithout(op.Block(), instr.Block())
}

// counted reports whether the loop around b has a bound: a counter, or the length of what it ranges over.
func (e *engine) counted(b *ssa.BasicBlock) bool {
	for x := range flow.BlocksFrom(b) {
		test, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
		if !ok || !flow.BlocksFrom(x)[b] || !x.Dominates(b) && e.cfg.cyclesWithout(b, x) ||
			!slices.ContainsFunc(x.Succs, func(s *ssa.BasicBlock) bool { return s != b && !flow.BlocksFrom(s)[b] }) {
			continue
		}
		switch cond := test.Cond.(type) {
		case *ssa.BinOp:
			if t, ok := cond.X.Type().Underlying().(*types.Basic); ok && cond.Op == token.LSS &&
				t.Info()&types.IsInteger != 0 {
				return true
			}
		case *ssa.Extract:
			if _, next := cond.Tuple.(*ssa.Next); next {
				return true
			}
		}
	}
	return false
}

// repeats reports whether in can be executed more than once, according to the callers of its function up to depth.
func (e *engine) repeats(in ssa.Instruction, depth int) bool {
	fn := in.Parent()
	callers := e.origins.Callers(fn)
	if e.cfg.inLoop(in.Block()) || e.callable(fn) || len(callers) != 1 || depth == 0 {
		return true
	}
	return e.repeats(callers[0], depth-1)
}

// betweenShares reports whether in can lie between one of the places where a share is acquired and the one where it is
// given back.
func betweenShares(acquired []ssa.Instruction, in, release ssa.Instruction) bool {
	if slices.Contains(acquired, in) { // this acquires the share
		return false
	}
	_, late := release.(*ssa.Defer)
	paid := func(x ssa.Instruction) bool { return !late && x == release }
	if !slices.ContainsFunc(acquired, func(a ssa.Instruction) bool { return flow.Reaches(a, in, paid) }) {
		return false
	}
	return late || flow.Reaches(in, release, func(x ssa.Instruction) bool { return slices.Contains(acquired, x) })
}

// allocatedFor are those of makes in op's function that allocate the channel of op. If the channel is new each time,
// these are all that precede op; for an operation on the channel itself, the one that reaches it; for a call, those
// that dominate it.
func allocatedFor(op peerOp, itself, isNew bool, makes []*ssa.MakeChan,
	comesBefore func(ssa.Instruction) bool) []*ssa.MakeChan {
	if op.instr == nil {
		return nil
	}
	var out []*ssa.MakeChan
	for _, m := range makes {
		if m.Parent() != op.fn {
			continue
		}
		acts := slices.ContainsFunc(operands(op.instr),
			func(v ssa.Value) bool { return flow.Resolve(v) == ssa.Value(m) || keptAt(m, flow.PathOf(v)) })
		if acts || isNew && comesBefore(m) || !itself && flow.Dominates(m, op.instr) {
			out = append(out, m)
		}
	}
	return out
}

// allocatedBelow are the calls in the function of op, before op, by which channels of the group are made. All of them
// are made by such calls or in the function itself before op, if all is true: what the function acts on is new each
// time.
func (e *engine) allocatedBelow(op peerOp, makes []*ssa.MakeChan,
	comesBefore func(ssa.Instruction) bool) (calls []ssa.Instruction, all bool) {
	if op.instr == nil {
		return nil, false
	}
	for _, m := range makes {
		if m.Parent() != op.fn && encloses(m.Parent(), op.fn) {
			return nil, false // it is captured, however often such a channel is made below as well
		}
		here := false
		for _, in := range e.in(e.allocationSites(m), op.fn) {
			if in != op.instr && comesBefore(in) {
				here = true
				if in != ssa.Instruction(m) {
					calls = append(calls, in)
				}
			}
		}
		if !here {
			return nil, false
		}
	}
	return calls, len(makes) > 0
}

// allocationsAt are the makes and calls in the function of op by which the channels of the group are made.
func (e *engine) allocationsAt(op peerOp, makes []*ssa.MakeChan) (out []ssa.Instruction) {
	for _, m := range makes {
		out = append(out, e.allocationSites(m).at[op.fn]...)
	}
	return out
}

// allocationSites are the sites that lead to m.
func (e *engine) allocationSites(m *ssa.MakeChan) sites {
	return e.peers.allocations.Ask(m, sites{}, func() sites { return e.sitesLeadingTo([]peerOp{{m.Parent(), m}}) })
}

// keptAt reports whether the channel m is stored in the field p of a local struct.
func keptAt(m *ssa.MakeChan, p flow.Path) bool {
	return p.Known() && slices.ContainsFunc(*m.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return ok && st.Val == ssa.Value(m) && built(st.Addr, m.Parent()) != nil && flow.PathOf(st.Addr) == p
	})
}

// published are the instructions by which the channels makes escape from the function of op: stores, sends, closures
// and calls. A local struct that a channel is stored in is followed.
func published(op peerOp, makes []*ssa.MakeChan) []ssa.Instruction {
	var out []ssa.Instruction
	aliases := values.From()
	for _, m := range makes {
		aliases.Add(m)
	}
	for v := range aliases.All() {
		for r := range flow.Referrers[ssa.Instruction](v) {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Val != v {
					continue
				}
				if carrier := built(r.Addr, op.fn); carrier != nil {
					aliases.Add(carrier)
					aliases.Add(sameField(r.Addr)...)
				} else {
					out = append(out, r)
				}
			case *ssa.MapUpdate, *ssa.MakeClosure:
				out = append(out, r)
			case *ssa.Send:
				if r.X == v {
					out = append(out, r)
				}
			case *ssa.ChangeType, *ssa.MakeInterface:
				aliases.Add(r.(ssa.Value))
			case *ssa.UnOp:
				if r.Op == token.MUL {
					aliases.Add(r)
				}
			case ssa.CallInstruction:
				if _, builtin := r.Common().Value.(*ssa.Builtin); !builtin {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// sameField are the other places of its function where the address of the field at addr is taken, of the same object.
func sameField(addr ssa.Value) []ssa.Value {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	var out []ssa.Value
	for _, r := range *fa.X.Referrers() {
		if o, ok := r.(*ssa.FieldAddr); ok && o != fa && o.Field == fa.Field {
			out = append(out, o)
		}
	}
	return out
}

// built is the variable or struct of fn that addr lies in; nil for what others have.
func built(addr ssa.Value, fn *ssa.Function) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.Alloc:
			if x.Parent() == fn {
				return x
			}
			return nil
		default:
			return nil
		}
	}
}

// taker names the function that acquires the lock, and where.
func taker(fn *ssa.Function, a *AcquireEvent) string {
	name := flow.FuncName(fn)
	if hops := a.Hops(); len(hops) > 0 {
		name = hops[len(hops)-1].Func
	}
	return fmt.Sprintf("%s at %s", name, a.At)
}

// through is the step of c that lies in fn.
func (c *Context) through(fn *ssa.Function) (peerOp, bool) {
	for _, op := range c.ops {
		if op.fn == fn {
			return op, true
		}
	}
	return peerOp{}, false
}

// lift extends c, which begins in fn, by the callers of fn.
func (e *engine) lift(c Context, fn *ssa.Function, makes []*ssa.MakeChan, depth int) []Context {
	callers := e.origins.Callers(fn)
	if depth == 0 && len(callers) > 0 {
		e.pkg.Cut("functions end waits and have too many callers one above the other", c.ops[0].fn)
	}
	if len(callers) == 0 && e.callable(fn) {
		c.Outside = origin.FuncName(fn)
	}
	if depth == 0 || len(callers) == 0 {
		return []Context{c}
	}
	var out []Context
	if e.callable(fn) {
		others := c
		others.Outside = origin.FuncName(fn)
		out = append(out, others)
	}
	spawned := false
	for _, call := range callers {
		if _, ok := call.(*ssa.Go); ok {
			if !spawned && !e.callable(fn) {
				out = append(out, c)
			}
			spawned = true
			continue
		}
		caller := call.Parent()
		if _, ok := c.through(caller); ok {
			continue
		}
		out = append(out, e.lift(e.extend(c, peerOp{caller, call}, makes), caller, makes, depth-1)...)
		if len(out) > maxContexts {
			e.pkg.Cut("functions end waits and are come to in too many ways", c.ops[0].fn)
			return []Context{c}
		}
	}
	if len(out) == 0 {
		return []Context{c}
	}
	return out
}

// spawned reports whether fn runs only as a goroutine.
func (e *engine) spawned(fn *ssa.Function) bool {
	callers := e.origins.Callers(fn)
	return len(callers) > 0 && !e.callable(fn) && !slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool {
		_, ok := c.(*ssa.Go)
		return !ok
	})
}

// startedInLoop reports whether fn is the function of goroutines that are started in a loop, one beside the other, and
// that are all given the same, but for numbers and words.
func (e *engine) startedInLoop(fn *ssa.Function) bool {
	return slices.ContainsFunc(e.origins.Callers(fn), func(c ssa.CallInstruction) bool {
		g, ok := c.(*ssa.Go)
		return ok && e.cfg.inLoop(g.Block()) && !slices.ContainsFunc(g.Parent().Blocks, func(b *ssa.BasicBlock) bool {
			return flow.BlocksFrom(b)[g.Block()] && flow.BlocksFrom(g.Block())[b] &&
				slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return waitsFor(in) || givesOwn(in, g) })
		})
	})
}

// waitsFor reports whether in, in the loop of a go statement, may wait for the goroutine.
func waitsFor(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Select:
		return in.Blocking
	case *ssa.Call:
		fn := flow.Callee(&in.Call)
		return fn != nil && fn.Name() == "Wait"
	}
	return false
}

// givesOwn reports whether in computes, in each iteration, an object that is passed to g: the goroutines do not share
// it.
func givesOwn(in ssa.Instruction, g *ssa.Go) bool {
	v, ok := in.(ssa.Value)
	if !ok {
		return false
	}
	if _, plain := v.Type().Underlying().(*types.Basic); plain {
		return false
	}
	given := flow.AllArgs(&g.Call)
	if lit, ok := g.Call.Value.(*ssa.MakeClosure); ok {
		if v == ssa.Value(lit) {
			return false
		}
		given = append(given, lit.Bindings...)
	}
	return slices.Contains(given, v)
}

// callable reports whether unknown code may call fn.
func (e *engine) callable(fn *ssa.Function) bool {
	obj := flow.Object(fn)
	return obj != nil && fn.Parent() == nil && obj.Exported() && e.pass.Pkg.Name() != "main"
}

// before returns a predicate for the instructions of op's function that may precede op, through back edges, too.
// Deferred calls run at the end in reverse order; an op without an instruction is the return. The result is valid up
// to the next call of before.
func (e *engine) before(op peerOp) func(ssa.Instruction) bool {
	if op.instr == nil {
		return func(ssa.Instruction) bool { return true }
	}
	_, late := op.instr.(*ssa.Defer)
	b := op.instr.Block()
	above := e.cfg.scratch(op.fn)
	flow.Mark(above, b.Preds, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
	after := e.cfg.reachableFrom(op.instr)
	return func(a ssa.Instruction) bool {
		_, lateA := a.(*ssa.Defer)
		switch {
		case late && lateA:
			return after(a)
		case lateA:
			return false
		case late:
			return true
		}
		if a.Block() == b && !above[b.Index] {
			return e.cfg.dominates(a, op.instr)
		}
		return above[a.Block().Index] || a == op.instr && above[b.Index]
	}
}
