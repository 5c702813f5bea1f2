package kubeapi

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// standIns are the variables of controller-runtime's own package that stand for functions of packages below it.
var standIns = map[string]Symbol{
	"CreateOrUpdate":         {Pkg: ControllerUtil, Name: "CreateOrUpdate"},
	NewManager:               {Pkg: Manager, Name: "New"},
	"SetControllerReference": {Pkg: ControllerUtil, Name: "SetControllerReference"},
}

// Called returns the symbol of the function that call calls, if by a variable of controller-runtime; empty if it is
// not known.
func Called(call *ssa.CallCommon) Symbol {
	if fn := flow.Callee(call); fn != nil || call.IsInvoke() {
		return SymbolOf(fn)
	}
	load, ok := call.Value.(*ssa.UnOp)
	if !ok {
		return Symbol{}
	}
	if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && SamePackage(g.Pkg.Pkg.Path(), ControllerRuntime) {
		return standIns[g.Name()]
	}
	return Symbol{}
}
