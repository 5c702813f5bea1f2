package cachemutation

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// fixes returns x = x.DeepCopy() in front of the statement that has the write e, where x is the local variable that
// is written to, and that statement lies in the block in which the later writes lie, too. It is none where something
// else may hold what x had.
func (a *mutations) fixes(r sharing.Read, e sharing.Effect, later []sharing.Effect) []analysis.SuggestedFix {
	if e.Via() != sharing.Plainly || r.How == sharing.Unmoved || e.In.Parent() != r.At.Parent() {
		return nil
	}
	ways := rule.Enclosing(a.pass, flow.Pos(e.In))
	x := a.variable(ways, e)
	if x == nil {
		return nil
	}
	stmt := statement(ways)
	if stmt == nil {
		return nil
	}
	for _, l := range later { // before them all, as only those behind the first one's block would see the copy
		if l.In.Parent() != e.In.Parent() || flow.Pos(l.In) < stmt.Pos() || !encloses(ways, stmt, flow.Pos(l.In)) {
			return nil
		}
	}
	line := a.pass.Fset.Position(stmt.Pos())
	text := fmt.Sprintf("%s = %s.DeepCopy()\n", x.Name, x.Name)
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("Deep-copy %s first (line %d)", x.Name, line.Line),
		TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte(text)}},
	}}
}

// variable returns the local variable with the object, as it stands in the expression that e writes by: x of
// x.Spec.Replicas, of f(x), and of x.SetLabels(l).
func (a *mutations) variable(ways []ast.Node, e sharing.Effect) *ast.Ident {
	var expr ast.Expr
	for _, n := range ways {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if l.Pos() <= flow.Pos(e.In) && flow.Pos(e.In) <= l.End() {
					expr = l
				}
			}
		case *ast.IncDecStmt:
			expr = n.X
		case *ast.CallExpr:
			expr = a.argument(n)
		default:
			continue
		}
		break
	}
	for expr != nil {
		switch n := expr.(type) {
		case *ast.SelectorExpr:
			expr = n.X
		case *ast.IndexExpr:
			expr = n.X
		case *ast.ParenExpr:
			expr = n.X
		case *ast.StarExpr:
			expr = n.X
		case *ast.Ident:
			if a.copies(n) {
				return n
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// argument returns the only argument, or the receiver, of call that is an object which can be copied.
func (a *mutations) argument(call *ast.CallExpr) ast.Expr {
	var found []ast.Expr
	args := call.Args
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for _, arg := range args {
		if x, ok := arg.(*ast.Ident); ok && a.copies(x) {
			found = append(found, x)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// copies reports whether x is a local variable whose DeepCopy returns what can be put into it.
func (a *mutations) copies(x *ast.Ident) bool {
	v, ok := a.pass.TypesInfo.Uses[x].(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Parent() == a.pass.Pkg.Scope() {
		return false
	}
	m := kubeapi.Method(v.Type(), kubeapi.DeepCopy)
	if _, pointer := types.Unalias(v.Type()).(*types.Pointer); !pointer || m == nil {
		return false
	}
	sig := m.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), v.Type())
}

// statement returns the innermost statement of ways that stands in a list of statements, and before which another one
// can stand.
func statement(ways []ast.Node) ast.Stmt {
	for i, n := range ways {
		stmt, ok := n.(ast.Stmt)
		if !ok || i+1 >= len(ways) {
			continue
		}
		switch ways[i+1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if _, block := stmt.(*ast.BlockStmt); !block {
				return stmt
			}
		}
	}
	return nil
}

// encloses reports whether the list of statements that stmt stands in, of ways, has pos in it.
func encloses(ways []ast.Node, stmt ast.Stmt, pos token.Pos) bool {
	i := slices.Index(ways, ast.Node(stmt))
	return i >= 0 && i+1 < len(ways) && ways[i+1].Pos() <= pos && pos < ways[i+1].End()
}
