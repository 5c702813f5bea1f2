package lockheld

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// notAgain reports whether the function that in calls takes locks only to make what a package variable is to hold, where there is none, and the function of in has put
// something there before.
func notAgain(in ssa.Instruction) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	callee := flow.StaticCallee(call.Common())
	if callee == nil || callee.Blocks == nil {
		return false
	}
	locks := false
	for c := range flow.InstrsOf[ssa.CallInstruction](callee) {
		if !takes(c) {
			continue
		}
		g := missing(c.Block())
		if g == nil || !putsBefore(call, g) {
			return false
		}
		locks = true
	}
	return locks
}

// takes reports whether c takes a lock of package sync.
func takes(c ssa.CallInstruction) bool {
	s := kubeapi.SymbolOf(flow.Callee(c.Common()))
	return s.Pkg == "sync" && (s.Name == "Lock" || s.Name == "RLock")
}

// missing is a package variable that is known to be nil in b, nil where none is.
func missing(b *ssa.BasicBlock) *ssa.Global {
	for x, t := range paths.Facts(b) {
		_, basic := x.Type().Underlying().(*types.Basic)
		if load, ok := x.(*ssa.UnOp); ok && t == flow.True && !basic {
			if g, ok := load.X.(*ssa.Global); ok {
				return g
			}
		}
	}
	return nil
}

// putsBefore reports whether the function of call stores something other than nil in g before it, and nil nowhere before that.
func putsBefore(call ssa.CallInstruction, g *ssa.Global) bool {
	puts := false
	for st := range flow.InstrsOf[*ssa.Store](call.Parent()) {
		if st.Addr != ssa.Value(g) {
			continue
		}
		switch c, constant := st.Val.(*ssa.Const); {
		case !constant || !c.IsNil():
			puts = puts || flow.Dominates(st, call)
		case flow.Reaches(st, call, nil):
			return false
		}
	}
	return puts
}
