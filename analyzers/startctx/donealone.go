package startctx

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// doneAlone reports the first call of fn that asks a context for its Done channel and leaves the channel there, where that is to end something: in a method
// that ends things, or as the last that fn does with a failure. It ends nothing.
func (c *checker) doneAlone(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || flow.Used(call) {
			continue
		}
		ctx := blocking.DoneOf(call)
		if ctx == nil || !endsByName(fn) && !c.lastWord(call) || afterEnd(call) || c.cancelsBeside(call) || atTheEnd(fn) {
			continue
		}
		c.report(rule.Finding{
			Pos: flow.Pos(call), Sub: "ignored", Site: "discarded-done",
			Message: fmt.Sprintf("Done only gives a channel, and nobody takes this one: %s neither ends the context here nor waits for its end; call the function that cancels it",
				flow.FuncName(fn)),
		})
		return
	}
}

// atTheEnd reports whether fn is a literal of a function that waits for the end of a context: it defers the literal for then.
func atTheEnd(fn *ssa.Function) bool {
	late, waits := false, false
	if fn.Parent() != nil {
		for in := range flow.Instrs(fn.Parent()) {
			switch in := in.(type) {
			case *ssa.Defer:
				late = late || flow.FuncValue(in.Call.Value) == fn
			case *ssa.UnOp:
				waits = waits || in.Op == token.ARROW && blocking.DoneOf(in.X) != nil
			}
		}
	}
	return late && waits
}

// endsByName reports whether fn is a method that is called as those are that end what their object does.
func endsByName(fn *ssa.Function) bool {
	return fn.Signature.Recv() != nil && blocking.IsShutdown(fn.Name())
}

// lastWord reports whether the function of call comes back behind it and does nothing more than to log on some way, and has no error to tell its caller.
func (c *checker) lastWord(call *ssa.Call) bool {
	fn := call.Parent()
	if flow.ErrorResult(fn.Signature) >= 0 || c.pkg.Pkg.Name() == "main" && fn.Name() == "main" {
		return false // with which the process ends
	}
	acts := func(in ssa.Instruction) bool {
		other, ok := in.(ssa.CallInstruction)
		return ok && !kube.OnlyLogs(other)
	}
	for ret := range flow.Returns(fn) {
		if flow.Reaches(call, ret, acts) {
			return true
		}
	}
	return false
}

// cancelsBeside reports whether the function of call cancels a context on a way that has both, by itself or in what it calls, or stands in one that
// cancels any.
func (c *checker) cancelsBeside(call *ssa.Call) (cancels bool) {
	for outer := call.Parent().Parent(); outer != nil; outer = outer.Parent() {
		flow.Calls(outer, func(other ssa.CallInstruction) { cancels = cancels || isCancel(other) })
	}
	flow.Calls(call.Parent(), func(other ssa.CallInstruction) {
		if cancels || !flow.Reaches(call, other, nil) && !flow.Reaches(other, call, nil) {
			return
		}
		_, late := other.(*ssa.Defer)
		if isCancel(other) {
			cancels = !late || !madeHere(other)
			return
		}
		callee := c.pkg.Callee(other.Common())
		if callee == nil {
			return
		}
		for f := range c.pkg.Reach(program.Calls, callee) {
			flow.Calls(f, func(inner ssa.CallInstruction) { cancels = cancels || isCancel(inner) && !madeHere(inner) })
		}
	})
	return cancels
}

// isCancel reports whether call is one of a function that cancels a context.
func isCancel(call ssa.CallInstruction) bool {
	return !call.Common().IsInvoke() && kube.IsCancel(call.Common().Value.Type())
}

// madeHere reports whether the function of call, which is one of a function that cancels a context, has made that context.
func madeHere(call ssa.CallInstruction) bool {
	made, ok := flow.Resolve(call.Common().Value).(*ssa.Extract)
	return ok && made.Parent() == call.Parent()
}
