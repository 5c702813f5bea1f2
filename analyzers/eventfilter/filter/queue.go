package filter

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// queuesItself reports whether fn puts the name of the object that it is given into a queue, not that of another one.
func queuesItself(pkg *program.Program, fn *ssa.Function) bool {
	return flow.Any(handed(pkg, fn), func(f *ssa.Function) bool {
		return flow.Any(flow.InstrsOf[ssa.CallInstruction](f), func(c ssa.CallInstruction) bool {
			if pkg.Callee(c.Common()) != nil {
				return false
			}
			callee := flow.Callee(c.Common())
			return callee != nil && kubeapi.QueueOp(callee.Name()).Adds() &&
				slices.ContainsFunc(flow.Args(c.Common()), namesObject)
		})
	})
}

// handed yields fn, which is given an object, and the functions of this package that it hands that to.
func handed(pkg *program.Program, fn *ssa.Function) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		fns := []*ssa.Function{fn}
		for i := 0; i < len(fns) && yield(fns[i]); i++ {
			for c := range flow.Calls(fns[i]) {
				own := pkg.Callee(c.Common())
				if own != nil && !slices.Contains(fns, own) && slices.ContainsFunc(flow.AllArgs(c.Common()), func(a ssa.Value) bool { return mayBeObject(a.Type()) && derivesFromParam(a) }) {
					fns = append(fns, own)
				}
			}
		}
	}
}

// derivesFromParam reports whether v may be an object that the function was given, or a version in its event.
func derivesFromParam(v ssa.Value) bool {
	work := values.From(v)
	for v := range work.Resolved() {
		switch x := v.(type) {
		case *ssa.Parameter:
			return true
		case *ssa.Extract, *ssa.TypeAssert, *ssa.Field, *ssa.UnOp, *ssa.FieldAddr:
			work.Add(values.Operands(v)...)
		case *ssa.Alloc:
			work.Add(flow.StoredOnce(x))
		}
	}
	return false
}

// namesObject reports whether v is made from the name of an object that its function was given.
func namesObject(v ssa.Value) bool {
	work := values.From(v)
	return flow.Any(work.All(), func(v ssa.Value) bool {
		var object ssa.Value
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if kubeapi.MetadataField(x) == kubeapi.MetaName {
				object = kubeapi.MetadataOwner(x.X)
			}
		case *ssa.Call:
			args := flow.AllArgs(&x.Call)
			switch callee := flow.Callee(&x.Call); {
			case kubeapi.GetterOf(callee) == kubeapi.MetaName:
				object = kubeapi.MetadataOwner(args[0])
			case kubeapi.MakesKey(callee):
				object = args[len(args)-1]
			default:
				work.Add(args...)
			}
		default:
			work.Add(values.Operands(v)...)
		}
		return object != nil && derivesFromParam(object)
	})
}
