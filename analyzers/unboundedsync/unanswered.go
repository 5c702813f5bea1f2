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
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unanswered reports the ways of fn on which it has received a request, that has a channel for the answer, and returns or receives the next one with neither
// an answer nor the request given to anybody, though it answers on another way. Who has asked waits in vain.
func (c *checker) unanswered(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		for _, q := range requests(in) {
			answer := q.answer()
			if answer == nil || !c.wanted(flow.Pos(in)) || c.tellsAtEnd(fn) {
				continue
			}
			asker := c.asker(q.reply)
			if asker == nil {
				continue
			}
			if end := q.unansweredEnd(); end != nil && (end == in || c.spawned()[fn]) {
				c.reportUnanswered(q, end, answer, asker)
			}
		}
	}
}

// unansweredEnd is a return, or the receive of the next request, to which a way leads from q on which something has failed and nothing settles it; nil for
// none. Ways are left out that a test of q or of a context decides about, and those on which there is no request.
func (q request) unansweredEnd() ssa.Instruction {
	type step struct {
		to     *ssa.BasicBlock
		failed bool // something has
	}
	seen := map[step]bool{}
	var walk func(b *ssa.BasicBlock, instrs []ssa.Instruction, failed bool) ssa.Instruction
	walk = func(b *ssa.BasicBlock, instrs []ssa.Instruction, failed bool) ssa.Instruction {
		for _, in := range instrs {
			if _, returns := in.(*ssa.Return); in == q.receive || returns {
				if failed {
					return in
				}
				return nil
			}
			if q.settles(in) || atEnd(in) {
				return nil
			}
		}
		test := flow.Branch(b)
		for i, s := range b.Succs {
			next := step{s, failed}
			if test != nil {
				if q.leavesOut(test.Cond, i == 0) {
					continue
				}
				x, isNil, ok := flow.NilTest(test.Cond)
				next.failed = failed || ok && flow.IsError(x.Type()) && isNil != (i == 0)
			}
			if !seen[next] {
				seen[next] = true
				if end := walk(s, s.Instrs, next.failed); end != nil {
					return end
				}
			}
		}
		return nil
	}
	instrs := q.from.Instrs
	if i := slices.Index(instrs, q.receive); i >= 0 {
		instrs = instrs[i+1:]
	}
	return walk(q.from, instrs, false)
}

// leavesOut reports whether the way on which cond has come out so is none on which q is owed an answer: there is no q, or q itself decides, or a context.
func (q request) leavesOut(cond ssa.Value, is bool) bool {
	if v, positive := flow.Positive(cond); q.ok != nil && v == q.ok {
		return is != positive
	}
	return q.decides(cond) || asksContext(cond)
}

// decides reports whether cond is about q: about one of its fields, or what is found, or said, of one. That something has failed is not.
func (q request) decides(cond ssa.Value) bool {
	if q.is(flow.PathOf(cond).Root) {
		return true
	}
	switch x := cond.(type) {
	case *ssa.BinOp:
		return q.decides(x.X) || q.decides(x.Y)
	case *ssa.UnOp:
		return q.decides(x.X)
	case *ssa.Extract:
		call, _ := flow.ResultOf(x)
		return call == nil || !flow.IsError(x.Type()) && slices.ContainsFunc(flow.AllArgs(&call.Call), q.decides)
	case *ssa.Call:
		return !flow.IsError(x.Type()) && slices.ContainsFunc(flow.AllArgs(&x.Call), q.decides)
	}
	return false
}

// atEnd reports whether in may receive from what tells of an end, or ends the process.
func atEnd(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && blocking.IsDone(in.X)
	case *ssa.Select:
		return slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && blocking.IsDone(s.Chan) })
	case *ssa.Call:
		return kube.NeverReturns(flow.Callee(&in.Call))
	}
	return false
}

// tellsAtEnd reports whether fn defers a send, or a close: it may tell who has asked that it has gone.
func (c *checker) tellsAtEnd(fn *ssa.Function) bool {
	tells := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Send, *ssa.Select:
			return true
		case ssa.CallInstruction:
			return flow.Closed(in.Common()) != nil
		}
		return false
	}
	for in := range flow.Instrs(fn) {
		d, ok := in.(*ssa.Defer)
		if !ok {
			continue
		}
		own := c.pkg.Callee(&d.Call)
		if flow.Closed(&d.Call) != nil || own != nil && slices.ContainsFunc(slices.Collect(flow.Instrs(own)), tells) {
			return true
		}
	}
	return false
}

func (c *checker) reportUnanswered(q request, end ssa.Instruction, answer *ssa.Send, asker ssa.Instruction) {
	pos, does := flow.Pos(end), "this returns"
	if end == q.receive || !pos.IsValid() {
		pos, does = flow.Pos(q.receive), "this receives the next request"
	}
	rule.Report(c.pass, rule.Finding{
		Pos: pos, Sub: "neverstops", Site: "unanswered-request", Confidence: rule.Possible,
		Message: fmt.Sprintf("%s where something has failed with no answer to the request that it has received (line %d), and %s waits for one in vain (line %d): answer on this way, too",
			does, rule.Line(c.pass, flow.Pos(q.receive)), flow.FuncName(asker.Parent()), rule.Line(c.pass, flow.Pos(asker))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(answer), Message: "it answers here"}, {Pos: flow.Pos(asker), Message: "who has asked waits here"}},
	})
}
