package unboundedsync

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// nextTurn reports a goroutine of fn that sends to the channel made, without room, again and again, where fn, which alone receives, returns between two
// receives because something else has failed: the next send waits forever. It gives whether there is one.
func (c *checker) nextTurn(fn *ssa.Function, made *ssa.MakeChan, u *chanUses) bool {
	if lasts(fn) && !c.again(fn) || !u.inFunction(fn) || len(u.receives) == 0 || saysFailure(chanElem(made.Type())) {
		return false
	}
	for _, s := range u.sends {
		start := u.startOf(s, fn)
		if start == nil || flagged(s) || !flow.Reaches(s, s, nil) {
			continue
		}
		if test := u.failsBetween(start); test != nil {
			c.reportGoroutine(rule.Finding{
				Pos: flow.Pos(s), Sub: "abandoned", Site: "failed-turn",
				Message: fmt.Sprintf("this send waits forever in the turn after the one for which %s fails and returns (line %d): it receives no more, and nobody else does; select on what ends then, too",
					flow.FuncName(fn), rule.Line(c.pass, flow.Pos(test))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is made here"}, {Pos: flow.Pos(test), Message: "this receives no more"}},
			}, start)
			return true
		}
	}
	return false
}

// failsBetween is a test in the function of start, behind a receive that it comes to again, of the error of a call: where there is one, the function returns
// without another receive. It is nil where there is none.
func (u *chanUses) failsBetween(start ssa.CallInstruction) *ssa.If {
	for _, r := range u.receives {
		if !flow.InLoop(r.Block()) || !flow.Reaches(start, r, nil) {
			continue
		}
		for _, b := range start.Parent().Blocks {
			test := flow.Branch(b)
			if test == nil || !flow.Dominates(r, test) {
				continue
			}
			x, isNil, ok := flow.NilTest(test.Cond)
			if call, _ := flow.ResultOf(x); !ok || !flow.IsError(x.Type()) || call == nil || !flow.Dominates(r, call) {
				continue
			}
			failed := flow.Side(test, flow.Settled(!isNil))
			if u.returns(failed) && flow.BlocksFrom(flow.Side(test, flow.Settled(isNil)))[r.Block()] {
				return test
			}
		}
	}
	return nil
}

// saysFailure reports whether a value of type t says whether something has failed: who sends one may end by itself then.
func saysFailure(t types.Type) bool {
	if flow.IsError(t) {
		return true
	}
	t = flow.Pointee(t)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || kube.IsObject(t) {
		return false
	}
	for f := range st.Fields() {
		if flow.IsError(f.Type()) {
			return true
		}
	}
	return false
}
