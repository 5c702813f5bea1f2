package startctx

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/lifetime"
)

// endsWithProcess reports whether ctx, which is made of one without an end, ends only as the last that a function does whose own end is that of the process: it
// defers the cancel function, which nobody else has, before all else.
func (c *checker) endsWithProcess(ctx ssa.Value) bool {
	made, i := flow.ResultOf(flow.Resolve(ctx))
	if made == nil || i != 0 || kubeapi.Called(&made.Call) != (kubeapi.Symbol{Pkg: "context", Name: "WithCancel"}) || !freshContext(made) {
		return false
	}
	cancel := flow.ResultAt(made, 1)
	if cancel == nil {
		return false
	}
	var last *ssa.Defer
	for use := range flow.Referrers[ssa.Instruction](cancel) {
		late, deferred := use.(*ssa.Defer)
		if !deferred || late.Call.Value != cancel {
			return false
		}
		last = late
	}
	return last != nil && firstDefer(last) && c.isWholeProcess(made.Parent())
}

// firstDefer reports whether what d defers is the last that is run: nothing is deferred before it.
func firstDefer(d *ssa.Defer) bool {
	return !flow.Any(flow.InstrsOf[*ssa.Defer](d.Parent()), func(other *ssa.Defer) bool {
		return flow.Reaches(other, d, nil)
	})
}

// isWholeProcess reports whether the process ends as soon as fn does: it is the program, or called only by such functions of the package that do nothing after it.
func (c *checker) isWholeProcess(fn *ssa.Function) bool {
	return c.pkg.OnlyFrom(fn, func(fn *ssa.Function) bool { return lifetime.IsProgram(c.pkg, fn) }, func(call ssa.CallInstruction) bool {
		_, plain := call.(*ssa.Call)
		return plain && endsBehind(call)
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
			quiet := lifetime.EndsProcess(in) || kubeapi.OnlyLogs(in) || blocking.DoneOf(in) != nil
			if in != call && !quiet && flow.Reaches(call, in, nil) {
				return false
			}
		}
	}
	return !flow.InLoop(call.Block())
}
