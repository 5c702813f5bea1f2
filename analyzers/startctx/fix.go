package startctx

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// called spells the function or method of call as the source does.
func (c *checker) called(call ssa.CallInstruction) string {
	for _, n := range rule.Enclosing(c.pass, call.Pos()) {
		var made *ast.CallExpr
		switch n := n.(type) {
		case *ast.CallExpr:
			made = n
		case *ast.GoStmt:
			made = n.Call
		case *ast.DeferStmt:
			made = n.Call
		default:
			continue
		}
		if _, literal := ast.Unparen(made.Fun).(*ast.FuncLit); !literal {
			return types.ExprString(made.Fun)
		}
		break
	}
	if callee := flow.Callee(call.Common()); callee != nil {
		return flow.ObjectName(callee)
	}
	return "a function"
}

// leaveFix lets the case of a select at pos return from fn. It is offered where nothing comes after the loop, so that a
// return is all that leaving the loop can mean, and where it is known what to return.
func (c *checker) leaveFix(fn *ssa.Function, pos token.Pos) []analysis.SuggestedFix {
	var clause *ast.CommClause
	var loop ast.Stmt
	var body *ast.BlockStmt // of the function
	for _, n := range rule.Enclosing(c.pass, pos) {
		switch n := n.(type) {
		case *ast.CommClause:
			if clause == nil {
				clause = n
			}
		case *ast.ForStmt:
			if loop != nil || n.Cond != nil {
				return nil // a loop in a loop, or one that has an end of its own
			}
			loop = n
		case *ast.RangeStmt:
			return nil
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		if body != nil {
			break
		}
	}
	if clause == nil || loop == nil || body == nil || !isLast(body, loop) {
		return nil
	}
	text, ok := c.returnText(fn, clause)
	if !ok {
		return nil
	}
	end := c.lineEnd(clause.Colon)
	edit := analysis.TextEdit{Pos: end, End: end, NewText: []byte("\n" + text)}
	if n := len(clause.Body); n > 0 {
		last := clause.Body[n-1]
		edit.Pos = c.lineEnd(last.End())
		edit.End = edit.Pos
		if b, ok := last.(*ast.BranchStmt); ok {
			if b.Label != nil {
				return nil
			}
			edit.Pos, edit.End, edit.NewText = b.Pos(), b.End(), []byte(text)
		}
	}
	return []analysis.SuggestedFix{{Message: "Return in this case", TextEdits: []analysis.TextEdit{edit}}}
}

// lineEnd is the end of the line of pos, behind its comment.
func (c *checker) lineEnd(pos token.Pos) token.Pos {
	file := c.pass.Fset.File(pos)
	if line := file.PositionFor(pos, false).Line; line < file.LineCount() { // a line directive changes Line, not LineStart
		return file.LineStart(line+1) - 1
	}
	return pos + 1
}

// isLast reports whether s is the last statement of body, labelled or not.
func isLast(body *ast.BlockStmt, s ast.Stmt) bool {
	last := body.List[len(body.List)-1]
	if l, ok := last.(*ast.LabeledStmt); ok {
		last = l.Stmt
	}
	return last == s
}

// returnText is the return statement for the end of the context in clause: a Runnable that stops when it is asked to
// has not failed, any other function tells its caller why.
func (c *checker) returnText(fn *ssa.Function, clause *ast.CommClause) (string, bool) {
	switch {
	case fn.Signature.Results().Len() == 0:
		return "return", true
	case flow.ErrorResult(fn.Signature) != 0 || fn.Signature.Results().At(0).Name() != "":
		return "", false
	case kubeapi.Starts(fn.Name()):
		return "return nil", true
	}
	recv, ok := clause.Comm.(*ast.ExprStmt)
	if !ok {
		return "", false
	}
	if arrow, ok := ast.Unparen(recv.X).(*ast.UnaryExpr); ok {
		if call, ok := ast.Unparen(arrow.X).(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && kubeapi.IsContext(c.pass.TypesInfo.TypeOf(sel.X)) {
				if id, ok := sel.X.(*ast.Ident); ok {
					return "return " + id.Name + ".Err()", true
				}
			}
		}
	}
	return "", false
}
