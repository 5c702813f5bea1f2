package unboundedsync

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// neverDone reports what fn does behind a wait, for nothing else, for the end of a context that nothing ends, as the shutdown of a server: it is never
// done. A wait with nothing behind it may be meant to keep the function from returning.
func (c *checker) neverDone(fn *ssa.Function) {
	for in := range flow.Instrs(fn) {
		recv, ok := in.(*ssa.UnOp)
		if !ok || recv.Op != token.ARROW || blocking.DoneOf(recv.X) == nil || !c.wanted(flow.Pos(recv)) {
			continue
		}
		end := c.bounds.Of(recv.X, recv)
		if end.Limit != blocking.Never {
			continue
		}
		if behind := workBehind(recv); behind != nil {
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(recv), Sub: "neverstops", Site: "background-done",
				Message: fmt.Sprintf("%s, so what is behind this is never done (line %d); wait for a context that something ends", end.Why, rule.Line(c.pass, flow.Pos(behind))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(behind), Message: "control never comes here"}},
			})
		}
	}
}

// workBehind is the first call that does something and is made only behind the wait, nil for none. In a main package that is not to end a server: the end of the
// process does so, too.
func workBehind(wait ssa.Instruction) ssa.CallInstruction {
	for in := range flow.Instrs(wait.Parent()) {
		if call, ok := in.(ssa.CallInstruction); ok && flow.Dominates(wait, call) && works(call) && !(wait.Parent().Pkg.Pkg.Name() == "main" && kube.SymbolOf(flow.Callee(call.Common())).Recv == "Server") {
			return call
		}
	}
	return nil
}

// works reports whether call does more than to log, to make an error or another context, to look at a context or cancel it, to wait, or to end the process.
func works(call ssa.CallInstruction) bool {
	com := call.Common()
	if _, deferred := call.(*ssa.Defer); deferred || kube.IsCancel(com.Value.Type()) || kube.Logs(flow.Callee(com)) || givesContext(com) {
		return false
	}
	fn := flow.Callee(com)
	if fn == nil {
		b, builtin := com.Value.(*ssa.Builtin)
		return !builtin || b.Name() == "close"
	}
	return !slices.Contains([]string{"context", "sync", "time"}, kube.SymbolOf(fn).Pkg) && !kube.NeverReturns(fn) &&
		!slices.ContainsFunc(flow.Args(com), func(a ssa.Value) bool { return flow.IsError(a.Type()) })
}
