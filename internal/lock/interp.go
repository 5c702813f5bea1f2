package lock

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// interp runs one function over its states.
type interp struct {
	e     *engine
	fn    *ssa.Function
	res   *FuncResult
	sum   *Summary
	seen  map[*ssa.BasicBlock]map[string]bool
	wide  map[*ssa.BasicBlock]*state // the widened state of a block that had too many
	turns map[*ssa.BasicBlock]int    // how often that changed
	exit  []exit

	panicked []Leak // by a panic that the function recovers from

	tested map[string]int         // how many branches depend on a condition
	conds  map[*ssa.If]cond       // the condition of each branch
	live   map[string]flow.Blocks // by condition: the blocks from which a test of it is reachable
	always map[string]bool        // of phis that feed a phi that is tested
	work   []item

	freed map[flow.Path]bool // locks that some path takes and releases again
	index map[eventKey]int   // position in res.Events

	openIndex map[eventKey]int // position in res.Opens, -1 for what is not there

	avoided  program.Answers[*ssa.BasicBlock, bool] // as in avoidable
	failing  program.Answers[*ssa.Return, bool]     // which returns return an error
	may      []Hold                                 // locks of the caller that a callee may release
	crowded  bool                                   // it has more locks than are followed
	guarded  *paths.Conditions
	sumIndex map[sumKey]int // position in sum.Acquires or sum.Blocks
}

type cond struct {
	key string
	pos bool // false where key stands for the opposite
	val ssa.Value
}

// learnable reports whether the outcome of the condition can be known before it is tested, from what was assigned.
func (c cond) learnable() bool {
	switch x := c.val.(type) {
	case *ssa.Phi:
		return true
	case *ssa.UnOp:
		return x.Op == token.MUL
	}
	return strings.HasSuffix(c.key, "|nil")
}

type item struct {
	block *ssa.BasicBlock
	state *state
}

// exit is one way out of the function.
type exit struct {
	*state
	ret *ssa.Return
}

// An eventKey identifies what an instruction can do: its own operation, and each event of its callees.
type eventKey struct {
	instr ssa.Instruction
	pos   token.Pos
	at    link.At
	lock  flow.Path
	class Class
	kind  blocking.Kind
	below bool
}

// SlowOccurrence is something slow at an instruction, with the locks that are held there on every path.
type SlowOccurrence struct {
	Instr ssa.Instruction
	Held  []Hold
	SlowEvent
}

// Occurrence is something that happens at an instruction, with the locks that are held there on every path.
type Occurrence struct {
	Instr ssa.Instruction
	Held  []Hold // on every path, without what the callee releases first
	Again *Hold  // for Acquire: the same lock, acquired here in an earlier iteration, on some path
	// One of the two:
	Acquire *AcquireEvent
	Block   *BlockEvent
	Lock    flow.Path // for Acquire: the lock in this function's terms
	Bound   blocking.Bound

	own     flow.Path // for a wait on a condition variable: the lock that it releases
	inside  bool      // the callers decide about this wait: it is not in the summary
	passed  []Hold    // locks that the callee takes on every way there
	dropped []Hold    // locks of the function's callers that some path here has released
}

// FuncResult is what the rules read of one function.
type FuncResult struct {
	Fn     *ssa.Function
	Events []Occurrence
	Slow   []SlowOccurrence
	Opens  []OpenOccurrence
	Leaks  []Leak

	// ForTests says that Events and Opens happen only in packages for tests, whose runs are bounded.
	ForTests bool

	drops  []Hold // locks of others that it releases
	handed map[handing]*receipt
}

func (e *engine) interpret(fn *ssa.Function) (*FuncResult, *Summary) {
	in := &interp{
		e: e, fn: fn,
		res:    &FuncResult{Fn: fn, handed: map[handing]*receipt{}},
		sum:    &Summary{},
		seen:   map[*ssa.BasicBlock]map[string]bool{},
		wide:   map[*ssa.BasicBlock]*state{},
		turns:  map[*ssa.BasicBlock]int{},
		tested: map[string]int{},
		conds:  map[*ssa.If]cond{},
		freed:  map[flow.Path]bool{},
		index:  map[eventKey]int{},

		openIndex: map[eventKey]int{},
		guarded:   paths.ConditionsOf(fn),
		sumIndex:  map[sumKey]int{},
	}
	if fn.Parent() != nil && (inPlace(fn) || e.runsInPlace(fn)) {
		in.guarded = paths.CapturedConditionsOf(fn)
	}
	if in.locks() {
		in.conditions()
	} else {
		in.anyPath()
	}
	in.work = append(in.work, item{fn.Blocks[0], &state{}})
	for len(in.work) > 0 && !in.crowded {
		it := in.work[len(in.work)-1]
		in.work = in.work[:len(in.work)-1]
		in.block(it.block, it.state)
	}
	if in.crowded {
		e.pkg.Cut("functions hold too many locks at once to follow", fn)
		e.forgetHeld(fn)
		return &FuncResult{Fn: fn}, &Summary{}
	}
	in.finish()
	return in.res, in.sum
}

// locks reports whether the function changes what is held: it has a lock operation, or calls what has one that is not
// undone. What other functions do does not depend on the path.
func (in *interp) locks() bool {
	return flow.Any(flow.Calls(in.fn), func(c ssa.CallInstruction) bool {
		_, op := opOf(c.Common())
		return op || slices.ContainsFunc(in.e.targets(c), func(fn *ssa.Function) bool {
			s := in.e.summary(fn)
			return s != nil && len(s.Acquired)+len(s.Released)+len(s.May) > 0
		})
	})
}

// anyPath names the conditions without following any of them.
func (in *interp) anyPath() {
	for _, b := range in.fn.Blocks {
		if c := flow.Branch(b); c != nil {
			v, pos := flow.StripNot(c.Cond)
			in.conds[c] = cond{"", pos, v}
		}
	}
}

// conditions names the condition of each branch, and finds from where on each is still tested: in the blocks that lead
// there, up to the one that computes what is tested. What a place holds may be known from anywhere on.
func (in *interp) conditions() {
	in.live = map[string]flow.Blocks{}
	tests := map[string][]*ssa.BasicBlock{}
	for _, b := range in.fn.Blocks {
		if c := flow.Branch(b); c != nil {
			v, _ := flow.StripNot(c.Cond)
			k, pos := condKey(c.Cond)
			in.conds[c] = cond{k, pos, v}
			in.tested[k]++
			tests[k] = append(tests[k], b)
		}
	}
	in.phis()
	for _, b := range in.fn.Blocks {
		c := flow.Branch(b)
		if c == nil {
			continue
		}
		cd := in.conds[c]
		if in.live[cd.key] != nil || in.tested[cd.key] < 2 && !cd.learnable() {
			continue
		}
		live, born := flow.Blocks{}, computedIn(cd.val)
		work := tests[cd.key]
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !live[b] {
				live[b] = true
				if b != born {
					work = append(work, b.Preds...)
				}
			}
		}
		in.live[cd.key] = live
	}
}

// computedIn is the last block that computes an operand of the condition v: from there on, equal keys mean equal
// conditions; nil for the whole function.
func computedIn(v ssa.Value) *ssa.BasicBlock {
	operands := []ssa.Value{v}
	if b, ok := v.(*ssa.BinOp); ok {
		switch b.Op {
		case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
			operands = []ssa.Value{b.X, b.Y}
		}
	}
	var last *ssa.BasicBlock
	for _, x := range operands {
		x = flow.Unwrap(x)
		if isBuiltin(x, "len") {
			x = flow.Unwrap(x.(*ssa.Call).Call.Args[0])
		}
		switch y := x.(type) {
		case *ssa.Const:
			continue
		case *ssa.UnOp:
			if y.Op == token.MUL {
				return nil
			}
		}
		in, ok := x.(ssa.Instruction)
		if !ok {
			return nil
		}
		if last == nil || last.Dominates(in.Block()) {
			last = in.Block()
		}
	}
	return last
}

// phis adds the phis that feed a phi whose truth, or nilness, is tested: a flag that is set in a loop.
func (in *interp) phis() {
	in.always = map[string]bool{}
	var feed func(phi *ssa.Phi, form string)
	feed = func(phi *ssa.Phi, form string) {
		for _, e := range phi.Edges {
			x, ok := e.(*ssa.Phi)
			if k := fmt.Sprintf(form, operandKey(e)); ok && !in.always[k] {
				in.always[k] = true
				in.tested[k]++
				feed(x, form)
			}
		}
	}
	for _, c := range in.conds {
		if call, ok := c.val.(*ssa.Call); ok { // TryLock: what it gave may be tested again under another name
			if o, ok := opOf(&call.Call); ok && o.action == tryAcquire {
				in.always[c.key] = true
			}
		}
		if phi, ok := c.val.(*ssa.Phi); ok {
			feed(phi, "%s")
		}
		if b, ok := c.val.(*ssa.BinOp); ok && isConst(b.Y) {
			if phi, ok := flow.Unwrap(b.X).(*ssa.Phi); ok && strings.HasSuffix(c.key, "|nil") {
				feed(phi, "==|%s|nil")
			}
		}
	}
}

// push queues block to with s, on the edge from block from, unless it was queued in that state before. A block with too
// many states continues with their meet.
func (in *interp) push(from, to *ssa.BasicBlock, s *state) {
	s.enter(from, to, in.tested)
	for k := range s.conds {
		if !in.live[k][to] && !in.always[k] {
			delete(s.conds, k)
		}
	}
	in.e.work += len(s.held) + len(s.dropped) + len(s.defers) + len(s.conds)
	if len(s.conds) > maxTests {
		in.e.pkg.Cut("places depend on too many tests", to)
		s.conds, s.widened = nil, true
	}
	m := in.seen[to]
	if m == nil {
		m = map[string]bool{}
		in.seen[to] = m
	}
	if w := in.wide[to]; w != nil {
		before := w.key()
		w.meet(s)
		if w.key() == before {
			return
		}
		// Each iteration may drop one test, and would repeat the whole walk.
		if in.turns[to]++; in.turns[to] > maxStates && len(w.conds) > 0 {
			in.e.pkg.Cut("places depend on too many tests", to)
			w.conds = nil
		}
		in.work = append(in.work, item{to, w.clone()})
		return
	}
	k := s.key()
	if m[k] {
		return
	}
	m[k] = true
	if len(m) > maxStates {
		in.e.pkg.Cut("blocks had their states merged", to)
		in.wide[to] = s.clone()
		in.wide[to].widened = true
		s.widened = true
	}
	in.work = append(in.work, item{to, s})
}

func (in *interp) block(b *ssa.BasicBlock, s *state) {
	in.e.work += len(b.Instrs)
	for _, instr := range b.Instrs {
		if len(s.held) > maxHeld || len(s.dropped) > maxHeld {
			in.crowded = true
			return
		}
		if v, ok := instr.(ssa.Value); ok {
			s.redefine(v)
		}
		switch x := instr.(type) {
		case *ssa.Store:
			p := flow.PathOf(x.Addr)
			s.assign(p)
			s.written(p, x.Val, in.tested)
			if _, variable := x.Addr.(*ssa.Alloc); !variable {
				s.handsOn(x.Val)
			}
		case *ssa.MapUpdate:
			s.handsOn(x.Value)
		case *ssa.Defer:
			s.defers = append(s.defers, x)
		case *ssa.RunDefers:
			in.runDefers(s)
		case *ssa.Call:
			in.e.holding(x, s)
			if in.call(x, x.Common(), s); in.neverReturns(x) {
				return
			}
		case *ssa.Go:
			in.e.holding(x, s)
			in.spawn(x, s)
		case *ssa.Return:
			in.exit = append(in.exit, exit{s, x})
			return
		case *ssa.Panic:
			in.recovered(x, s)
			return
		case *ssa.If:
			in.branch(x, s)
			return
		default:
			switch instr.(type) {
			case *ssa.Send, *ssa.Select, *ssa.UnOp:
				in.e.holding(instr, s)
			}
			if w, ok := in.e.table.Of(instr); ok {
				in.wait(instr, w, s)
			} else if w, ok := blocking.Spins(instr); ok {
				in.spins(instr, w, s)
			} else if slow, ok := in.e.table.SlowOf(instr); ok {
				in.slow(instr, slow, s)
			}
			if send, ok := instr.(*ssa.Send); ok {
				s.handsOn(send.X)
			}
		}
	}
	for _, succ := range b.Succs {
		in.push(b, succ, s.clone())
	}
}

// runDefers makes the deferred calls.
func (in *interp) runDefers(s *state) {
	for i := len(s.defers) - 1; i >= 0; i-- {
		in.e.holding(s.defers[i], s)
		in.call(s.defers[i], s.defers[i].Common(), s)
	}
	s.defers = nil
}

// spawn forgets the locks that a new goroutine releases: they are its own from now on.
func (in *interp) spawn(g *ssa.Go, s *state) {
	fn := flow.StaticCallee(&g.Call)
	if fn == nil {
		return
	}
	if sum := in.e.summary(fn); !sum.empty() {
		a := actuals{args: flow.AllArgs(&g.Call)}
		in.mayRelease(sum, func(r Ref) (flow.Path, bool) { return in.path(r, a) }, s)
	}
}

// neverReturns reports whether c calls a function that does not return.
func (in *interp) neverReturns(c *ssa.Call) bool {
	fn := flow.StaticCallee(&c.Call)
	if fn == nil || fn.Pkg != in.e.pkg.Package {
		return false
	}
	sum := in.e.summaries[fn]
	return sum != nil && sum.NoReturn
}

// branch follows both edges, or the one that an earlier test of the same condition has chosen, and takes a lock on the
// edge on which TryLock succeeded.
func (in *interp) branch(c *ssa.If, s *state) {
	cd := in.conds[c]
	succ := func(truth bool) *ssa.BasicBlock {
		if truth == cd.pos {
			return c.Block().Succs[0]
		}
		return c.Block().Succs[1]
	}
	if k, ok := cd.val.(*ssa.Const); ok && k.Value != nil {
		in.push(c.Block(), succ(k.Value.String() == "true"), s)
		return
	}
	if known, ok := s.conds[cd.key]; ok {
		in.push(c.Block(), succ(known.truth), s)
		return
	}
	if in.e.partial && unknown(cd.val) { // another test of what is not known may be the same one
		s = s.clone()
		s.widened = true
	}
	v, isNil, tests := flow.NilTest(cd.val)
	tests = tests && in.e.neverNil(v)
	for _, truth := range []bool{true, false} {
		if truth && in.heldAlready(cd.val, s) || tests && truth == isNil {
			continue
		}
		t := s.clone()
		call, _ := cd.val.(*ssa.Call)
		if in.tested[cd.key] > 1 || call != nil && in.always[cd.key] {
			t.decide(cd.key, truth, cd.val)
		}
		if call, ok := cd.val.(*ssa.Call); ok && truth {
			if o, ok := in.e.opOf(&call.Call); ok && o.action == tryAcquire && o.lock.Known() &&
				!in.e.aliases.hidden(o) {
				t.acquire(Hold{Path: o.lock, Class: o.class, Mode: o.mode, Site: call})
			}
		}
		in.push(c.Block(), succ(truth), t)
	}
}

// unknown reports whether cond is about something that could not be loaded.
func unknown(cond ssa.Value) bool {
	return flow.Any(parts(cond), flow.IsUnloaded)
}

// heldAlready reports whether cond is a TryLock of a lock that is held here, which never succeeds.
func (in *interp) heldAlready(cond ssa.Value, s *state) bool {
	call, ok := cond.(*ssa.Call)
	if !ok || s.widened {
		return false
	}
	o, ok := in.e.opOf(&call.Call)
	if !ok || o.action != tryAcquire || in.e.aliases.hidden(o) {
		return false
	}
	return slices.ContainsFunc(s.held, func(h Hold) bool {
		return h.Path == o.lock && h.Path.Known() && !h.Stale && (h.Mode == Write || o.mode == Write)
	})
}

// wait records that the function itself blocks at instr.
func (in *interp) wait(instr ssa.Instruction, w blocking.Wait, s *state) {
	b := &BlockEvent{
		Event: in.e.event(instr),
		Kind:  w.Kind, What: in.e.spelled(instr.Pos(), w.What), Limit: w.Bound.Limit, Why: w.Bound.Why,
		Bound: Ref{Param: -1}, Own: Ref{Param: -1},
	}
	held := append([]Hold(nil), s.held...)
	if len(w.Ends) > 0 || w.Kind == blocking.Select {
		b.Peers = in.e.peersOf(w, instr)
		if b.Peers == nil && w.Kind != blocking.Acquire {
			return
		}
	}
	if w.Stop != nil && w.Bound.Limit == blocking.Unknown {
		if in.e.inTime(w.Stop) {
			return
		}
		closed := []blocking.End{{Kind: blocking.Receive, On: w.Stop}}
		b.Stop = in.e.peersOf(blocking.Wait{Kind: blocking.Receive, Ends: closed}, instr)
	}
	var own flow.Path
	if w.Kind == blocking.Cond {
		var ok bool
		if own, b.Owns, ok = in.ownLock(w.Ends[0].On, held); !ok {
			return // the lock of the condition variable is unknown
		}
		held = b.keeps(removePath(held, own))
	}
	in.record(Occurrence{Instr: instr, Held: held, Block: b, Bound: w.Bound, own: own, inside: w.Asked}, s.dropped)
}

// inTime reports whether the package closes the channel stop after a time.
func (e *engine) inTime(stop ssa.Value) bool {
	if e.bounds == nil {
		e.bounds = blocking.BoundsOf(e.pkg)
	}
	return e.bounds.Of(stop, nil).Limit == blocking.Deadline
}

// ownLock is the lock that a wait for the condition variable at v releases: the one that it was created with, its field
// L, or the only one in the lock set; or the classes of the locks that it may be created with. It is false if there may
// be others.
func (in *interp) ownLock(v ssa.Value, held []Hold) (flow.Path, []Class, bool) {
	if o, ok := in.e.condLock(v); ok {
		return o.lock, nil, true
	}
	if p := flow.PathOf(v); p.Known() {
		p.Sel += ".L"
		if _, ok := find(held, p); ok {
			return p, nil, true
		}
	}
	if len(held) == 1 {
		return held[0].Path, nil, true
	}
	classes, all := in.e.condClasses(v)
	return flow.Path{}, classes, all
}

// keeps is held without the locks that the wait b on a condition variable may release.
func (b *BlockEvent) keeps(held []Hold) []Hold {
	return without(held, func(h Hold) bool {
		return slices.ContainsFunc(b.Owns, func(c Class) bool { return h.Class == "" || h.Class.same(c) })
	})
}

// slow records that the function itself does something slow at instr.
func (in *interp) slow(instr ssa.Instruction, w blocking.Slow, s *state) {
	w.What = in.e.spelled(instr.Pos(), w.What)
	in.recordSlow(SlowOccurrence{instr, s.held, SlowEvent{Event: in.e.event(instr), Slow: w}}, s.dropped)
}

// meetSlow adds o to the result, and reports whether it is new: one that was seen in another state before keeps the
// locks that are held in both.
func (in *interp) meetSlow(o SlowOccurrence) bool {
	for i := range in.res.Slow {
		if old := &in.res.Slow[i]; old.Instr == o.Instr && old.Kind == o.Kind && o.Over == nil {
			old.Held = common(old.Held, o.Held)
			return false
		}
	}
	if !chosen(o.Guards) && o.Over == nil {
		o.Held = slices.Clone(o.Held)
		in.res.Slow = append(in.res.Slow, o)
	}
	return true
}

// recordSlow notes a slow operation, one of each kind for an instruction, and one of each kind and
// parameter in the summary.
func (in *interp) recordSlow(o SlowOccurrence, dropped []Hold) {
	if !in.meetSlow(o) {
		return
	}
	guards, ok := in.allGuards(o.Instr, o.Guards)
	if !ok {
		return
	}
	for _, old := range in.sum.Slow {
		if old.Kind == o.Kind && (old.Over == nil) == (o.Over == nil) && (o.Over == nil || *old.Over == *o.Over) {
			return
		}
	}
	x := o.SlowEvent
	x.Dropped, x.Guards = in.refs(dropped), guards
	in.sum.Slow = append(in.sum.Slow, x)
}

func isConst(v ssa.Value) bool { _, ok := flow.Unwrap(v).(*ssa.Const); return ok }

func (in *interp) refs(hs []Hold) []Ref {
	var out []Ref
	for _, h := range hs {
		if r, ok := refOf(in.fn, h.Path, h.Class); ok {
			out = append(out, r)
		}
	}
	return out
}
