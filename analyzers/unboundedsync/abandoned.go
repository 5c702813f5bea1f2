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

// abandoned reports a goroutine that fn starts, and that sends on a channel without room which only fn receives from, or one other goroutine of
// fn, where who receives may return before that: it takes another way out of a select, on a context's end or after a time, and the sender waits forever.
func (c *checker) abandoned(fn *ssa.Function) {
	told := map[*ssa.Select]bool{} // one of several channels is enough
	for made := range flow.InstrsOf[*ssa.MakeChan](fn) {
		if !flow.IsZeroInt(made.Size) || !c.wanted(flow.Pos(made)) {
			continue
		}
		if u, ok := c.usesOf(made, nil); ok {
			c.leftBehind(fn, made, u, told)
			continue
		}
		_ = slices.ContainsFunc(c.takers(fn), func(call *ssa.Call) bool {
			u, ok := c.usesOf(made, call)
			return ok && c.leftBehind(call.Parent(), made, u, told)
		})
	}
}

// takers are the calls of fn in the package, in the order of the lines that they are on; none where it gives no channel.
func (c *checker) takers(fn *ssa.Function) (calls []*ssa.Call) {
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

// leftBehind reports a send to the channel made, of which u are the uses, that may be left behind by fn, which has made it, or has got it from the function that
// has. It gives whether there is one.
func (c *checker) leftBehind(fn *ssa.Function, made *ssa.MakeChan, u *chanUses, told map[*ssa.Select]bool) bool {
	if len(u.sends) == 0 || !u.readBy(fn) || lifetime.OnceOnly(c.pkg, fn) && !flow.InLoop(u.from(made).Block()) && !c.joins(fn) {
		return false // once: the process ends, and with it what little is left behind
	}
	return c.left(fn, made, u, told) || c.early(fn, made, u)
}

// left reports a send to the channel made, which has no room, that may be left behind by who goes another way, or returns for one of the values; told are
// the selects of which that is said already. It gives whether there is one.
func (c *checker) left(fn *ssa.Function, made *ssa.MakeChan, u *chanUses, told map[*ssa.Select]bool) bool {
	for _, s := range u.sends {
		start := u.startOf(s, fn)
		if start == nil || flagged(s) {
			continue
		}
		if sel, arm := c.leavesFor(u, start, s); sel != nil {
			if !told[sel] {
				told[sel] = true
				c.reportAbandoned(fn, start, made, s, sel, arm)
			}
			return true
		}
	}
	return false
}

// readBy reports whether all receives are in fn, or in one goroutine that fn starts once.
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

// flagged reports whether a variable of the function around, or what a method of one says, decides about s: it may say that nobody is there.
func flagged(s *ssa.Send) bool {
	return asks(s, func(addr ssa.Value) bool { _, captured := addr.(*ssa.FreeVar); return captured })
}

// asks reports whether a test in front of s is of a variable for which is holds of its address, or of the bool result of a method.
func asks(s *ssa.Send, is func(addr ssa.Value) bool) bool {
	return flow.Any2(flow.PathCondition(s.Block()), func(test *ssa.If, _ flow.Truth) bool {
		switch x, _ := flow.StripNot(test.Cond); x := x.(type) {
		case *ssa.UnOp:
			return is(x.X)
		case *ssa.Call:
			return flow.Recv(&x.Call) != nil && flow.IsBool(x.Type())
		}
		return false
	})
}

// startedBy is what runs the literal lit of fn as a goroutine, a go statement or a method of a group; nil where anything else is done with it.
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

// leavesFor is a select of the function of start in which it may take another way than to receive what s sends, and then returns without doing so; arm is
// what it waits for there.
func (c *checker) leavesFor(u *chanUses, start ssa.CallInstruction, s *ssa.Send) (sel *ssa.Select, arm ssa.Value) {
	for _, r := range u.receives {
		sel, ok := r.(*ssa.Select)
		if !ok || u.closedOnReturn(sel) || sel.Parent() == start.Parent() && !flow.Reaches(start, sel, nil) {
			continue
		}
		if arm := u.waysOut(sel, func(ch ssa.Value) bool {
			late := blocking.IsTimer(ch) || blocking.DoneOf(ch) != nil
			return (blocking.IsTimer(ch) || ofCall(ch, start.Parent()) || c.comesBefore(u, s, ch)) && !(late && promptly(s, start, sel)) && !endsWell(s, ch)
		}); arm != nil {
			return sel, arm
		}
	}
	return nil, nil
}

// waysOut is what is waited for in s besides the channel of u, and for which leaves holds, where the function returns behind that without another
// receive; nil for none.
func (u *chanUses) waysOut(s *ssa.Select, leaves func(ch ssa.Value) bool) ssa.Value {
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

// ofCall reports whether ch tells of the end of a context that is that of one call among many: one with an end of its own, or that of a
// function which is no start of something that runs as long as the process.
func ofCall(ch ssa.Value, fn *ssa.Function) bool {
	ctx := blocking.DoneOf(ch)
	if ctx == nil {
		return false
	}
	if x, ok := flow.Resolve(ctx).(*ssa.Extract); ok && x.Parent() == fn {
		return true // derived here
	}
	return !namesService(fn)
}

// namesService reports whether fn, or what it stands in, has the name of what runs as long as the process.
func namesService(fn *ssa.Function) bool {
	name := words.Of(flow.Decl(fn).Name())
	return len(name) > 0 && slices.Contains([]string{"start", "run", "serve", "listen", "watch", "main"}, name[0]) // "_" has none
}

// returns reports whether a return can be come to from the start of b without another receive.
func (u *chanUses) returns(b *ssa.BasicBlock) bool {
	return flow.Search{Goal: flow.IsReturn, Barrier: func(in ssa.Instruction) bool {
		return slices.Contains(u.receives, in) || lifetime.EndsProcess(in)
	}}.From(b)
}

func (c *checker) reportAbandoned(fn *ssa.Function, start ssa.CallInstruction, made *ssa.MakeChan, s *ssa.Send, sel *ssa.Select, arm ssa.Value) {
	c.reportGoroutine(rule.Finding{
		Pos: flow.Pos(s), Sub: "abandoned", Site: "abandoned-send",
		Message: fmt.Sprintf("send blocks forever (goroutine leak) if its only receiver, %s, returns because %s (line %d); give the channel a buffer of 1",
			who(sel, fn), whenOf(arm), rule.Line(c.pass, flow.Pos(sel))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is created here"}, {Pos: flow.Pos(sel), Message: "this select may take another case"}},
	}, start)
}

// closedOnReturn reports whether the function of sel closes the channel in a deferred call: a send behind that panics, and does not wait.
func (u *chanUses) closedOnReturn(sel *ssa.Select) bool {
	return slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool {
		_, deferred := cl.(*ssa.Defer)
		return deferred && cl.Parent() == sel.Parent() && flow.Dominates(cl, sel)
	})
}

// whenOf says when the arm of a select comes.
func whenOf(arm ssa.Value) string {
	switch {
	case blocking.DoneOf(arm) != nil:
		return "its context is done"
	case blocking.IsTimer(arm):
		return "its timer fires"
	}
	return "it receives from another channel"
}

// who is what has returned, when it comes to in: fn, or a goroutine of it.
func who(in ssa.Instruction, fn *ssa.Function) string {
	if in.Parent() != fn {
		return "another goroutine"
	}
	return flow.FuncName(fn)
}
