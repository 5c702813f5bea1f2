package kubeapi

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Package is the package under analysis with its calls resolved: a *program.Program, which imports this package.
type Package interface {
	SSA() *ssa.Package
	All() []*ssa.Function                                    // and the initialiser
	Own(fn *ssa.Function) *ssa.Function                      // the function of the package that fn stands for
	Callee(c *ssa.CallCommon) *ssa.Function                  // of the package
	Callers(fn *ssa.Function) []ssa.CallInstruction          // in the package
	FunctionsIn(v ssa.Value) (fns []*ssa.Function, all bool) // that v may hold
	MethodOf(t types.Type, name string) *ssa.Function        // that the package declares
}

// functionIn returns the only function that v may hold, nil if that is not known.
func functionIn(p Package, v ssa.Value) *ssa.Function {
	if fns, all := p.FunctionsIn(v); all && len(fns) == 1 {
		return fns[0]
	}
	return nil
}
