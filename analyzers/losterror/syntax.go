package losterror

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// errorExpr returns the expression that ret returns as its error; nil where it has none of its own.
func (c *checker) errorExpr(ret *ssa.Return) ast.Expr {
	stmt := rule.Innermost[*ast.ReturnStmt](c.pass, ret.Pos())
	if stmt == nil || len(stmt.Results) != len(ret.Results) {
		return nil
	}
	return ast.Unparen(stmt.Results[len(stmt.Results)-1])
}

// assigned returns the variable to which the error of call is assigned; nil where there is none.
func (c *checker) assigned(call *ssa.Call) *types.Var {
	for _, n := range rule.Enclosing(c.pass, call.Pos()) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || ast.Unparen(assign.Rhs[0]) != ast.Expr(c.pkg.Call(call.Pos())) {
			continue
		}
		id, _ := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
		v, _ := c.pass.TypesInfo.ObjectOf(id).(*types.Var)
		return v
	}
	return nil
}

// replacement returns the fix that replaces name, which is returned at the end of a path from call, by the variable to
// which the error of call is assigned; none where that is not in scope.
func (c *checker) replacement(call *ssa.Call, name *ast.Ident) []analysis.SuggestedFix {
	v := c.assigned(call)
	if v == nil || rule.ObjectAt(c.pass, name.Pos(), v.Name()) != v {
		return nil
	}
	edit := analysis.TextEdit{Pos: name.Pos(), End: name.End(), NewText: []byte(v.Name())}
	return []analysis.SuggestedFix{{Message: "Return " + v.Name(), TextEdits: []analysis.TextEdit{edit}}}
}

// nameOf returns the name of the function of call for a message.
func (c *checker) nameOf(call *ssa.Call) string {
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return c.pkg.Spelled(call.Pos())
	}
	if r, ok := kubeapi.RequestOf(&call.Call); ok && r.Status && !kubeapi.TakesOptions(fn.Signature()) {
		return kubeapi.Status + "()." + fn.Name()
	}
	return fn.Name()
}
