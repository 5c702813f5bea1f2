package sharing

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// copies reports whether call, of an interface's method that looks as one of a cache, is known to give copies of what
// that has: all implementations that the interface's package has do, or give nothing.
func (a *Sharing) copies(call *ssa.CallCommon) bool {
	fn := flow.Callee(call)
	if fn == nil || !call.IsInvoke() {
		return false
	}
	if fn.Pkg() == a.pass.Pkg {
		return a.givesCopies(call.Value.Type(), fn)
	}
	var s Shares
	return a.pass.ImportObjectFact(fn.Origin(), &s) && s.Copies
}

// exportCopies exports a fact for each method of the package's interfaces that returns copies.
func (a *Sharing) exportCopies() {
	scope := a.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !types.IsInterface(tn.Type()) || !kubeapi.IsLister(tn.Type()) {
			continue
		}
		for m := range tn.Type().Underlying().(*types.Interface).Methods() {
			if m.Pkg() == a.pass.Pkg && a.givesCopies(tn.Type(), m) {
				a.pass.ExportObjectFact(m.Origin(), &Shares{Copies: true})
			}
		}
	}
}

// givesCopies reports whether what m, a method of the interface t, returns first is a copy in some implementation of
// this package, and in none what a cache has. A method without a body here, such as that of an embedded lister, may
// give anything.
func (a *Sharing) givesCopies(t types.Type, m *types.Func) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	scope, some := a.pass.Pkg.Scope(), false
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) || !types.Implements(types.NewPointer(tn.Type()), iface) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(tn.Type(), true, m.Pkg(), m.Name())
		method, ok := obj.(*types.Func)
		if !ok {
			return false
		}
		fn := a.p.Own(a.p.Prog.FuncValue(method.Origin()))
		if fn == nil || a.sums[fn] == nil {
			return false
		}
		for _, g := range a.sums[fn].Gives {
			if g.Result == 0 && g.Param < 0 {
				return false
			}
		}
		some = some || a.makesCopies(fn)
	}
	return some
}

// makesCopies reports whether the first result of fn leads to a copy that it makes.
func (a *Sharing) makesCopies(fn *ssa.Function) (copies bool) {
	for in := range flow.Calls(fn) {
		call, ok := in.(*ssa.Call)
		if !ok || !kubeapi.IsDeepCopy(flow.Callee(in.Common())) {
			continue
		}
		a.trace(fn, call, share{at: true}, func(e Effect) { copies = copies || e.Deed == returned && e.result == 0 })
	}
	return copies
}
