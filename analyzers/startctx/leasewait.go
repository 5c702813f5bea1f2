package startctx

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// awaitsLease reports where r, or what it calls, receives from a channel that only the OnStartedLeading of cb fires: until this replica leads, and it
// may never do that, the end of the context of r ends nothing.
func (c *checker) awaitsLease(r controllers.Runnable, cb *callbacks) {
	started := c.ownFunc(cb.started)
	if started == nil || !kube.BesidesLogs(r.Stop) {
		return // ignored tells it
	}
	for fn := range c.pkg.Reach(program.Calls, r.Fn) {
		for in := range flow.Instrs(fn) {
			recv, ok := in.(*ssa.UnOp)
			if !ok || recv.Op != token.ARROW || !c.firedOnlyIn(recv.X, started) || afterEnd(recv) || c.exitsWithElection(cb) {
				continue
			}
			c.report(rule.Finding{
				Pos: flow.Pos(recv), Sub: "ignored", Site: "unbounded-lease-wait",
				Message: fmt.Sprintf("%s waits here until this replica leads, whatever becomes of its %s: on one that does not lead nothing ends %s %s; wait for both in a select",
					flow.FuncName(fn), what(r), r.Name, ending(r)),
				Related: []analysis.RelatedInformation{
					{Pos: started.Pos(), Message: "only OnStartedLeading lets it go on"},
					{Pos: r.Stop.Pos(), Message: "this is not looked at meanwhile"},
				},
			})
			return
		}
	}
}

// firedOnlyIn reports whether all that closes the channel ch, or sends on it, is in fn.
func (c *checker) firedOnlyIn(ch ssa.Value, fn *ssa.Function) bool {
	firers := c.bounds.Firers(ch)
	for _, f := range firers {
		if !within(f, fn) {
			return false
		}
	}
	return len(firers) > 0 && c.bounds.InSight(ch)
}

// exitsWithElection reports whether the end of the context with which the election of cb runs may end the process: OnStoppedLeading does so, also on a
// replica that has never led.
func (c *checker) exitsWithElection(cb *callbacks) bool {
	stopped := c.ownFunc(cb.stopped)
	if stopped != nil && len(stopped.Blocks) > 0 && !c.endsThings(stopped) {
		return false
	}
	around, endless := flow.Decl(cb.in), false
	for _, fn := range append(flow.Literals(around), around) {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			if ctx := contextArg(call.Common()); ctx != nil && isElection(call.Common()) {
				endless = c.neverEnds(ctx)
			}
		})
	}
	return !endless
}

// neverEnds reports whether the context or stop channel ctx never ends: all callers in sight give one that does not, where it is a parameter.
func (c *checker) neverEnds(ctx ssa.Value) bool {
	b := c.bounds.Of(ctx, nil)
	if b.Limit != blocking.Parameter {
		return b.Limit == blocking.Never
	}
	fn := b.Param.Parent()
	callers, i := c.pkg.Callers(fn), flow.ParamIndex(fn, b.Param)
	for _, call := range callers {
		if args := flow.AllArgs(call.Common()); i >= len(args) || c.bounds.Of(args[i], nil).Limit != blocking.Never {
			return false
		}
	}
	return len(callers) > 0
}
