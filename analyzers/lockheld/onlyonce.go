package lockheld

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
)

// neverTaken reports whether only a second call of fn on the same object comes to the exit of l, which is behind a test of a field that fn alone sets, and each object on which the package
// calls fn is made for that one call.
func neverTaken(pkg *program.Program, fn *ssa.Function, l lock.Leak) bool {
	obj := flow.Object(fn)
	if obj == nil || obj.Exported() || fn.Signature.Recv() == nil || fn.Parent() != nil || l.Exit.Parent() != fn {
		return false
	}
	for v, t := range paths.Facts(l.Exit.Block()) {
		if t != flow.TruthOf(flow.IsBool(v.Type())) {
			continue // zero
		}
		if field := loadedField(v, fn.Params[0]); field != nil && setOnlyIn(pkg, field, fn) {
			return calledOnce(pkg, fn)
		}
	}
	return false
}

// loadedField is the field of the object recv that v was loaded from; nil for other values.
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

// setOnlyIn reports whether nobody but fn does anything with the field than to read it, and to empty it.
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

// calledOnce reports whether all that the package does with the method fn is to call it, each time on an object that has just been made for that.
func calledOnce(pkg *program.Program, fn *ssa.Function) bool {
	calls := pkg.Callers(fn)
	on := map[ssa.Value]bool{}
	for _, call := range calls {
		recv := flow.Recv(call.Common())
		object := flow.Resolve(recv)
		made, ok := object.(ssa.Instruction)
		if !ok || on[object] || !isNew(pkg, object) || !flow.Dominates(made, call) || flow.Reaches(call, call, func(in ssa.Instruction) bool { return in == made }) {
			return false
		}
		on[object] = true
	}
	return len(calls) > 0 && len(pkg.Origins().Callers(fn)) == len(calls) && !pkg.IsValue(fn)
}

// isNew reports whether v is an object that is made where it stands: by a literal, or by a function of the package that gives one that it makes.
func isNew(pkg *program.Program, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Call:
		maker := pkg.Callee(&v.Call)
		if maker == nil || maker.Signature.Results().Len() != 1 {
			return false
		}
		for ret := range flow.Returns(maker) {
			if _, ok := flow.Resolve(ret.Results[0]).(*ssa.Alloc); !ok {
				return false
			}
		}
		return len(maker.Blocks) > 0
	}
	return false
}
