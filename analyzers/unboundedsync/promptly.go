package unboundedsync

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// promptly reports whether s is come to at once by the goroutine that start starts, and its receive in sel by who started it: neither calls anything or
// waits before, so that nothing else comes first that has not come before both.
func promptly(s *ssa.Send, start ssa.CallInstruction, sel *ssa.Select) bool {
	if flow.InLoop(start.Block()) || flow.InLoop(s.Block()) || sel.Parent() != start.Parent() {
		return false
	}
	for in := range flow.Instrs(s.Parent()) {
		if takesTime(in) && in != ssa.Instruction(s) && flow.Reaches(in, s, nil) {
			return false
		}
	}
	return !flow.Any(flow.Instrs(start.Parent()), func(in ssa.Instruction) bool {
		return takesTime(in) && in != start && in != ssa.Instruction(sel) && flow.Reaches(start, in, nil) && flow.Reaches(in, sel, nil)
	})
}

// takesTime reports whether in may wait, or runs what may. Logging is none of it.
func takesTime(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin && blocking.DoneOf(in) == nil && !blocking.IsTimer(in) && !kubeapi.OnlyLogs(in)
	}
	return false
}

// endsWell reports whether s is come to only with an error of what runs until the context ends whose end ch tells, the Start of a Runnable: where that
// context has ended it comes back without one.
func endsWell(s *ssa.Send, ch ssa.Value) bool {
	ctx := blocking.DoneOf(ch)
	if ctx == nil {
		return false
	}
	end := flow.PathOf(flow.Resolve(ctx))
	for x, t := range paths.Facts(s.Block()) {
		call, ok := flow.Resolve(x).(*ssa.Call)
		if ok && t == flow.False && flow.IsError(x.Type()) && runs(flow.Callee(&call.Call)) && end.Known() && derives(flow.Args(&call.Call)[0], end) {
			return true
		}
	}
	return false
}

// runs reports whether fn is the Start of a Runnable, which is given a context.
func runs(fn *types.Func) bool {
	return kubeapi.IsRunnableStart(fn) && kubeapi.IsContext(fn.Signature().Params().At(0).Type())
}

// derives reports whether the context v is the one at end, or is derived from it.
func derives(v ssa.Value, end flow.Path) bool {
	work := values.From(v)
	for v := range work.Resolved() {
		if flow.PathOf(v) == end {
			return true
		}
		if call, _ := flow.ResultOf(v); call != nil {
			for _, a := range flow.Args(&call.Call) {
				if kubeapi.IsContext(a.Type()) {
					work.Add(a)
				}
			}
		}
	}
	return false
}
