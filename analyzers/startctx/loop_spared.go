package startctx

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
)

// spared reports whether the receive recv of the end of a context in fn, which stays in its loop, does not spin for all that: it is not ready when it is
// asked, or the process ends as soon as it is.
func (c *checker) spared(fn *ssa.Function, recv ssa.Instruction, ch ssa.Value) bool {
	ctx := blocking.DoneOf(ch)
	return ctx != nil && (askedOnce(recv, ctx) || c.diesWithLease(fn, ctx) || c.endsWithProcess(ctx))
}

// askedOnce reports whether recv is a choice that its function comes to once, as all but the end of ctx leaves the loop, and comes to as soon as it has
// made ctx: that cannot have ended then.
func askedOnce(recv ssa.Instruction, ctx ssa.Value) bool {
	choice, ok := recv.(*ssa.Select)
	if !ok || choice.Blocking || len(choice.States) != 1 {
		return false
	}
	made, _ := flow.ResultOf(flow.Resolve(ctx))
	test := flow.CaseTest(choice, 0)
	if made == nil || made.Parent() != choice.Parent() || !freshContext(made) || test == nil || flow.BlocksFrom(flow.Side(test, flow.False))[choice.Block()] {
		return false
	}
	here := func(in ssa.Instruction) bool { return in == choice }
	return !flow.Any(flow.Instrs(made.Parent()), func(in ssa.Instruction) bool {
		return in != recv && takesTime(in) && flow.Reaches(made, in, here) && flow.Reaches(in, choice, nil)
	})
}

// freshContext reports whether call makes a context that nothing but a deadline or its own cancel function ends.
func freshContext(call *ssa.Call) bool {
	callee := flow.Callee(&call.Call)
	return callee != nil && kubeapi.SymbolOf(callee).Pkg == "context" && len(call.Call.Args) > 0 && blocking.Background(call.Call.Args[0]) != nil
}

// takesTime reports whether in may, for all that is known, wait or go on for a while.
func takesTime(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		s := kubeapi.Called(&in.Call)
		return !builtin && !kubeapi.OnlyLogs(in) && s.Pkg != "context" && (s.Pkg != "time" || s.Name == "Sleep")
	case *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	}
	return false
}

// diesWithLease reports whether ctx is what an election gives to its leader fn, and the process ends when the lease does, which is when ctx does.
func (c *checker) diesWithLease(fn *ssa.Function, ctx ssa.Value) bool {
	if len(fn.Params) == 0 || flow.Resolve(ctx) != ssa.Value(fn.Params[len(fn.Params)-1]) || !kubeapi.ImportsElection(c.pass.Pkg) {
		return false
	}
	return slices.ContainsFunc(c.findCallbacks(), func(cb *callbacks) bool {
		if cb.started == nil || cb.stopped == nil || c.ownFunc(cb.started) != fn {
			return false
		}
		stopped := c.ownFunc(cb.stopped)
		return stopped != nil && len(stopped.Blocks) > 0 && lifetime.NeverReturns(stopped)
	})
}
