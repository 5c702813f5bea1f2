package unboundedsync

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
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
	for in := range flow.Instrs(start.Parent()) {
		if takesTime(in) && in != start && in != ssa.Instruction(sel) && flow.Reaches(start, in, nil) && flow.Reaches(in, sel, nil) {
			return false
		}
	}
	return true
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
		return !builtin && blocking.DoneOf(in) == nil && !blocking.IsTimer(in) && !kube.OnlyLogs(in)
	}
	return false
}
