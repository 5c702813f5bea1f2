package flow

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Functions yields the functions of pkg that have bodies: those that are declared, methods among them, the
// initialiser, and the literals in all of these. The order is not that of the source.
func Functions(pkg *ssa.Package) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		all := func(fn *ssa.Function) bool {
			if fn == nil || len(fn.Blocks) == 0 {
				return true
			}
			for _, f := range append(Literals(fn), fn) {
				if !yield(f) {
					return false
				}
			}
			return true
		}
		for _, m := range pkg.Members {
			switch m := m.(type) {
			case *ssa.Function:
				if !all(m) {
					return
				}
			case *ssa.Type:
				named, ok := m.Type().(*types.Named)
				for i := 0; ok && i < named.NumMethods(); i++ {
					if !all(pkg.Prog.FuncValue(named.Method(i))) {
						return
					}
				}
			}
		}
	}
}

// Initial returns the value that the package variable g is declared with; nil if g is of another package, has none,
// or may be assigned to elsewhere in its package.
func Initial(g *ssa.Global) ssa.Value {
	if g.Pkg == nil || g.Pkg.Func("init") == nil {
		return nil
	}
	declared := g.Pkg.Func("init") // a method may have that name, too
	for fn := range Functions(g.Pkg) {
		if fn != declared && Assigns(fn, g) {
			return nil
		}
	}
	var found ssa.Value
	for in := range Instrs(declared) {
		if st, ok := in.(*ssa.Store); ok && st.Addr == ssa.Value(g) && st.Val != ssa.Value(g) && found == nil {
			found = st.Val
		} else if assigns(in, g) {
			return nil
		}
	}
	return found
}

// Assigns reports whether fn may write to the package variable g or to a part of it: any use of its address but a
// load may.
func Assigns(fn *ssa.Function, g *ssa.Global) bool {
	return Any(Instrs(fn), func(in ssa.Instruction) bool { return assigns(in, g) })
}

func assigns(in ssa.Instruction, g *ssa.Global) bool {
	if !slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op == ssa.Value(g) }) {
		return false
	}
	switch in := in.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
		return false
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return mayWrite(in.(ssa.Value))
	}
	return true
}
