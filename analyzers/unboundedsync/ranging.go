package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lifetime"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// leftReceiving reports a goroutine that fn starts, and that goes on to receive until a channel is closed which fn makes, and alone closes, where fn may
// return without having closed it: nobody does so then.
func (c *checker) leftReceiving(fn *ssa.Function) {
	if namesService(fn) && !c.again(fn) {
		return
	}
	for in := range flow.Instrs(fn) {
		made, ok := in.(*ssa.MakeChan)
		if !ok || !c.wanted(flow.Pos(made)) {
			continue
		}
		u, ok := c.usesOf(made, nil)
		if !ok || !u.closedHere(fn) || lifetime.OnceOnly(c.pkg, fn) && !flow.InLoop(made.Block()) {
			continue
		}
		for _, r := range u.receives {
			recv, plain := r.(*ssa.UnOp)
			if !plain || r.Parent() == fn {
				continue
			}
			start := u.startOf(r, fn)
			if start == nil || !untilClosed(recv) || u.closedBefore(start) {
				continue
			}
			if ret := c.returnsWithout(start, u.isClose); ret != nil {
				c.reportGoroutine(rule.Finding{
					Pos: flow.Pos(recv), Sub: "abandoned", Site: "unclosed-channel",
					Message: fmt.Sprintf("receive blocks forever (goroutine leak) if %s returns without closing the channel (line %d); close it in a deferred call",
						flow.FuncName(fn), rule.Line(c.pass, flow.Pos(ret))),
					Related: []analysis.RelatedInformation{
						{Pos: flow.Pos(made), Message: "the channel is created here"}, {Pos: flow.Pos(ret), Message: "returns here"}, {Pos: flow.Pos(u.closes[0]), Message: "it is closed here"},
					},
				}, start)
				break
			}
		}
	}
}

// closedHere reports whether fn closes the channel, and nobody else, and not on each way out.
func (u *chanUses) closedHere(fn *ssa.Function) bool {
	return len(u.closes) > 0 && !slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool {
		_, now := cl.(*ssa.Call)
		return !now || cl.Parent() != fn
	})
}

// isClose reports whether in closes the channel.
func (u *chanUses) isClose(in ssa.Instruction) bool {
	return slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool { return in == ssa.Instruction(cl) })
}

// closedBefore reports whether the channel may be closed already at start.
func (u *chanUses) closedBefore(start ssa.CallInstruction) bool {
	return slices.ContainsFunc(u.closes, func(cl ssa.CallInstruction) bool { return flow.Reaches(cl, start, nil) })
}

// untilClosed reports whether the function of r goes on to receive until the channel is closed: it leaves the loop around r for nothing else.
func untilClosed(r *ssa.UnOp) bool {
	if !flow.InLoop(r.Block()) {
		return false
	}
	told := map[*ssa.If]flow.Truth{} // the side on which it has been told of the end
	if ok := flow.Extracted(r, 1); r.CommaOk && ok != nil {
		for _, b := range r.Parent().Blocks {
			if test := flow.Branch(b); test != nil {
				if v, is := flow.StripNot(test.Cond); v == ok {
					told[test] = flow.TruthOf(!is)
				}
			}
		}
	}
	return !leavesBut(r.Block(), told)
}

// leavesBut reports whether some way leads from b to a return, without the sides of the tests in told.
func leavesBut(b *ssa.BasicBlock, told map[*ssa.If]flow.Truth) bool {
	return flow.Search{Goal: flow.IsReturn, Edge: func(from, to *ssa.BasicBlock) bool {
		test, t := flow.EdgeTest(from, to)
		return t == flow.Unknown || told[test] != t
	}}.From(b)
}
