package lock

import (
	"go/token"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// Needs reports whether the wait o cannot end because of the lock h, and which peer shows it: an edge of the wait-for
// graph. A wait for a group ends when all its goroutines are done, so one that needs the lock is enough; any other wait
// ends when one peer acts, so all contexts must need the lock. Read locks conflict only if writer says that the class
// is locked for writing somewhere.
func (o *Occurrence) Needs(h Hold, writer func(Class) bool) (Witness, bool) {
	p := o.Block.Peers
	if p.engine != nil && p.engine.unshared(h.Path, o.Instr) {
		return Witness{}, false
	}
	n := newNeed(p, h, writer, o.Instr)
	if k := o.Block.Kind; k == blocking.Send || k == blocking.Receive {
		n.tests = append(testsBefore(o.Instr), testsBefore(p.at)...)
		n.meets = k == blocking.Receive && !p.MayBeReady
	}
	return p.needs(n)
}

// Idle names the functions that could end the wait, and that nothing in the program calls.
func (o *Occurrence) Idle() []string {
	if o.Block.Peers == nil {
		return nil
	}
	return o.Block.Peers.idle
}

// testsBefore are the fields that are tested on every path to instr, which is nil for the wait of another package: what
// is tested there is not known.
func testsBefore(instr ssa.Instruction) []Class {
	if instr == nil {
		return nil
	}
	var out []Class
	for test := range flow.PathCondition(instr.Block()) {
		for v := range parts(test.Cond) {
			if load, ok := v.(*ssa.UnOp); ok && classOf(load) != "" {
				out = append(out, classOf(load))
			}
		}
	}
	return out
}

// parts yields what the condition or number v is computed from.
func parts(v ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		work := values.From(v)
		for v := range work.Resolved() {
			switch x := v.(type) {
			case *ssa.BinOp:
				work.Add(x.X, x.Y)
				continue
			case *ssa.Convert:
				work.Add(x.X)
				continue
			case *ssa.UnOp:
				if x.Op != token.MUL {
					work.Add(x.X)
					continue
				}
			}
			if !yield(v) {
				return
			}
		}
	}
}

// announcedBy reports whether the function of t stores, after it took the lock, to something that is tested on the way
// to the wait.
func (n need) announcedBy(t Taken) bool {
	if len(n.tests) == 0 || t.fn == nil || t.fn == n.waiter {
		return false
	}
	return flow.Any(flow.InstrsOf[*ssa.Store](t.fn), func(st *ssa.Store) bool {
		return slices.Contains(n.tests, classOf(st.Addr)) && flow.Reaches(t.instr, st, nil)
	})
}

// Stoppable is Needs for the stop channel of a wait that a library ends: all closes of it need the lock h.
func (o *Occurrence) Stoppable(h Hold, writer func(Class) bool) (Witness, bool) {
	p := o.Block.Stop
	if p == nil {
		return Witness{}, false
	}
	return p.needs(newNeed(p, h, writer, o.Instr))
}

// A need is the question whether other goroutines need the lock hold, while one waits.
type need struct {
	hold    Hold
	writer  func(Class) bool
	waiter  *ssa.Function   // the function that waits itself
	at      ssa.Instruction // the wait, or the call that leads to it, in the function that holds the lock
	tests   []Class         // what is tested on the way to the wait
	repeats bool            // it can wait more than once
	// the wait is an unbuffered receive: a peer that sends under the lock cannot have sent before
	meets  bool
	engine *engine // as in Peers
	// the question is about a wait that a peer must pass: the holder did its part before it came here
	behind bool
	asked  *program.Answers[*Peers, Witness]
}

func newNeed(p *Peers, h Hold, writer func(Class) bool, at ssa.Instruction) need {
	return need{
		hold: h, writer: writer, waiter: p.waiter, at: at, repeats: p.Repeats, engine: p.engine,
		asked: new(program.Answers[*Peers, Witness]),
	}
}

// blocks reports whether an acquisition in fn has to wait for the hold. In a literal of the holder, and in a
// goroutine that it starts, access paths are comparable and may show that the locks differ.
func (n need) blocks(fn *ssa.Function, class Class, path flow.Path, mode Mode) bool {
	if n.at != nil && fn != nil && fn.Parent() != nil && encloses(n.at.Parent(), fn) && path.Known() &&
		n.hold.Path.Known() && path != n.hold.Path {
		return false
	}
	if n.at != nil && fn != nil && path.Known() && n.hold.Path.Known() {
		if p, ok := startedWith(n.at.Parent(), fn, path); ok && p != n.hold.Path {
			return false
		}
	}
	if n.hold.Name != "" && class != n.hold.Class {
		return false // of two packages: there, the object around a lock is a part of what it is
	}
	if (n.hold.Class == "" || !class.same(n.hold.Class)) && (!path.Known() || path != n.hold.Path) {
		return false
	}
	return n.hold.Mode != Read || mode != Read || n.writer(class)
}

// isHolders reports whether t is the very place where the hold was taken.
func (n need) isHolders(t Taken) bool {
	return n.hold.Site != nil && t.pos.IsValid() && t.pos == flow.Pos(n.hold.Site)
}

// ofAnother reports whether the lock of t may be that of another object than the hold's: the package keeps several of
// its type, and it does not show whose that is.
func (n need) ofAnother(t Taken) bool {
	if t.path.Known() && t.path == n.hold.Path || strings.Contains(string(n.hold.Class), "@") &&
		strings.Contains(string(t.Class), "@") {
		return false
	}
	return n.engine != nil && n.engine.several(n.hold.Class)
}

// startedWith is path, of the goroutine fn, in terms of the function by that starts it.
func startedWith(by, fn *ssa.Function, path flow.Path) (flow.Path, bool) {
	if g := goStatement(by, fn); g != nil {
		return flow.Substitute(path, fn, flow.AllArgs(&g.Call))
	}
	return flow.Path{}, false
}

// goStatement is the first go statement of by that runs fn; nil for none.
func goStatement(by, fn *ssa.Function) *ssa.Go {
	for g := range flow.InstrsOf[*ssa.Go](by) {
		if flow.StaticCallee(&g.Call) == fn {
			return g
		}
	}
	return nil
}

func (p *Peers) needs(n need) (Witness, bool) {
	if p.Unknown && !p.Any || len(p.Contexts) == 0 {
		return Witness{}, false
	}
	var first Witness
	maybe := false
	for i := range p.Contexts {
		c := &p.Contexts[i]
		if self, itself := p.same(c, n); self {
			if itself || n.behind {
				return Witness{}, false
			}
			// A goroutine that calls Done under the lock is no member yet while another one holds it.
			if p.Any {
				continue
			}
			// Another goroutine in the same function may be past the lock, unless it holds it there.
			if !c.holds(n) {
				return Witness{}, false
			}
			if p.acquires() { // then no other goroutine has a share of the semaphore
				continue
			}
			if first.By == "" {
				first.By = flow.FuncName(c.ops[0].fn)
				first.Places = []Place{{c.At, "ends the wait, but only with the lock held"}}
			}
			continue
		}
		by, ok := c.needs(n)
		if ok && by.Maybe && !p.Any && p.sends() && p.engine != nil &&
			slices.ContainsFunc(c.ops, func(op peerOp) bool { return p.engine.startedInLoop(op.fn) }) {
			return Witness{}, false // it would take all of them to be on that way at once
		}
		maybe = maybe || ok && by.Maybe
		if ok && first.By == "" {
			first = by
		}
		if ok && p.Any {
			return by, true
		}
		if !ok && !p.Any {
			return Witness{}, false
		}
	}
	first.Maybe = first.Maybe || maybe && !p.Any
	return first, first.By != ""
}

// same reports whether c leads through the function that waits or the one that holds the lock, and, in the second
// result, whether the waiting goroutine itself may have done what ends the wait, or will where the channel has room for
// what it sends.
func (p *Peers) same(c *Context, n need) (self, itself bool) {
	if n.waiter == nil && n.at == nil {
		return false, false
	}
	op, ok := c.through(n.waiter)
	at := p.at
	if n.at != nil {
		if x, ok2 := c.through(n.at.Parent()); ok2 {
			op, ok, at = x, true, n.at
		}
	}
	if !ok {
		return false, false
	}
	if p.Buffered || op.instr == nil {
		return true, p.Buffered
	}
	return true, !p.acquires() && p.sameChannel(c.ops[0]) && flow.Reaches(op.instr, at, nil)
}

// sends reports whether the wait is that of a sender.
func (p *Peers) sends() bool { return len(p.ends) == 1 && p.ends[0].Kind == blocking.Send }

// acquires reports whether the wait is for a semaphore.
func (p *Peers) acquires() bool { return len(p.ends) == 1 && p.ends[0].Kind == blocking.Acquire }

// sameChannel reports whether op acts on the very variable that the wait is for.
func (p *Peers) sameChannel(op peerOp) bool {
	for _, end := range p.ends {
		want := flow.PathOf(end.On)
		for _, v := range operands(op.instr) {
			got := flow.PathOf(v)
			if _, variable := got.Root.(*ssa.Alloc); variable && flow.SingleStore(got.Root) == nil {
				continue // it may hold another channel by then
			}
			if got.Known() && (got == want || op.fn != p.waiter) {
				return true
			}
		}
	}
	return false
}

func operands(in ssa.Instruction) []ssa.Value {
	var out []ssa.Value
	for _, v := range in.Operands(nil) {
		if *v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// holds reports whether the goroutine has the lock where it ends the wait.
func (c *Context) holds(n need) bool {
	return slices.ContainsFunc(c.held, func(x Hold) bool { return n.blocks(nil, x.Class, x.Path, x.Mode) })
}

func (c *Context) needs(n need) (Witness, bool) {
	var maybe Witness
	announced := c.announcement(n)
	for _, t := range c.Takes {
		if !n.blocks(t.fn, t.Class, t.path, t.Mode) {
			continue
		}
		if announced != nil && c.beforeOf(t, *announced) {
			continue
		}
		// What the peer locked before it started the waiter is over.
		if site := startOf(n.waiter, t.fn); site != nil && !flow.Reaches(site, t.instr, nil) {
			continue
		}
		// The acquisition may be the holder's own, in a member that waits for its own group.
		w := Witness{t.By, c.places(t), t.Maybe || t.Later && !n.repeats || n.isHolders(t) || n.ofAnother(t)}
		if !w.Maybe {
			return w, true
		}
		if maybe.By == "" {
			maybe = w
		}
	}
	n.behind = true
	for _, w := range c.waits {
		by := n.asked.Ask(w, Witness{}, func() Witness {
			if !w.joins() || n.at != nil && w.engine != nil && w.engine.runsOnlyAfter(n.at.Parent(), w.at) {
				return Witness{}
			}
			by, _ := w.needs(n)
			return by
		})
		if by.By != "" && (!by.Maybe || maybe.By == "") {
			maybe = by
		}
	}
	return maybe, maybe.By != ""
}

// announcement is the acquisition under which the peer sets a flag that the waiter tests; nil for none. What the peer
// does before that precedes the wait.
func (c *Context) announcement(n need) *Taken {
	if n.meets && c.holds(n) {
		return nil
	}
	for i := range c.Takes {
		t := &c.Takes[i]
		if n.blocks(t.fn, t.Class, t.path, t.Mode) && n.announcedBy(*t) {
			return t
		}
	}
	return nil
}

// beforeOf reports whether the peer acquires t before u, or may: in a caller, or on a path to u.
func (c *Context) beforeOf(t, u Taken) bool {
	if t.fn == u.fn {
		return t.instr == u.instr || flow.Reaches(t.instr, u.instr, nil)
	}
	step := func(fn *ssa.Function) int {
		return slices.IndexFunc(c.ops, func(op peerOp) bool { return op.fn == fn })
	}
	return step(t.fn) > step(u.fn)
}

// places are the acquisition of t and the operation that would end the wait.
func (c *Context) places(t Taken) []Place {
	taker, _, _ := strings.Cut(t.By, " at ")
	out := []Place{{t.At, taker + " needs the same lock here"}, {c.At, "and ends the wait only here"}}
	if t.From != "" {
		_, callee, _ := strings.Cut(t.By, " via ")
		out[0].What = callee + " needs the same lock here"
		out = slices.Insert(out, 0, Place{t.From, taker + " calls " + callee + " here"})
	}
	return out
}

// joins reports whether the wait is for goroutines that the waiting function starts. A wait for others, as for a
// client, may end at any time.
func (p *Peers) joins() bool {
	for i := range p.Contexts {
		ops := p.Contexts[i].ops
		if len(ops) == 0 || startOf(ops[len(ops)-1].fn, p.waiter) == nil {
			return false
		}
	}
	return len(p.Contexts) > 0
}

// startOf is where by starts the goroutine that runs fn, or makes the function literal fn; nil where it does not.
func startOf(fn, by *ssa.Function) ssa.Instruction {
	if fn == nil || by == nil {
		return nil
	}
	if mc := flow.ClosureSite(fn); mc != nil && mc.Parent() == by {
		return mc
	}
	if g := goStatement(by, fn); g != nil {
		return g
	}
	return nil
}
