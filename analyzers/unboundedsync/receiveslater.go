package unboundedsync

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// receivesLater reports the waits of fn for a group whose members send on a channel from which only fn receives, and only behind the wait: the
// members wait for fn, and fn for them. The channel has no room, or room for fewer sends than the members may make.
func (c *checker) receivesLater(fn *ssa.Function) {
	var members map[*ssa.Function]member
	told := map[*ssa.Call]bool{}
	for in := range flow.Instrs(fn) {
		made, ok := in.(*ssa.MakeChan)
		if !ok {
			continue
		}
		room, ok := roomOf(made)
		if !ok {
			continue
		}
		if members == nil {
			members = membersOf(fn)
		}
		if len(members) == 0 {
			return
		}
		u, ok := c.usesOf(made, nil)
		if !ok || slices.ContainsFunc(u.receives, func(in ssa.Instruction) bool { return in.Parent() != fn }) {
			continue
		}
		if m, s, wait := c.neverReceived(made, u, members, room); wait != nil && !told[wait] && c.wanted(flow.Pos(wait)) {
			told[wait] = true
			c.reportReceivesLater(made, m, s, wait, u)
		}
	}
}

// roomOf is the constant room of the channel made; false where it is none.
func roomOf(made *ssa.MakeChan) (int64, bool) {
	size, ok := made.Size.(*ssa.Const)
	if !ok || size.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(size.Value))
}

// membersOf are the goroutines that fn starts in groups, by their functions. What is started in two places counts for neither.
func membersOf(fn *ssa.Function) map[*ssa.Function]member {
	out := map[*ssa.Function]member{}
	var twice []*ssa.Function
	flow.Calls(fn, func(at ssa.CallInstruction) {
		m, ok := startsIn(at)
		if !ok {
			return
		}
		if _, again := out[m.fn]; again {
			twice = append(twice, m.fn)
		}
		out[m.fn] = m
	})
	for _, f := range twice {
		delete(out, f)
	}
	return out
}

// neverReceived is a send that a member of a group waits in, and a wait of the function of made for the group before which that does not receive; wait is nil where
// there is none. Where the channel has room, the sends of the members that have surely been started have to be more.
func (c *checker) neverReceived(made *ssa.MakeChan, u *chanUses, members map[*ssa.Function]member, room int64) (m member, s *ssa.Send, wait *ssa.Call) {
	orders := map[flow.Path]order{}
	filled := map[flow.Path]map[*ssa.Function]bool{} // the members that fn starts once and that send
	for _, send := range u.sends {
		m, ok := c.senderOf(send, u, members)
		if !ok {
			continue
		}
		o, ok := orders[m.group]
		if !ok {
			o = c.orderOf(made.Parent(), m.group, u)
			orders[m.group] = o
		}
		next := o[m.at]
		if next == nil {
			continue
		}
		if room > 0 && !unconditional(send) {
			continue
		}
		if room == 0 || repeated(m.at, made) {
			return m, send, next
		}
		if !flow.Dominates(m.at, next) || flow.InLoop(m.at.Block()) {
			continue
		}
		if filled[m.group] == nil {
			filled[m.group] = map[*ssa.Function]bool{}
		}
		filled[m.group][m.fn] = true
		if int64(len(filled[m.group])) > room {
			return m, send, next
		}
	}
	return member{}, nil, nil
}

// senderOf is the member on whose goroutine s is, while it is counted in its group.
func (c *checker) senderOf(s *ssa.Send, u *chanUses, members map[*ssa.Function]member) (member, bool) {
	var at ssa.Instruction = s
	for seen := map[*ssa.Function]bool{}; !seen[at.Parent()]; {
		f := at.Parent()
		seen[f] = true
		if m, ok := members[f]; ok {
			return m, !m.leaves() || !flow.Reaches(m.done, at, nil)
		}
		from := u.given[f]
		if from == nil && f.Parent() != nil {
			if callers := c.pkg.Callers(f); len(callers) == 1 {
				from = callers[0]
			}
		}
		call, ok := from.(*ssa.Call)
		if !ok {
			return member{}, false
		}
		at = call
	}
	return member{}, false
}

// An order has, for the calls of a function behind which all ways to a receive pass a wait for the group, the next such wait.
type order map[ssa.CallInstruction]*ssa.Call

// orderOf is the order of fn for group and the receives of u: a sweep over the blocks from their ends, until nothing changes.
func (c *checker) orderOf(fn *ssa.Function, group flow.Path, u *chanUses) order {
	type ahead struct {
		receives bool
		wait     *ssa.Call
	}
	starts, ends := map[*ssa.BasicBlock]ahead{}, map[*ssa.BasicBlock]*ssa.Call{}
	o := order{}
	receives := map[ssa.Instruction]bool{}
	for _, r := range u.receives {
		receives[r] = true
	}
	sweep := func(b *ssa.BasicBlock) ahead {
		a := ahead{wait: ends[b]} // the first one that was found stays
		for _, s := range b.Succs {
			n := starts[s]
			a.receives = a.receives || n.receives
			if a.wait == nil {
				a.wait, ends[b] = n.wait, n.wait
			}
		}
		for _, in := range slices.Backward(b.Instrs) {
			if receives[in] {
				a = ahead{receives: true}
				continue
			}
			at, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if call, ok := at.(*ssa.Call); ok && c.waitsFor(call, group) {
				a = ahead{wait: call}
				continue
			}
			delete(o, at)
			if a.wait != nil && !a.receives {
				o[at] = a.wait
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(fn.Blocks) {
			if a := sweep(b); a != starts[b] {
				starts[b], changed = a, true
			}
		}
	}
	return o
}

// unconditional reports whether nothing but errors decides about s, whether there is one or what it is: each member may make it.
func unconditional(s *ssa.Send) bool {
	for test := range flow.Decided(s.Block()) {
		if !asksError(test.Cond) {
			return false
		}
	}
	return true
}

// asksError reports whether cond compares an error with something, or is what a function says of one.
func asksError(cond ssa.Value) bool {
	switch x, _ := flow.Positive(cond); x := x.(type) {
	case *ssa.BinOp:
		return flow.IsError(x.X.Type()) && flow.IsError(x.Y.Type())
	case *ssa.Call:
		args := flow.Args(&x.Call)
		return flow.Callee(&x.Call) != nil && flow.Recv(&x.Call) == nil && len(args) > 0 && flow.IsError(args[0].Type())
	}
	return false
}

// repeated reports whether at is in a loop that makes as many turns as something that is not a constant says, while made is not.
func repeated(at, made ssa.Instruction) bool {
	for _, l := range flow.Loops(at.Parent()) {
		if !l.Blocks[at.Block()] || l.Blocks[made.Block()] {
			continue
		}
		test := flow.Branch(l.Header)
		if test == nil {
			continue
		}
		switch cond := test.Cond.(type) {
		case *ssa.BinOp:
			if !isFixed(cond.X) && !isFixed(cond.Y) {
				return true
			}
		case *ssa.Extract: // of the range over a map
			return true
		}
	}
	return false
}

// isFixed reports whether v is a constant, or the length of a list that is written out.
func isFixed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			s, ok := flow.Resolve(v.Call.Args[0]).(*ssa.Slice)
			if !ok {
				return false
			}
			_, array := types.Unalias(s.X.Type().Underlying()).(*types.Pointer)
			return array
		}
	}
	return false
}

func (c *checker) reportReceivesLater(made *ssa.MakeChan, m member, s *ssa.Send, wait *ssa.Call, u *chanUses) {
	related := []analysis.RelatedInformation{{Pos: flow.Pos(s), Message: "the goroutine waits here"}, {Pos: flow.Pos(m.at), Message: "it is started in the group here"}}
	from := "from which nobody receives"
	if i := slices.IndexFunc(u.receives, func(r ssa.Instruction) bool { return flow.Reaches(wait, r, nil) }); i >= 0 {
		at := u.receives[i]
		from = fmt.Sprintf("from which %s receives only after this (line %d)", flow.FuncName(wait.Parent()), rule.Line(c.pass, flow.Pos(at)))
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(at), Message: "received here"})
	}
	room, end := "without room", "neither goes on"
	if n, _ := roomOf(made); n > 0 {
		room, end = fmt.Sprintf("with room for %d", n), "neither goes on where more is sent"
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(wait), Sub: "neverstops", Site: "late-receive",
		Message: fmt.Sprintf("%s waits for goroutines that send to a channel %s (line %d), %s: %s; make room for all that they send, or receive before the wait",
			c.spelled(wait, flow.Callee(&wait.Call)), room, rule.Line(c.pass, flow.Pos(s)), from, end),
		Related: related,
	})
}
