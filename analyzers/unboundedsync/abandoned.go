package unboundedsync

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// abandoned reports a send on an unbuffered channel, by a goroutine that fn starts, whose only receiver may return without
// receiving: the sender then blocks forever.
//
// For each channel that fn makes and all of whose uses are known, all receives have to be in fn or in one goroutine of it.
// A receive in a select is left out on a path if the select takes another case, which is a timer, the end of a context
// that belongs to one call, or a channel that becomes ready first, and a return is reachable from that case without
// another receive. reportEarly is about returns before the select. If fn returns the channel, its callers take the place
// of fn.
//
// It approximates: that a context belongs to one call is concluded from the name of fn (namesService); a test of a
// captured variable or of a method's bool before the send may mean that the receiver is known to be there (flagged).
// Functions that run once in a process are left out, since what they leak is bounded.
func (c *checker) abandoned(fn *ssa.Function) {
	reported := map[*ssa.Select]bool{} // one finding for a select with several channels
	for made := range flow.InstrsOf[*ssa.MakeChan](fn) {
		if !flow.IsZeroInt(made.Size) || !c.wanted(flow.Pos(made)) {
			continue
		}
		if u, ok := c.usesOf(made, nil); ok {
			c.reportUnreceived(fn, made, u, reported)
			continue
		}
		for _, call := range c.channelCalls(fn) {
			if u, ok := c.usesOf(made, call); ok && c.reportUnreceived(call.Parent(), made, u, reported) {
				break // one finding for a channel
			}
		}
	}
}

// channelCalls are the calls of fn in the package by position, none if fn returns no channel.
func (c *checker) channelCalls(fn *ssa.Function) (calls []*ssa.Call) {
	if !flow.Any(fn.Signature.Results().Variables(), func(v *types.Var) bool {
		_, is := v.Type().Underlying().(*types.Chan)
		return is
	}) {
		return nil
	}
	for _, at := range c.pkg.Callers(fn) {
		if call, ok := at.(*ssa.Call); ok && flow.StaticCallee(&call.Call) == fn {
			calls = append(calls, call)
		}
	}
	slices.SortFunc(calls, func(a, b *ssa.Call) int {
		x, y := c.pass.Fset.Position(flow.Pos(a)), c.pass.Fset.Position(flow.Pos(b))
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return calls
}

// reportUnreceived reports a send to the channel made, with the uses u, that fn may leave without a receiver; fn has made
// the channel or called the function that returns it. It returns whether it has reported one.
func (c *checker) reportUnreceived(fn *ssa.Function, made *ssa.MakeChan, u *chanUses, reported map[*ssa.Select]bool) bool {
	if len(u.sends) == 0 || !u.readBy(fn) || lifetime.OnceOnly(c.pkg, fn) && !flow.InLoop(u.from(made).Block()) && !c.joins(fn) {
		return false // at most one leaked goroutine in a process, which nothing waits for
	}
	return c.reportOtherCase(fn, made, u, reported) || c.reportEarly(fn, made, u)
}

// reportOtherCase reports a send to the channel made whose receiver may take another case of its select and return. It
// returns whether there is one, also if the select was reported before.
func (c *checker) reportOtherCase(fn *ssa.Function, made *ssa.MakeChan, u *chanUses, reported map[*ssa.Select]bool) bool {
	for _, s := range u.sends {
		start := u.startOf(s, fn)
		if start == nil || flagged(s) {
			continue
		}
		if sel, arm := c.leavesFor(u, start, s); sel != nil {
			if !reported[sel] {
				reported[sel] = true
				c.reportAbandoned(fn, start, made, u, s, sel, arm)
			}
			return true
		}
	}
	return false
}

// readBy reports whether all receives are in fn, or in one goroutine that fn starts outside of loops.
func (u *chanUses) readBy(fn *ssa.Function) bool {
	if len(u.receives) == 0 {
		return true
	}
	reader := u.receives[0].Parent()
	if slices.ContainsFunc(u.receives, func(in ssa.Instruction) bool { return in.Parent() != reader }) {
		return false
	}
	if reader == fn {
		return true
	}
	start := startedBy(reader, fn)
	return start != nil && !flow.InLoop(start.Block())
}

// flagged reports whether s may depend on a flag that says whether there is a receiver: a variable of the enclosing
// function, or the bool result of any method.
func flagged(s *ssa.Send) bool {
	return guardedBy(s, func(addr ssa.Value) bool { _, captured := addr.(*ssa.FreeVar); return captured })
}

// guardedBy reports whether the path condition of s tests the variable at an address for which isFlag holds, or the bool
// result of a method.
func guardedBy(s *ssa.Send, isFlag func(addr ssa.Value) bool) bool {
	return flow.Any2(flow.PathCondition(s.Block()), func(test *ssa.If, _ flow.Truth) bool {
		switch x, _ := flow.StripNot(test.Cond); x := x.(type) {
		case *ssa.UnOp:
			return isFlag(x.X)
		case *ssa.Call:
			return flow.Recv(&x.Call) != nil && flow.IsBool(x.Type())
		}
		return false
	})
}

// startedBy is the call that runs the literal lit of fn as a goroutine, a go statement or a method of a group; nil if there
// is none.
func startedBy(lit, fn *ssa.Function) ssa.CallInstruction {
	site := flow.ClosureSite(lit)
	if site == nil || lit.Parent() != fn {
		return nil
	}
	for _, r := range *site.Referrers() {
		switch r := r.(type) {
		case *ssa.Go:
			if r.Call.Value == ssa.Value(site) {
				return r
			}
		case *ssa.Call:
			if kubeapi.MemberStarters.Has(flow.Callee(&r.Call)) {
				return r
			}
		}
	}
	return nil
}

// leavesFor is a select with a receive of what s sends, and the channel of another case of it after which the function
// returns without receiving.
func (c *checker) leavesFor(u *chanUses, start ssa.CallInstruction, s *ssa.Send) (*ssa.Select, ssa.Value) {
	for _, r := range u.receives {
		sel, ok := r.(*ssa.Select)
		if !ok || u.closedOnReturn(sel) || sel.Parent() == start.Parent() && !flow.Reaches(start, sel, nil) {
			continue
		}
		if arm := u.exitCase(sel, func(ch ssa.Value) bool {
			timeout := blocking.IsTimer(ch) || blocking.DoneOf(ch) != nil
			if timeout && promptly(s, start, sel) || endsWell(s, ch) {
				return false
			}
			return blocking.IsTimer(ch) || ofCall(ch, start.Parent()) || c.comesBefore(u, s, ch)
		}); arm != nil {
			return sel, arm
		}
	}
	return nil, nil
}

// exitCase is the channel of a case of s, other than that of u, for which leaves holds and after which the function returns
// without another receive; nil if there is none.
func (u *chanUses) exitCase(s *ssa.Select, leaves func(ch ssa.Value) bool) ssa.Value {
	for i, st := range s.States {
		if st.Dir != types.RecvOnly || u.same.Has(st.Chan) || !leaves(st.Chan) {
			continue
		}
		if b := flow.CaseOf(s, i); b != nil && u.returns(b) {
			return st.Chan
		}
	}
	return nil
}

// ofCall reports whether ch is the Done channel of a context that belongs to one call of fn: derived in fn, or received by
// a function that, by its name, does not run as long as the process.
func ofCall(ch ssa.Value, fn *ssa.Function) bool {
	ctx := blocking.DoneOf(ch)
	if ctx == nil {
		return false
	}
	if x, ok := flow.Resolve(ctx).(*ssa.Extract); ok && x.Parent() == fn {
		return true // of WithCancel, WithTimeout and the like
	}
	return !namesService(fn)
}

// namesService reports whether the declared function of fn has the name of one that runs as long as the process.
func namesService(fn *ssa.Function) bool {
	name := words.Of(flow.Decl(fn).Name())
	return len(name) > 0 && slices.Contains([]string{"start", "run", "serve", "listen", "watch", "main"}, name[0]) // "_" has none
}

// returns reports whether a return is reachable from the start of b without another receive.
func (u *chanUses) returns(b *ssa.BasicBlock) bool {
	return flow.Search{Goal: flow.IsReturn, Barrier: func(in ssa.Instruction) bool {
		return slices.Contains(u.receives, in) || lifetime.EndsProcess(in)
	}}.From(b)
}

func (c *checker) reportAbandoned(fn *ssa.Function, start ssa.CallInstruction, made *ssa.MakeChan, u *chanUses, s *ssa.Send, sel *ssa.Select, arm ssa.Value) {
	c.reportGoroutine(rule.Finding{
		Pos: flow.Pos(s), Sub: "abandoned", Site: "abandoned-send",
		Message: fmt.Sprintf("send blocks forever (goroutine leak) if its only receiver, %s, returns because %s (line %d); %s",
			receiverName(sel, fn), whenOf(arm), rule.Line(c.pass, flow.Pos(sel)), u.remedy(s, start)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is created here"}, {Pos: flow.Pos(sel), Message: "this select may take another case"}},
	}, start)
}

// remedy is what to do about the send s of the goroutine that start starts.
func (u *chanUses) remedy(s *ssa.Send, start ssa.CallInstruction) string {
	if len(u.sends) > 1 || flow.InLoop(s.Block()) || flow.InLoop(start.Block()) {
		return "send in a select with a case that ends it"
	}
	return "give the channel a buffer of 1"
}

// closedOnReturn reports whether the function of sel closes the channel in a deferred call: a send after that panics, and
// does not block.
func (u *chanUses) closedOnReturn(sel *ssa.Select) bool {
	return slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool {
		_, deferred := cl.(*ssa.Defer)
		return deferred && cl.Parent() == sel.Parent() && flow.Dominates(cl, sel)
	})
}

// whenOf says when the case of a select that receives from arm is taken.
func whenOf(arm ssa.Value) string {
	switch {
	case blocking.DoneOf(arm) != nil:
		return "its context is done"
	case blocking.IsTimer(arm):
		return "its timer fires"
	}
	return "it receives from another channel"
}

// receiverName names the function of the receive in: fn, or a goroutine of it.
func receiverName(in ssa.Instruction, fn *ssa.Function) string {
	if in.Parent() != fn {
		return "another goroutine"
	}
	return flow.FuncName(fn)
}
