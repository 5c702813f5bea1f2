package lockheld

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// onSecondCall reports whether only a second call of the method fn on one object takes the exit of l, and there is
// none: a test of a field that only fn sets dominates the exit, and the package calls fn once on each object that it
// creates.
func onSecondCall(pkg *program.Program, fn *ssa.Function, l lock.Leak) bool {
	obj := flow.Object(fn)
	if obj == nil || obj.Exported() || fn.Signature.Recv() == nil || fn.Parent() != nil || l.Exit.Parent() != fn {
		return false
	}
	for v, t := range paths.Facts(l.Exit.Block()) {
		if t != flow.TruthOf(flow.IsBool(v.Type())) {
			continue // zero
		}
		if field := loadedField(v, fn.Params[0]); field != nil && setOnlyIn(pkg, field, fn) {
			return calledOncePerObject(pkg, fn)
		}
	}
	return false
}

// loadedField is the field of recv that v is loaded from; nil for other values.
func loadedField(v ssa.Value, recv *ssa.Parameter) *types.Var {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	at, ok := load.X.(*ssa.FieldAddr)
	if !ok || flow.Resolve(at.X) != ssa.Value(recv) {
		return nil
	}
	return flow.Field(at.X.Type(), at.Field)
}

// setOnlyIn reports whether the functions other than fn only read the field or store its zero value.
func setOnlyIn(pkg *program.Program, field *types.Var, fn *ssa.Function) bool {
	if field.Exported() {
		return false
	}
	for _, other := range pkg.All() {
		if other == fn {
			continue
		}
		for at := range flow.InstrsOf[*ssa.FieldAddr](other) {
			if flow.Field(at.X.Type(), at.Field) != field {
				continue
			}
			for _, r := range *at.Referrers() {
				switch r := r.(type) {
				case *ssa.UnOp:
				case *ssa.Store:
					if r.Addr != ssa.Value(at) || !flow.IsZero(r.Val) {
						return false
					}
				default:
					return false
				}
			}
		}
	}
	return true
}

// calledOncePerObject reports whether each use of the method fn in the package is a call on a new object that no other
// such call is on.
func calledOncePerObject(pkg *program.Program, fn *ssa.Function) bool {
	calls := pkg.Callers(fn)
	on := map[ssa.Value]bool{}
	for _, call := range calls {
		recv := flow.Recv(call.Common())
		object := flow.Resolve(recv)
		made, ok := object.(ssa.Instruction)
		again := func() bool { return flow.Reaches(call, call, func(in ssa.Instruction) bool { return in == made }) }
		if !ok || on[object] || !values.Fresh(object, pkg) || !flow.Dominates(made, call) || again() {
			return false
		}
		on[object] = true
	}
	return len(calls) > 0 && len(pkg.Origins().Callers(fn)) == len(calls) && !pkg.IsValue(fn)
}
