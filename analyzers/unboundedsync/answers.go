package unboundedsync

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// unheard reports the sends of answers to somebody who may have left: a function makes a channel without room, puts it into a field of a request that
// others work off, and waits for the answer in a select in which it may leave when its context ends or a time has passed. Who answers by a
// send that waits for nothing else is then stuck, with all that it still has to do.
func (c *checker) unheard(fn *ssa.Function) {
	for made := range flow.InstrsOf[*ssa.MakeChan](fn) {
		if !flow.IsZeroInt(made.Size) || !c.wanted(flow.Pos(made)) {
			continue
		}
		field := c.onlyField(made)
		if field == nil {
			continue
		}
		uses := c.fieldChans()[field]
		if uses == nil || uses.escapes || uses.unknown || len(uses.closes) > 0 || len(uses.sends) == 0 {
			continue
		}
		sel, arm := leavesAnswer(uses, made)
		if sel == nil {
			continue
		}
		told := map[*ssa.Function]bool{} // one of several answers of a function is enough
		for _, s := range uses.sends {
			if by := s.Parent(); by != fn && !told[by] && c.wanted(flow.Pos(s)) && !flagged(s) {
				told[by] = true
				c.reportUnheard(made, s, sel, arm, fn)
			}
		}
	}
}

// onlyField is the field of a struct that the channel made is put into, nil where anything else is done with it than to receive.
func (c *checker) onlyField(made *ssa.MakeChan) *types.Var {
	var field *types.Var
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.Select:
		case *ssa.Store:
			fa, ok := r.Addr.(*ssa.FieldAddr)
			if !ok || r.Val != ssa.Value(made) || field != nil {
				return nil
			}
			field = flow.Field(fa.X.Type(), fa.Field)
		default:
			return nil
		}
	}
	return field
}

// leavesAnswer is the select of the function that made the channel, the only place where anybody receives an answer, in which it may take another way and
// return; arm is what it waits for there.
func leavesAnswer(uses *fieldChan, made *ssa.MakeChan) (sel *ssa.Select, arm ssa.Value) {
	if uses.makes != 1 {
		return nil, nil
	}
	all := &chanUses{chanOps: chanOps{receives: uses.receives}, same: values.From(made)}
	for _, r := range *made.Referrers() {
		switch r.(type) {
		case *ssa.UnOp, *ssa.Select:
			all.receives = append(all.receives, r)
		}
	}
	for _, r := range all.receives {
		s, ok := r.(*ssa.Select)
		if !ok || r.Parent() != made.Parent() {
			return nil, nil
		}
		sel = s
		if arm = all.exitCase(s, func(ch ssa.Value) bool { return blocking.IsTimer(ch) || ofCall(ch, made.Parent()) }); arm == nil {
			return nil, nil
		}
	}
	return sel, arm
}

func (c *checker) reportUnheard(made *ssa.MakeChan, s *ssa.Send, sel *ssa.Select, arm ssa.Value, fn *ssa.Function) {
	stuck := "this reply blocks forever (goroutine leak)"
	if flow.InLoop(s.Block()) {
		stuck = fmt.Sprintf("this reply blocks %s forever, so it serves no further request,", flow.FuncName(s.Parent()))
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(s), Sub: "abandoned", Site: "abandoned-answer",
		Message: fmt.Sprintf("%s if %s has returned because %s (line %d); give %s a buffer of 1",
			stuck, flow.FuncName(fn), whenOf(arm), rule.Line(c.pass, flow.Pos(sel)), flow.PathOf(s.Chan)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the channel is created here"}, {Pos: flow.Pos(sel), Message: "this select may take another case"}},
	})
}
