package filter

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// queuesItself reports whether fn puts the name of the object that it is given into a queue, not that of another one.
func queuesItself(pkg *program.Program, fn *ssa.Function) bool {
	for f := range handed(pkg, fn) {
		for in := range flow.Instrs(f) {
			c, ok := in.(ssa.CallInstruction)
			if !ok || pkg.Callee(c.Common()) != nil {
				continue
			}
			callee := flow.Callee(c.Common())
			if callee != nil && slices.Contains([]string{"Add", "AddAfter", "AddRateLimited"}, callee.Name()) &&
				slices.ContainsFunc(flow.Args(c.Common()), func(a ssa.Value) bool { return namesObject(a, map[ssa.Value]bool{}) }) {
				return true
			}
		}
	}
	return false
}

// handed yields fn, which is given an object, and the functions of this package that it hands that to.
func handed(pkg *program.Program, fn *ssa.Function) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		fns := []*ssa.Function{fn}
		for i := 0; i < len(fns) && yield(fns[i]); i++ {
			flow.Calls(fns[i], func(c ssa.CallInstruction) {
				own := pkg.Callee(c.Common())
				if own != nil && !slices.Contains(fns, own) && slices.ContainsFunc(flow.AllArgs(c.Common()), func(a ssa.Value) bool { return mayBeObject(a.Type()) && derivesFromParam(a) }) {
					fns = append(fns, own)
				}
			})
		}
	}
}

// derivesFromParam reports whether v is an object that the function was given, or a version in its event.
func derivesFromParam(v ssa.Value) bool {
	for seen := map[ssa.Value]bool{}; v != nil && !seen[v]; {
		seen[v] = true
		v = flow.Resolve(v)
		switch x := v.(type) {
		case *ssa.Parameter:
			return true
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Alloc:
			v = flow.StoredOnce(x)
		default:
			return false
		}
	}
	return false
}

// namesObject reports whether v is made from the name of an object that its function was given.
func namesObject(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return kubeapi.MetadataField(x) == "Name" && derivesFromParam(kubeapi.MetadataOwner(x.X))
	case *ssa.Call:
		callee := flow.Callee(&x.Call)
		if callee == nil {
			return false
		}
		args := flow.AllArgs(&x.Call)
		switch name := callee.Name(); {
		case name == "GetName" && len(args) == 1:
			return derivesFromParam(kubeapi.MetadataOwner(args[0]))
		case name == "ObjectKeyFromObject", name == "KeyFunc", slices.Contains(keyFuncs, name):
			return len(args) > 0 && derivesFromParam(args[len(args)-1])
		}
	case *ssa.Alloc:
		for in := range flow.Instrs(x.Parent()) {
			if st, ok := in.(*ssa.Store); ok && flow.Base(st.Addr) == v && namesObject(st.Val, seen) {
				return true
			}
		}
		return false
	}
	in, ok := v.(ssa.Instruction)
	return ok && slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op != nil && namesObject(*op, seen) })
}

// keyFuncs are the functions of client-go's cache that take objects and keys apart.
var keyFuncs = []string{
	"MetaNamespaceKeyFunc", "DeletionHandlingMetaNamespaceKeyFunc", "ObjectToName", "DeletionHandlingObjectToName", "SplitMetaNamespaceKey", "MetaObjectToName",
}
