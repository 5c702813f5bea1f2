package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// A sender is a goroutine that sends to a channel.
type sender struct {
	start ssa.CallInstruction
	send  *ssa.Send
	again bool // it is started in a loop
}

// fewReceives reports a send to the channel made, which has room for so many, of a goroutine that fn starts and leaves behind: it returns before it has
// received from the channel, or receives less often than it has started goroutines that each send. It gives whether there is one.
func (c *checker) fewReceives(fn *ssa.Function, made *ssa.MakeChan, u *chanUses, room int64) bool {
	if lasts(fn) && !c.again(fn) || !u.inFunction(fn) || c.joins(fn) {
		return false
	}
	var once []sender // each sends once, and surely
	for _, s := range u.sends {
		if start := u.startOf(s, fn); start != nil && !flagged(s) && sure(s) {
			once = append(once, sender{start, s, flow.InLoop(start.Block())})
		}
	}
	if u.inLoop() || u.out != nil {
		once = nil // how often is not known
	}
	for _, s := range once {
		switch n := startedTo(s, once); {
		case n > room+int64(len(u.receives)):
			c.reportFew(s, made, fmt.Sprintf("%s starts %d such goroutines, and receives from %s", flow.FuncName(fn), n, times(len(u.receives))), room)
			return true
		case repeated(s.start, made):
			c.reportFew(s, made, fmt.Sprintf("a loop starts such goroutines, and %s receives from %s", flow.FuncName(fn), times(len(u.receives))), room)
			return true
		}
	}
	return room == 0 && c.early(fn, made, u)
}

// startedTo is how many of all are started up to s, and surely are: none where that is in a loop.
func startedTo(s sender, all []sender) (n int64) {
	if s.again {
		return 0
	}
	for _, other := range all {
		if !other.again && (other.start == s.start || flow.Dominates(other.start, s.start)) {
			n++
		}
	}
	return n
}

// early reports a send to the channel made, about which nothing but errors decides, of a goroutine behind whose start fn may return before it has received.
func (c *checker) early(fn *ssa.Function, made *ssa.MakeChan, u *chanUses) bool {
	seen := map[*ssa.BasicBlock]bool{} // of blocks in which nobody receives one start says it for all behind it
	for _, s := range u.sends {
		start := u.startOf(s, fn)
		if start == nil || flow.InLoop(start.Block()) || flow.InLoop(s.Block()) || flagged(s) || !unconditional(s) || len(u.receives) == 0 {
			continue
		}
		if seen[start.Block()] {
			continue
		}
		if !slices.ContainsFunc(u.receives, func(r ssa.Instruction) bool { return r.Block() == start.Block() }) {
			seen[start.Block()] = true
		}
		if ret := c.returnsWithout(start, func(in ssa.Instruction) bool { return slices.Contains(u.receives, in) }); ret != nil {
			c.reportGoroutine(rule.Finding{
				Pos: flow.Pos(s), Sub: "abandoned", Site: "early-return",
				Message: fmt.Sprintf("this send waits forever where %s has returned before it receives (line %d): nobody else receives from a channel without room; make it with room for one",
					flow.FuncName(fn), rule.Line(c.pass, flow.Pos(ret))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is made here"}, {Pos: flow.Pos(ret), Message: "this returns"}},
			}, start)
			return true
		}
	}
	return false
}

// returnsWithout is a return that a way leads to from start on which there is nothing that is such; nil for none.
func (c *checker) returnsWithout(start ssa.CallInstruction, such func(ssa.Instruction) bool) (found *ssa.Return) {
	walk := &ways.Walk{
		Calls: ways.NewCalls(c.pkg),
		At:    func(in ssa.Instruction, _ *ways.Known) bool { return such(in) || endsProcess(in) },
		Return: func(ret *ssa.Return, _ *ways.Known) {
			if ret.Block() != ret.Parent().Recover && found == nil {
				found = ret
			}
		},
	}
	walk.From(start, nil)
	return found
}

// inFunction reports whether fn itself is the only one that receives, and it does not close the channel.
func (u *chanUses) inFunction(fn *ssa.Function) bool {
	for _, r := range u.receives {
		if r.Parent() != fn {
			return false
		}
	}
	for _, cl := range u.closes {
		if cl.Parent() == fn {
			return false
		}
	}
	return true
}

// inLoop reports whether some receive is in a loop.
func (u *chanUses) inLoop() bool {
	for _, r := range u.receives {
		if flow.InLoop(r.Block()) {
			return true
		}
	}
	return false
}

// reportFew reports s; why says that more are started than received from.
func (c *checker) reportFew(s sender, made *ssa.MakeChan, why string, room int64) {
	has := "no room"
	if room > 0 {
		has = fmt.Sprintf("room for %d", room)
	}
	c.reportGoroutine(rule.Finding{
		Pos: flow.Pos(s.send), Sub: "abandoned", Site: "missing-receives",
		Message: fmt.Sprintf("this send waits forever in some goroutine: %s; the channel has %s, and nobody else receives: make room for all", why, has),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is made here"}, {Pos: flow.Pos(s.start), Message: "the goroutine is started here"}},
	}, s.start)
}

// times says how many goroutines n receives serve.
func times(n int) string {
	switch n {
	case 0:
		return "none"
	case 1:
		return "one"
	}
	return fmt.Sprint(n)
}
