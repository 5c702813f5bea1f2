package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// droppedDeadline reports call where it makes a context with a deadline that nobody has, though its cancel function is kept, and the context of which
// it was made, which has no deadline itself, is handed on behind it: what was to be over in time goes on for as long as that one lasts.
func (c *checker) droppedDeadline(call ssa.CallInstruction) {
	made, ok := call.(*ssa.Call)
	if !ok || !setsDeadline(made) || !c.wanted(flow.Pos(made)) {
		return
	}
	if ctx := flow.ResultAt(made, 0); ctx != nil && len(*ctx.Referrers()) > 0 {
		return
	}
	if cancel := flow.ResultAt(made, 1); cancel == nil || len(*cancel.Referrers()) == 0 {
		return
	}
	parent := flow.Resolve(made.Call.Args[0])
	if c.bounds.Of(parent, made).Limit == blocking.Deadline {
		return
	}
	for in := range flow.Instrs(made.Parent()) {
		if handsOn(in, parent) && flow.ReachesForward(made, in, nil) {
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(made), Sub: "neverstops", Site: "dropped-deadline",
				Message: fmt.Sprintf("the context returned by %s is not used, so the deadline has no effect: its parent is passed on (line %d); pass the new context",
					kubeapi.SymbolOf(flow.Callee(&made.Call)), rule.Line(c.pass, flow.Pos(in))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(in), Message: "the context without the deadline is passed here"}},
			})
			return
		}
	}
}

// setsDeadline reports whether call makes a context with a deadline of another one.
func setsDeadline(call *ssa.Call) bool {
	s := kubeapi.SymbolOf(flow.Callee(&call.Call))
	return (s.Pkg == "context" || s.Pkg == "golang.org/x/net/context") && blocking.SetsDeadline(s.Name)
}

// handsOn reports whether in gives the context ctx to a function that does more than to log or to make another context of it, or back to the caller;
// or makes a literal that does.
func handsOn(in ssa.Instruction, ctx ssa.Value) bool {
	is := func(v ssa.Value) bool { return flow.Resolve(v) == ctx }
	switch in := in.(type) {
	case *ssa.Return:
		return slices.ContainsFunc(in.Results, is)
	case *ssa.MakeClosure:
		lit, ok := in.Fn.(*ssa.Function)
		return ok && flow.Any(flow.Instrs(lit), func(in ssa.Instruction) bool {
			_, back := in.(*ssa.Return)
			return !back && handsOn(in, ctx)
		})
	case ssa.CallInstruction:
		return !kubeapi.Logs(flow.Callee(in.Common())) && !givesContext(in.Common()) && slices.ContainsFunc(flow.Args(in.Common()), is)
	}
	return false
}

// givesContext reports whether call gives a context.
func givesContext(call *ssa.CallCommon) bool {
	for v := range call.Signature().Results().Variables() {
		if kubeapi.IsContext(v.Type()) {
			return true
		}
	}
	return false
}
