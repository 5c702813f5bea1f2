package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// reportEarly reports an unconditional send to the channel made by a goroutine after whose start fn may return without
// having received. It returns whether it has reported one.
func (c *checker) reportEarly(fn *ssa.Function, made *ssa.MakeChan, u *chanUses) bool {
	if namesService(fn) && !c.again(fn) || !u.inFunction(fn) || c.joins(fn) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{} // without a receive in the block, its first start decides for the later ones
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
				Message: fmt.Sprintf("send blocks forever (goroutine leak) if its only receiver, %s, returns early (line %d); %s",
					flow.FuncName(fn), rule.Line(c.pass, flow.Pos(ret)), u.remedy(s, start)),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is created here"}, {Pos: flow.Pos(ret), Message: "returns here"}},
			}, start)
			return true
		}
	}
	return false
}

// returnsWithout is a return that a way leads to from start on which there is nothing that is such; nil for none.
func (c *checker) returnsWithout(start ssa.CallInstruction, such func(ssa.Instruction) bool) (found *ssa.Return) {
	walk := &paths.Exploration{
		Calls: paths.NewCalls(c.pkg),
		Visit: func(in ssa.Instruction, _ *paths.State) bool { return such(in) || lifetime.EndsProcess(in) },
		Return: func(ret *ssa.Return, _ *paths.State) {
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
	return !slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool { return cl.Parent() == fn })
}

// joins reports whether fn, or what it runs, waits for a group of goroutines.
func (c *checker) joins(fn *ssa.Function) bool {
	for f := range c.pkg.Reach(program.Calls, fn) {
		found := false
		for at := range flow.Calls(f) {
			kind, _, ok := c.table.Given(flow.Callee(at.Common()))
			_, plain := at.(*ssa.Call)
			found = found || ok && plain && kind == blocking.Group
		}
		if found {
			return true
		}
	}
	return false
}

// unconditional reports whether nothing but errors decides about s, whether there is one or what it is.
func unconditional(s *ssa.Send) bool {
	return !flow.Any2(flow.PathCondition(s.Block()), func(test *ssa.If, _ flow.Truth) bool { return !asksError(test.Cond) })
}

// asksError reports whether cond compares an error with something, or is what a function says of one.
func asksError(cond ssa.Value) bool {
	switch x, _ := flow.StripNot(cond); x := x.(type) {
	case *ssa.BinOp:
		return flow.IsError(x.X.Type()) && flow.IsError(x.Y.Type())
	case *ssa.Call:
		args := flow.Args(&x.Call)
		return flow.Callee(&x.Call) != nil && flow.Recv(&x.Call) == nil && len(args) > 0 && flow.IsError(args[0].Type())
	}
	return false
}
