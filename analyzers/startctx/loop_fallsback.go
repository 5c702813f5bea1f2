package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
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
// on with the loop: the channel stays ready, and so the loop spins.
func (c *checker) fallsBack(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp: // also what the compiler makes of a select with one case
			if in.Op == token.ARROW && c.isStop(in.X) && stable(in.X, in.Block()) && goesRound(in.Block()) {
				c.reportSpin(fn, flow.Pos(in), "<-"+spell(in.X), in.Block())
			}
		case *ssa.Select:
			for i, s := range in.States {
				if s.Dir != types.RecvOnly || !c.isStop(s.Chan) {
					continue
				}
				body := flow.CaseOf(in, i)
				if body == nil || !stable(s.Chan, in.Block()) || !alwaysReturns(body, in.Block()) || c.exitsBetween(body, in.Block()) {
					continue
				}
				pos := s.Pos
				if !pos.IsValid() {
					pos = flow.Pos(in)
				}
				c.reportSpin(fn, pos, "case <-"+spell(s.Chan), in.Block())
			}
		}
	}
}

// exitsBetween reports whether a function of the package that does not come back, as it ends the process, is called between the start of b and
// the block to.
func (c *checker) exitsBetween(b, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{to: true}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if fn := c.pkg.Callee(&call.Call); fn != nil && len(fn.Blocks) > 0 && !returns(fn) {
				return true
			}
		}
		return slices.ContainsFunc(b.Succs, walk)
	}
	return walk(b)
}

// returns reports whether fn has a return.
func returns(fn *ssa.Function) bool {
	for range flow.Returns(fn) {
		return true
	}
	return false
}

// goesRound reports whether every way from the end of b comes back to it.
func goesRound(b *ssa.BasicBlock) bool {
	return len(b.Succs) > 0 && !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !alwaysReturns(s, b) })
}

// reportSpin reports what, a receive in the block at, which does not leave the loop.
func (c *checker) reportSpin(fn *ssa.Function, pos token.Pos, what string, at *ssa.BasicBlock) {
	end := "and nothing else ends the loop"
	if canLeave(at) {
		end = "until another case leaves it"
	}
	c.report(rule.Finding{
		Pos: pos, Sub: "loop",
		Message: fmt.Sprintf("%s does not leave the loop: once it is ready the loop in %s spins, %s", what, flow.FuncName(fn), end),
		Fixes:   c.leaveFix(fn, pos),
	})
}

// isStop reports whether ch is ctx.Done(), or a parameter or captured variable that is a stop channel: one that the package
// closes, or, where others have it, one that is called so.
func (c *checker) isStop(ch ssa.Value) bool {
	if blocking.DoneOf(ch) != nil {
		return true
	}
	p, ok := flow.Resolve(ch).(*ssa.Parameter)
	return ok && controllers.IsStop(p.Type()) && (c.bounds.Closed(p) || !c.bounds.InSight(p) && stopName(p.Name()))
}

// alwaysReturns reports whether every path from b comes to target before anything that leaves the cycle on which
// target lies.
func alwaysReturns(b, target *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{target: true}
	var walk func(b *ssa.BasicBlock) bool
	walk = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return true
		}
		seen[b] = true
		if !flow.BlocksFrom(b)[target] {
			return false
		}
		for _, s := range b.Succs {
			if !walk(s) {
				return false
			}
		}
		return true
	}
	return walk(b)
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
