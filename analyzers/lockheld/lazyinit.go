package lockheld

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// initialised reports whether in calls a function that acquires locks only to initialise a package variable while it is
// nil, and a store to the variable dominates the call: the lazy initialisation does not run.
func initialised(in ssa.Instruction) bool {
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
		if !acquires(c) {
			continue
		}
		g := nilVariable(c.Block())
		if g == nil || !storedBefore(call, g) {
			return false
		}
		locks = true
	}
	return locks
}

// acquires reports whether c acquires a lock of package sync.
func acquires(c ssa.CallInstruction) bool {
	s := kubeapi.SymbolOf(flow.Callee(c.Common()))
	return s.Pkg == "sync" && (s.Name == "Lock" || s.Name == "RLock")
}

// nilVariable is a package variable that is nil under the path condition of b; nil for none.
func nilVariable(b *ssa.BasicBlock) *ssa.Global {
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

// storedBefore reports whether a store of a value other than nil to g dominates call, and no store of nil reaches it.
func storedBefore(call ssa.CallInstruction, g *ssa.Global) bool {
	stored := false
	for st := range flow.InstrsOf[*ssa.Store](call.Parent()) {
		if st.Addr != ssa.Value(g) {
			continue
		}
		switch c, constant := st.Val.(*ssa.Const); {
		case !constant || !c.IsNil():
			stored = stored || flow.Dominates(st, call)
		case flow.Reaches(st, call, nil):
			return false
		}
	}
	return stored
}
