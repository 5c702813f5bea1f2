package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// stopName reports whether a channel is called as one is that says stop. A <-chan struct{} of another name may as well be a
// trigger, and a loop that goes on after a trigger is right.
func stopName(name string) bool {
	return slices.ContainsFunc(words.Of(name), func(w string) bool {
		for _, end := range []string{"chan", "ch", "c"} {
			w = strings.TrimSuffix(w, end)
		}
		switch w {
		case "stop", "stopped", "stopping", "stopper", "done", "quit", "exit", "term", "terminate", "terminated", "cancel", "canceled", "cancelled", "shutdown", "closed", "closing":
			return true
		}
		return false
	})
}

// fallsBack reports the receives of the end of a context, or of a stop channel, in fn, by themselves or as a case of a select, that go
// on with the loop: the channel stays ready, and so the loop spins. So does that of any channel where it has been closed, as the code says
// itself that asks for it.
func (c *checker) fallsBack(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp: // also what the compiler makes of a select with one case
			if in.Op == token.ARROW {
				c.spins(fn, in, 0, in.X, flow.Pos(in), in.Block().Succs...)
			}
		case *ssa.Select:
			for i, s := range in.States {
				body := flow.CaseOf(in, i)
				if s.Dir != types.RecvOnly || body == nil {
					continue
				}
				pos := s.Pos
				if !pos.IsValid() {
					pos = flow.Pos(in)
				}
				c.spins(fn, in, i, s.Chan, pos, body)
			}
		}
	}
}

// spins reports the receive recv of ch, of case i where it is a select, which goes to the blocks next, where it goes on with the loop.
func (c *checker) spins(fn *ssa.Function, recv ssa.Instruction, i int, ch ssa.Value, pos token.Pos, next ...*ssa.BasicBlock) {
	what, body := "<-"+spell(ch), recv.Block()
	if _, choice := recv.(*ssa.Select); choice {
		what, body = "case "+what, next[0]
	}
	if c.isStop(ch) {
		if ways, back := loopsBack(recv.Block(), next...); back && stable(ch, recv.Block()) && !c.tells(ways, recv) && !c.spared(fn, recv, ch) && !leftByTick(recv, i) {
			c.reportSpin(fn, recv, pos, "ready-channel-loop", what, stopped(ch), c.leaveFix(fn, pos))
		}
	} else if c.closedGoesOn(recv, ch, body) && stable(ch, recv.Block()) {
		c.reportSpin(fn, recv, pos, "closed-channel-loop", what, "it is closed", nil) // what receives goes on while the channel is open
	}
}

// tells reports whether something is sent, or a channel closed, in one of the blocks, or in a function of the package that is called there, from which another
// case of the select recv receives: that may leave the loop.
func (c *checker) tells(blocks flow.Blocks, recv ssa.Instruction) bool {
	choice, ok := recv.(*ssa.Select)
	if !ok {
		return false
	}
	told := func(in ssa.Instruction) bool {
		ch := toldBy(in)
		return ch != nil && slices.ContainsFunc(choice.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && mayBeOne(s.Chan, ch) })
	}
	for b := range blocks {
		for _, in := range b.Instrs {
			if told(in) {
				return true
			}
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if callee := c.pkg.Callee(&call.Call); callee != nil {
				for in := range flow.Instrs(callee) {
					if told(in) {
						return true
					}
				}
			}
		}
	}
	return false
}

// toldBy is the channel that in sends to or closes, nil for neither.
func toldBy(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Send:
		return in.Chan
	case *ssa.Call:
		return flow.Closed(&in.Call)
	}
	return nil
}

// mayBeOne reports whether a and b are the same channel, or come from the same field.
func mayBeOne(a, b ssa.Value) bool {
	if flow.Resolve(a) == flow.Resolve(b) {
		return true
	}
	f, g := flow.LoadedFrom(a), flow.LoadedFrom(b)
	return f != nil && g != nil && flow.Field(f.X.Type(), f.Field) == flow.Field(g.X.Type(), g.Field)
}

// closedGoesOn reports whether the code from body on asks whether the channel ch of the receive recv is closed, and comes back to recv where it
// is, without a pause. It is about a channel that the function is given: one that it has from elsewhere it may end itself, as it does with
// what watches files.
func (c *checker) closedGoesOn(recv ssa.Instruction, ch ssa.Value, body *ssa.BasicBlock) bool {
	if _, given := flow.Resolve(ch).(*ssa.Parameter); !given {
		return false
	}
	side := closedSide(recv, body)
	if side == nil {
		return false
	}
	ways, back := loopsBack(recv.Block(), side)
	for b := range ways {
		back = back && !slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return c.pause(in) != "" })
	}
	return back
}

// closedSide is where the code of body goes on if the channel of the receive recv is closed, nil where it does not ask for that at once.
func closedSide(recv ssa.Instruction, body *ssa.BasicBlock) *ssa.BasicBlock {
	test := flow.Branch(body)
	if test == nil {
		return nil
	}
	cond, is := flow.StripNot(test.Cond)
	open, ok := cond.(*ssa.Extract)
	if !ok || open.Tuple != recv.(ssa.Value) || open.Index != 1 {
		return nil
	}
	return flow.Side(test, flow.TruthOf(!is))
}

// stopped is the clause for when ch, the end of a context or a stop channel, is ready.
func stopped(ch ssa.Value) string {
	ctx := blocking.DoneOf(ch)
	if ctx == nil {
		return "it is closed"
	}
	if p := flow.PathOf(ctx); p.Known() && !strings.Contains(p.String(), "()") {
		return p.String() + " is done"
	}
	return "the context is done"
}

// reportSpin reports what, the receive recv in fn, which does not leave the loop once the clause when holds.
func (c *checker) reportSpin(fn *ssa.Function, recv ssa.Instruction, pos token.Pos, site rule.Site, what, when string, fixes []analysis.SuggestedFix) {
	end := "forever"
	if canLeave(recv.Block()) {
		end = "until another case leaves it"
	}
	c.reportCalled(fn, rule.Finding{
		Pos: pos, Sub: "loop", Site: site,
		Message: fmt.Sprintf("%s does not leave the loop: once %s, the loop in %s busy-waits %s; return, or break out of the loop", what, when, flow.FuncName(fn), end),
		Fixes:   fixes,
	})
}

// isStop reports whether ch is ctx.Done() of a context that ends, or a parameter or captured variable that is a stop channel: one that the package
// closes, or, where others have it, one that is called so.
func (c *checker) isStop(ch ssa.Value) bool {
	if ctx := blocking.DoneOf(ch); ctx != nil {
		return blocking.Background(ctx) == nil // that of a context without an end is never ready
	}
	p, ok := flow.Resolve(ch).(*ssa.Parameter)
	return ok && kubeapi.IsStopChannel(p.Type()) && (c.bounds.Closed(p) && !c.bounds.ClosedAfter(p, p.Parent()) || !c.bounds.OnlyOwn(p) && stopName(p.Name()))
}

// loopsBack reports whether some path from the blocks leads to target, and none leaves the cycle of target in another way than by the end
// of the process; and the blocks on these paths.
func loopsBack(target *ssa.BasicBlock, from ...*ssa.BasicBlock) (flow.Blocks, bool) {
	ends := func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, lifetime.EndsProcess) }
	paths := flow.BlocksAlong(func(from, _ *ssa.BasicBlock) bool { return from != target && !ends(from) }, from...)
	back, cycle := paths[target], flow.BlocksTo(target)
	delete(paths, target)
	for b := range paths {
		if ends(b) {
			delete(paths, b)
		} else if !cycle[b] {
			return nil, false
		}
	}
	return paths, back
}

// canLeave reports whether some path from b does not come back to it.
func canLeave(b *ssa.BasicBlock) bool {
	for to := range flow.BlocksFrom(b) {
		if len(to.Succs) > 0 {
			continue
		}
		// A blocking select ends in a panic for the case that no case matched: no exit.
		if _, impossible := to.Instrs[len(to.Instrs)-1].(*ssa.Panic); !impossible {
			return true
		}
	}
	return false
}

// stable reports whether v is the same channel, or belongs to the same context, on each pass of the cycle through at.
func stable(v ssa.Value, at *ssa.BasicBlock) bool {
	onCycle := func(b *ssa.BasicBlock) bool { return b == at || flow.BlocksFrom(at)[b] && flow.BlocksFrom(b)[at] }
	for {
		v = flow.Unwrap(v)
		in, ok := v.(ssa.Instruction)
		if !ok || in.Parent() != at.Parent() {
			return true // a parameter, a free variable, a value of an enclosing function
		}
		switch x := v.(type) {
		case *ssa.Call:
			if blocking.DoneOf(x) != nil {
				v = x.Call.Value
				continue
			}
		case *ssa.UnOp:
			if x.Op != token.MUL {
				break
			}
			if at, ok := x.X.(*ssa.IndexAddr); ok && onCycle(at.Block()) {
				return false // perhaps of another one
			}
			if s := flow.SingleStore(x.X); s != nil && s != v {
				v = s
				continue
			}
			for _, b := range at.Parent().Blocks {
				if !onCycle(b) {
					continue
				}
				for _, in := range b.Instrs {
					if st, ok := in.(*ssa.Store); ok && (st.Addr == x.X || samePlace(st.Addr, x.X)) {
						return false
					}
				}
			}
			if _, local := x.X.(*ssa.Alloc); local {
				return false // written more than once, perhaps by a closure
			}
			return true
		}
		return !onCycle(in.Block())
	}
}

func samePlace(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	return ok && ok2 && x.Field == y.Field && types.Identical(x.X.Type(), y.X.Type())
}
