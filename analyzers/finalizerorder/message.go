package finalizerorder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// nameOf is what the source calls the object of e, where the source has a plain name for it: an argument of the call,
// what the method is called on, what the field is one of.
func nameOf(pass *analysis.Pass, e event) string {
	name := e.obj.path.String()
	if root := e.obj.path.Root; root != nil && e.obj.path.Sel == "" && flow.IsString(root.Type()) {
		kind := "object"
		if named := kubeapi.Named(e.obj.typ); e.obj.typ != nil && named != nil && !types.IsInterface(named) {
			kind = named.Obj().Name()
		}
		name = fmt.Sprintf("the %s called %s", kind, name)
	}
	if n := nameAt(pass, e.in.Pos(), "", e.obj.typ); n != "" {
		return n
	}
	if get := filledBy(e.obj); get != nil {
		return nameAt(pass, get.Pos(), name, e.obj.typ)
	}
	return name
}

// filledBy is the call that reads the object o into a place made for it, nil where there is none.
func filledBy(o object) ssa.Instruction {
	alloc, ok := o.path.Root.(*ssa.Alloc)
	if !ok || o.path.Sel != "" {
		return nil
	}
	for in := range values.Uses(alloc) {
		if c, ok := in.(*ssa.Call); ok {
			if get, ok := kubeapi.RequestOf(&c.Call); ok && get.Verb == kubeapi.VerbGet {
				return c
			}
		}
	}
	return nil
}

// nameAt is the name of the object of type t in the call or the assignment at pos, and name where it has none.
func nameAt(pass *analysis.Pass, pos token.Pos, name string, t types.Type) string {
	for _, f := range pass.Files {
		if pos < f.FileStart || f.FileEnd <= pos {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || n.End() <= pos {
				return false
			}
			switch n := n.(type) {
			case *ast.CallExpr:
				if n.Lparen == pos {
					if s := named(pass, n, t); s != "" {
						name = s
					}
				}
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					if sel, ok := lhs.(*ast.SelectorExpr); ok && kubeapi.Meta(sel.Sel.Name) == kubeapi.MetaFinalizers {
						name = plain(sel.X, name)
					}
				}
			}
			return true
		})
	}
	return name
}

// named is the name of the first object of type want among what call is made on and what it is given, of the first of any type where there is none.
func named(pass *analysis.Pass, call *ast.CallExpr, want types.Type) (name string) {
	exprs := call.Args
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		exprs = append([]ast.Expr{sel.X}, exprs...)
	}
	for _, x := range exprs {
		t := pass.TypesInfo.TypeOf(x)
		if t == nil || !kubeapi.IsObject(t) {
			continue
		}
		s := plain(x, "")
		if s != "" && want != nil && types.Identical(t, want) {
			return s
		}
		if name == "" {
			name = s
		}
	}
	return name
}

// plain spells x where it is a name or a field, and gives other otherwise.
func plain(x ast.Expr, other string) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if x.Sel.Name == kubeapi.ObjectMeta {
			return plain(x.X, other)
		}
		return types.ExprString(x)
	}
	return other
}
