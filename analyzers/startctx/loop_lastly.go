package startctx

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// endsWithProcess reports whether ctx, which is made of one without an end, ends only as the last that a function does whose own end is that of the process: it
// defers the cancel function, which nobody else has, before all else.
func (c *checker) endsWithProcess(ctx ssa.Value) bool {
	made, i := flow.ResultOf(flow.Resolve(ctx))
	if made == nil || i != 0 || kubeapi.Called(&made.Call) != (kubeapi.Symbol{Pkg: "context", Name: "WithCancel"}) || !freshContext(made) {
		return false
	}
	var last *ssa.Defer
	for _, r := range *made.Referrers() {
		cancel, ok := r.(*ssa.Extract)
		if !ok || cancel.Index != 1 {
			continue
		}
		for _, use := range *cancel.Referrers() {
			late, deferred := use.(*ssa.Defer)
			if !deferred || late.Call.Value != ssa.Value(cancel) {
				return false
			}
			last = late
		}
	}
	return last != nil && firstDefer(last) && c.isWholeProcess(made.Parent(), map[*ssa.Function]bool{})
}

// firstDefer reports whether what d defers is the last that is run: nothing is deferred before it.
func firstDefer(d *ssa.Defer) bool {
	for in := range flow.Instrs(d.Parent()) {
		if other, ok := in.(*ssa.Defer); ok && flow.Reaches(other, d, nil) {
			return false
		}
	}
	return true
}

// isWholeProcess reports whether the process ends as soon as fn does: fn is main, what cobra runs for a command, or called by such ones alone, in its package, which do nothing
// behind it.
func (c *checker) isWholeProcess(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if c.isCommand(fn) || fn.Parent() == nil && fn.Signature.Recv() == nil && fn.Name() == "main" && fn.Pkg.Pkg.Name() == "main" {
		return true
	}
	calls := c.pkg.Callers(fn)
	if seen[fn] || len(calls) == 0 {
		return false
	}
	seen[fn] = true
	return !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		_, plain := call.(*ssa.Call)
		return !plain || !endsBehind(call) || !c.isWholeProcess(call.Parent(), seen)
	})
}

// endsBehind reports whether the function of call does nothing more behind it than to log, to end the process or to return.
func endsBehind(call ssa.CallInstruction) bool {
	for in := range flow.Instrs(call.Parent()) {
		switch in := in.(type) {
		case *ssa.Defer:
			return false
		case *ssa.Send, *ssa.Select, *ssa.Go:
			if flow.Reaches(call, in, nil) {
				return false
			}
		case *ssa.Call:
			callee := flow.Callee(&in.Call)
			quiet := callee != nil && kubeapi.NeverReturns(callee) || kubeapi.OnlyLogs(in) || blocking.DoneOf(in) != nil
			if in != call && !quiet && flow.Reaches(call, in, nil) {
				return false
			}
		}
	}
	return !flow.InLoop(call.Block())
}

// isCommand reports whether fn is the work of a command that cobra runs, and no hook before or behind it.
func (c *checker) isCommand(fn *ssa.Function) bool {
	if c.commands == nil {
		c.commands = kubeapi.CobraCommands(c.pkg)
	}
	return c.commands[fn] == "Run" || c.commands[fn] == "RunE"
}
