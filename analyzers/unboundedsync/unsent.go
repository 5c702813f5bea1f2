package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// unsent reports the receives of fn from a channel to which only one goroutine of it sends, where that returns because something has failed and has
// neither sent nor closed, nor told anybody else: who receives waits in vain.
func (c *checker) unsent(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		made, ok := in.(*ssa.MakeChan)
		if !ok || !c.wanted(flow.Pos(made)) {
			continue
		}
		u, ok := c.usesOf(made, nil)
		if !ok || len(u.receives) == 0 || !u.inFunction(fn) {
			continue
		}
		start := u.onlySender(fn)
		if start == nil || flow.InLoop(start.Block()) && !flow.InLoop(made.Block()) {
			continue
		}
		for _, r := range u.receives {
			waits, loops := u.waitsInVain(r)
			if !waits || !flow.Reaches(start, r, nil) {
				continue
			}
			if ret := c.failsSilently(u.sends[0].Parent(), u, r, loops); ret != nil {
				c.reportUnsent(made, r, start, ret, loops)
				break
			}
		}
	}
}

// onlySender is the go statement of fn that starts the one function which sends to the channel, and which nobody else closes; nil where others do.
func (u *chanUses) onlySender(fn *ssa.Function) ssa.CallInstruction {
	if len(u.sends) == 0 {
		return nil
	}
	by := u.sends[0].Parent()
	if slices.ContainsFunc(u.sends, func(s *ssa.Send) bool { return s.Parent() != by }) ||
		slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool { return cl.Parent() != by }) {
		return nil
	}
	if start, ok := u.startOf(u.sends[0], fn).(*ssa.Go); ok {
		return start
	}
	return nil
}

// waitsInVain reports whether nothing but the sender ends the wait of r, or nothing else but a context or stop channel; loops says that it goes on to
// receive until the channel is closed.
func (u *chanUses) waitsInVain(r ssa.Instruction) (waits, loops bool) {
	told := map[*ssa.If]flow.Truth{} // the side on which it has been told of an end
	switch r := r.(type) {
	case *ssa.UnOp:
		if !flow.InLoop(r.Block()) {
			return true, false
		}
		if r.CommaOk {
			saysClosed(told, flow.Extracted(r, 1))
		}
	case *ssa.Select:
		if !r.Blocking || !flow.InLoop(r.Block()) {
			return false, false
		}
		for i, s := range r.States {
			test := flow.CaseTest(r, i)
			switch {
			case s.Dir != types.RecvOnly:
				return false, false
			case u.same[s.Chan]:
			case blocking.IsTimer(s.Chan) || !blocking.IsDone(s.Chan) || test == nil:
				return false, false
			default:
				told[test] = flow.Yes
			}
		}
		saysClosed(told, flow.Extracted(r, 1))
	}
	return !leavesBut(r.Block(), told), true
}

// saysClosed notes the tests of ok, which says whether something was received.
func saysClosed(told map[*ssa.If]flow.Truth, ok ssa.Value) {
	if ok == nil {
		return
	}
	for _, b := range ok.Parent().Blocks {
		if test := flow.Branch(b); test != nil {
			if v, is := flow.Positive(test.Cond); v == ok {
				told[test] = flow.Settled(!is)
			}
		}
	}
}

// leavesBut reports whether some way leads from b to a return, without the sides of the tests in told.
func leavesBut(b *ssa.BasicBlock, told map[*ssa.If]flow.Truth) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var leaves func(b *ssa.BasicBlock) bool
	leaves = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		if flow.ReturnOf(b) != nil {
			return true
		}
		test := flow.Branch(b)
		for i, s := range b.Succs {
			if (test == nil || told[test] != flow.Settled(i == 0)) && leaves(s) {
				return true
			}
		}
		return false
	}
	return leaves(b)
}

// failsSilently is a return of the sender fn to which a way leads on which something has failed, and on which it has told nobody: it has not closed the
// channel, nor, unless who receives goes on until then, sent to it. It is nil where there is none.
// Where r waits for an end as well, a call that is given a context, or asks it, may have failed because of that end, of which r hears.
func (c *checker) failsSilently(fn *ssa.Function, u *chanUses, r ssa.Instruction, loops bool) (found *ssa.Return) {
	if c.defersWord(fn) {
		return nil
	}
	_, hears := r.(*ssa.Select)
	walk := &ways.Walk{
		Calls: ways.NewCalls(c.pkg),
		At: func(in ssa.Instruction, _ *ways.Known) bool {
			switch in := in.(type) {
			case *ssa.Send:
				return !loops || !u.same[in.Chan]
			case *ssa.Select, *ssa.Go: // it may have been told of an end, or another one tells of it
				return true
			case *ssa.UnOp:
				return in.Op == token.ARROW
			case *ssa.Call:
				return endsProcess(in) || c.mayTell(in) || hears && slices.ContainsFunc(flow.AllArgs(&in.Call), func(a ssa.Value) bool { return kube.IsContext(a.Type()) })
			}
			return false
		},
		Return: func(ret *ssa.Return, k *ways.Known) {
			if ret.Block() != fn.Recover && found == nil && k.Failing() {
				found = ret
			}
		},
	}
	walk.Through(fn)
	return found
}

// mayTell reports whether call may tell somebody of the end, or lead to something that does or that ends the process.
func (c *checker) mayTell(call ssa.CallInstruction) bool {
	if tells(call) {
		return true
	}
	own := c.pkg.Callee(call.Common())
	if own == nil {
		return false
	}
	for fn := range c.pkg.Reach(program.Calls, own) {
		for in := range flow.Instrs(fn) {
			if tells(in) || endsProcess(in) {
				return true
			}
		}
	}
	return false
}

// defersWord reports whether fn defers what may tell somebody of its end.
func (c *checker) defersWord(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		if d, ok := in.(*ssa.Defer); ok && c.mayTell(d) {
			return true
		}
	}
	return false
}

func (c *checker) reportUnsent(made *ssa.MakeChan, r ssa.Instruction, start ssa.CallInstruction, ret *ssa.Return, loops bool) {
	long, without := "forever", "without a send"
	if _, sel := r.(*ssa.Select); sel {
		long = "until it is told to end"
	}
	if loops {
		without = "without having closed the channel"
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(r), Sub: "neverstops", Site: "failed-sender",
		Message: fmt.Sprintf("this waits %s where the goroutine that sends (line %d) has returned because something has failed, %s: nobody else does; close the channel in a deferred call, or send the error",
			long, rule.Line(c.pass, flow.Pos(start)), without),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is made here"}, {Pos: flow.Pos(ret), Message: "the goroutine ends here without a word"}},
	})
}
