package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/words"
)

// finalizers finds where the finalizers of objects are removed.
type finalizers struct {
	pkg  *program.Program
	fact func(*types.Func) *accessSummary
	memo program.Answers[parameter, bool]
}

// exported are the parameters of fn of which it removes finalizers.
func (f *finalizers) exported(fn *ssa.Function) (params []int) {
	for i, p := range fn.Params {
		if kubeapi.IsObject(p.Type()) && f.removes(parameter{fn, i}) {
			params = append(params, i)
		}
	}
	return params
}

// removedOf are the objects of which the instruction removes a finalizer, where that is not seen in a function of this package
// which it hands an object to as what it is.
func (f *finalizers) removedOf(in ssa.Instruction) []ssa.Value {
	own := (*ssa.Function)(nil)
	if c, ok := in.(ssa.CallInstruction); ok {
		own = f.pkg.Callee(c.Common())
	}
	var out []ssa.Value
	for i, v := range f.of(in) {
		if v != nil && !element(v) && (own == nil || types.IsInterface(own.Params[i].Type())) {
			out = append(out, v)
		}
	}
	return out
}

// of are the objects of which the instruction removes a finalizer: of a call, by the index of the argument.
func (f *finalizers) of(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		if fa, ok := in.Addr.(*ssa.FieldAddr); ok && kubeapi.MetadataField(fa) == kubeapi.MetaFinalizers && !addsFinalizer(in.Val) {
			return []ssa.Value{kubeapi.MetadataOwner(fa.X)}
		}
	case ssa.CallInstruction:
		args := slices.Clone(flow.AllArgs(in.Common()))
		own, callee := f.pkg.Callee(in.Common()), flow.Callee(in.Common())
		for i, a := range args {
			if own != nil && !f.removes(parameter{own, i}) || own == nil && !f.unseen(callee, i, args) {
				args[i] = nil
			} else {
				args[i] = kubeapi.MetadataOwner(a)
			}
		}
		return args
	}
	return nil
}

// removes reports whether a function removes a finalizer of the object that it is given as this parameter.
func (f *finalizers) removes(p parameter) bool {
	if p.i >= len(p.fn.Params) || !kubeapi.IsObject(p.fn.Params[p.i].Type()) {
		return false
	}
	return f.memo.Ask(p, false, func() bool {
		return flow.Any(flow.Instrs(p.fn), func(in ssa.Instruction) bool {
			return slices.ContainsFunc(f.of(in), func(v ssa.Value) bool {
				return v != nil && flow.Resolve(v) == ssa.Value(p.fn.Params[p.i])
			})
		})
	})
}

// unseen reports whether fn, whose body is not in sight, removes a finalizer of its argument i.
func (f *finalizers) unseen(fn *types.Func, i int, args []ssa.Value) bool {
	if fn == nil {
		return false
	}
	if fact := f.fact(fn); fact != nil {
		return slices.Contains(fact.Frees, i)
	}
	if kubeapi.SetterOf(fn) == kubeapi.MetaFinalizers {
		return i == 0 && len(args) == 2 && !addsFinalizer(args[1])
	}
	return words.Has(fn.Name(), "finalizer", "finalizers") && words.Has(fn.Name(), "remove", "drop", "clear", "delete", "strip")
}

// addsFinalizer reports whether v is the finalizers of an object with others appended to them.
func addsFinalizer(v ssa.Value) bool {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		return false
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" {
		return false
	}
	field, _ := kubeapi.MetaRead(flow.Resolve(call.Call.Args[0]))
	return field == kubeapi.MetaFinalizers
}
