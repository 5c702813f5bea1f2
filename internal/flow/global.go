package flow

import (
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Functions yields the functions of pkg that have bodies: those that are declared, methods among them, the initialiser, and
// the literals in all of these. The order is not that of the source.
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

// Initial is what the package variable g is set to where it is declared; nil where g is of another package, or anything
// in its own may change it: another store, to a part of it too, or whoever gets its address.
func Initial(g *ssa.Global) ssa.Value {
	if g.Pkg == nil || g.Pkg.Func("init") == nil {
		return nil
	}
	declared := g.Pkg.Func("init") // a method may have that name, too
	var found ssa.Value
	for fn := range Functions(g.Pkg) {
		for in := range Instrs(fn) {
			for _, op := range in.Operands(nil) {
				if *op != ssa.Value(g) {
					continue
				}
				switch in := in.(type) {
				case *ssa.UnOp:
				case *ssa.FieldAddr, *ssa.IndexAddr:
					if mayWrite(in.(ssa.Value)) {
						return nil
					}
				case *ssa.Store:
					if in.Addr != ssa.Value(g) || found != nil || fn != declared {
						return nil
					}
					found = in.Val
				default:
					return nil
				}
			}
		}
	}
	return found
}
