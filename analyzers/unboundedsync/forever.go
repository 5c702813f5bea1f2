package unboundedsync

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// forever reports the wait of fn for a channel that it has made, and on which nobody sends and which nobody closes, its empty select, and its wait for a group
// that it has added to for nobody, where fn is given a context that may end: it is there so that fn does not return, and so it never does.
func (c *checker) forever(fn *ssa.Function) {
	ctx := contextOf(fn)
	if ctx == nil || fn.Parent() != nil || c.givenEndless(ctx) {
		return
	}
	for in := range flow.Instrs(fn) {
		related := []analysis.RelatedInformation{{Pos: ctx.Pos(), Message: ctx.Name() + " is given here"}}
		switch in := in.(type) {
		case *ssa.MakeChan:
			u, ok := c.usesOf(in, nil)
			if !ok || len(u.sends)+len(u.closes)+len(u.given) > 0 || len(u.receives) != 1 {
				continue
			}
			recv, plain := u.receives[0].(*ssa.UnOp)
			if !plain || recv.Parent() != fn || u.chosen() {
				continue
			}
			why := fmt.Sprintf("nobody sends on the channel made at line %d, nor closes it", rule.Line(c.pass, flow.Pos(in)))
			related = append(related, analysis.RelatedInformation{Pos: flow.Pos(in), Message: "the channel is made here"})
			c.reportForever(fn, recv, ctx, why, related)
		case *ssa.Select:
			if len(in.States) == 0 && in.Blocking {
				c.reportForever(fn, in, ctx, "it is a choice of nothing", related)
			}
		case *ssa.Call:
			if method, _ := groupMethod(in); method != "Wait" {
				continue
			}
			if add := parked(in); add != nil {
				why := fmt.Sprintf("nobody says Done for what line %d adds to the group", rule.Line(c.pass, flow.Pos(add)))
				related = append(related, analysis.RelatedInformation{Pos: flow.Pos(add), Message: "the unit is added here"})
				c.reportForever(fn, in, ctx, why, related)
			}
		}
	}
}

// givenEndless reports whether all who call the function of the context ctx are in the package, and give it one that never ends.
func (c *checker) givenEndless(ctx *ssa.Parameter) bool {
	fn := ctx.Parent()
	calls := c.pkg.Callers(fn)
	return !token.IsExported(fn.Name()) && len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		return c.bounds.Of(flow.AllArgs(call.Common())[flow.ParamIndex(fn, ctx)], call).Limit != blocking.Never
	})
}

// chosen reports whether a select has a case for the channel.
func (u *chanUses) chosen() bool {
	for v := range u.same {
		for _, r := range *v.Referrers() {
			if _, ok := r.(*ssa.Select); ok {
				return true
			}
		}
	}
	return false
}

func (c *checker) reportForever(fn *ssa.Function, at ssa.Instruction, ctx *ssa.Parameter, why string, related []analysis.RelatedInformation) {
	if !c.wanted(flow.Pos(at)) {
		return
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(at), Sub: "neverstops", Site: "endless-receive", Related: related,
		Message: fmt.Sprintf("%s waits here forever: %s; wait for the end of %s", flow.FuncName(fn), why, ctx.Name()),
	})
}

// blocksAlone reports whether n may be a wait that is there for its own sake: a receive whose value nobody uses, or an empty select.
func blocksAlone(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectStmt:
		return len(n.Body.List) == 0
	case *ast.ExprStmt:
		recv, ok := n.X.(*ast.UnaryExpr)
		if !ok || recv.Op != token.ARROW {
			return false
		}
		_, ok = recv.X.(*ast.Ident)
		return ok
	}
	return false
}
