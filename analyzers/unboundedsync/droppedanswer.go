package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// droppedAnswers reports the answers that are lost where who has asked is not there yet: a function sends to one channel of an object, and then receives from
// another one, which has no room, for nothing else. Who has received the question answers by a send that takes another way where nobody receives at that
// very moment, and forgets it. Who has asked then waits for an answer that has been.
func (c *checker) droppedAnswers() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if u.roomless && u.makes > 0 && len(u.closes) == 0 && !u.shared && !u.escapes && !u.unknown {
			c.droppedAnswer(f, fields)
		}
	}
}

// droppedAnswer reports one of those that are sent to the channel in f.
func (c *checker) droppedAnswer(f *types.Var, fields map[*types.Var]*fieldChan) {
	for _, r := range fields[f].receives {
		asked := askedBefore(r, fields)
		if asked == nil {
			continue
		}
		for _, offer := range fields[f].offers {
			if c.wanted(flow.Pos(offer)) && forgets(offer) && answersWith(offer, chanField(asked.Chan), fields) {
				c.reportDropped(offer, asked, r, f)
				return
			}
		}
	}
}

// askedBefore is the send to another channel of the same object that comes before r whenever r, a receive that waits for nothing else, comes, once.
// It is nil where there is none.
func askedBefore(r ssa.Instruction, fields map[*types.Var]*fieldChan) *ssa.Send {
	recv, ok := r.(*ssa.UnOp)
	if !ok || recv.Op != token.ARROW || flow.InLoop(recv.Block()) {
		return nil
	}
	owner := chanOwner(recv.X)
	for in := range flow.Instrs(recv.Parent()) {
		s, ok := in.(*ssa.Send)
		if !ok || !flow.Dominates(s, recv) || !owner.Known() || chanOwner(s.Chan) != owner {
			continue
		}
		if u := fields[chanField(s.Chan)]; u != nil && u != fields[chanField(recv.X)] && !u.escapes && !u.unknown {
			return s
		}
	}
	return nil
}

// chanOwner is where the object is that has the channel ch in a field.
func chanOwner(ch ssa.Value) flow.Path {
	fa := flow.LoadedFrom(flow.Unwrap(ch))
	if fa == nil {
		return flow.Path{}
	}
	return flow.PathOf(fa.X)
}

// forgets reports whether the select offer, which may send and goes on at once, does nothing where nobody receives but to log, and nobody
// can tell later what it did.
func forgets(offer *ssa.Select) bool {
	if offer.Blocking || len(offer.States) != 1 {
		return false
	}
	test := flow.CaseTest(offer, 0)
	if test == nil {
		return true // both ways are one
	}
	other := flow.Side(test, flow.No)
	if !flow.EntersOnlyFrom(other, test.Block()) {
		_, remembers := other.Instrs[0].(*ssa.Phi)
		return !remembers
	}
	for _, in := range other.Instrs {
		switch in := in.(type) {
		case *ssa.Call:
			if !kube.Logs(flow.Callee(&in.Call)) {
				return false
			}
		case *ssa.Store:
			if !flow.Argument(in.Addr) {
				return false
			}
		case *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.Go, *ssa.Defer, *ssa.If:
			return false
		}
	}
	return true
}

// answersWith reports whether offer is made to answer what its function has received from questions: some way leads to it from there on which no other
// answer was sent and no test decided about it, and there is none afterwards either before the next question.
func answersWith(offer *ssa.Select, questions *types.Var, fields map[*types.Var]*fieldChan) bool {
	answers := fields[chanField(offer.States[0].Chan)]
	return slices.ContainsFunc(fields[questions].receives, func(r ssa.Instruction) bool {
		if r.Parent() != offer.Parent() {
			return false
		}
		from := gotFrom(r, questions)
		answered := func(in ssa.Instruction) bool {
			s, ok := in.(*ssa.Send)
			return ok && slices.Contains(answers.sends, s)
		}
		return flow.ReachesForward(from, offer, answered) && !decidedSince(from, offer, r) && !answersLater(offer, r, answers)
	})
}

// gotFrom is the first instruction behind the receive r, or behind that case of it, if it is a select, that receives from the channel in f.
func gotFrom(r ssa.Instruction, f *types.Var) ssa.Instruction {
	sel, ok := r.(*ssa.Select)
	if !ok {
		return r
	}
	for i, s := range sel.States {
		if s.Dir != types.RecvOnly || chanField(s.Chan) != f {
			continue
		}
		if b := flow.CaseOf(sel, i); b != nil {
			return b.Instrs[0]
		}
	}
	return r
}

// decidedSince reports whether a test behind from decides about whether control comes to in, other than one of whether the receive r has got anything.
func decidedSince(from, in, r ssa.Instruction) bool {
	for test, side := range flow.Decided(in.Block()) {
		if got, ok := test.Cond.(*ssa.Extract); ok && got.Tuple.(ssa.Instruction) == r {
			continue
		}
		if side != flow.Either && flow.ReachesForward(from, test, nil) {
			return true
		}
	}
	return false
}

// answersLater reports whether the function of offer answers once more behind it, before it receives the next question at r.
func answersLater(offer *ssa.Select, r ssa.Instruction, answers *fieldChan) bool {
	next := func(in ssa.Instruction) bool { return in == r }
	if flow.Reaches(offer, offer, next) {
		return true
	}
	return slices.ContainsFunc(answers.sends, func(s *ssa.Send) bool {
		return s.Parent() == offer.Parent() && flow.Reaches(offer, s, next)
	})
}

func (c *checker) reportDropped(offer *ssa.Select, asked *ssa.Send, r ssa.Instruction, f *types.Var) {
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(offer), Sub: "neverstops", Site: "dropped-answer",
		Message: fmt.Sprintf("this answer is lost where %s has asked and is not yet there to receive it (line %d), and then it waits for another one that nobody owes it: send to %s without a default where somebody has asked",
			flow.FuncName(r.Parent()), rule.Line(c.pass, flow.Pos(r)), f.Name()),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(asked), Message: "it asks here"}, {Pos: flow.Pos(r), Message: "and waits for the answer here"}},
	})
}
