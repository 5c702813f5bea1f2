package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// pointers reports == and != between two fields that are pointers to numbers, text, times or quantities: addresses
// differ for two objects, whatever they point to. It goes by the syntax and types of one function, without data flow. A
// function that dereferences an operand anywhere, by its spelling, is left alone: equal addresses are a quick way to
// say yes. So is a comparison that decides about logs and metrics alone.
func pointers(pass *analysis.Pass) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			derefs := map[string]bool{}
			var found []*ast.BinaryExpr
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.StarExpr:
					derefs[types.ExprString(n.X)] = true
				case *ast.BinaryExpr:
					if comparesAddresses(pass.TypesInfo, n) && rule.Wanted(pass, n.OpPos) && !decidesOnLogs(pass, n) {
						found = append(found, n)
					}
				}
				return true
			})
			found = slices.DeleteFunc(found, func(bin *ast.BinaryExpr) bool {
				return derefs[types.ExprString(bin.X)] || derefs[types.ExprString(bin.Y)]
			})
			if len(found) > 0 {
				reportPointers(pass, found)
			}
		}
	}
}

// reportPointers reports the comparisons of one function at the first of them.
func reportPointers(pass *analysis.Pass, found []*ast.BinaryExpr) {
	f := rule.Finding{Pos: found[0].Pos(), End: found[0].End(), Sub: "pointer", Site: "compared-addresses"}
	f.Message = fmt.Sprintf("%s and %s are pointers: %s compares their addresses, not what they point to; use ptr.Equal",
		types.ExprString(found[0].X), types.ExprString(found[0].Y), found[0].Op)
	var edits []analysis.TextEdit
	for i, bin := range found {
		if i > 0 {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: bin.Pos(), Message: "these are compared by their addresses, too"})
		}
		if call := equalCall(pass, bin, types.ExprString(bin.X), types.ExprString(bin.Y)); call != "" {
			if bin.Op == token.NEQ {
				call = "!" + call
			}
			edits = append(edits, analysis.TextEdit{Pos: bin.Pos(), End: bin.End(), NewText: []byte(call)})
		}
	}
	if len(edits) == len(found) {
		f.Fixes = []analysis.SuggestedFix{{Message: "compare what they point to", TextEdits: edits}}
	}
	rule.Report(pass, f)
}

// equalCall returns a call that compares what x and y point to; "" where none is in scope.
func equalCall(pass *analysis.Pass, bin *ast.BinaryExpr, x, y string) string {
	if m := kubeapi.Method(pass.TypesInfo.TypeOf(bin.X), "Equal"); m != nil && types.Identical(m.Signature().Params().At(0).Type(), pass.TypesInfo.TypeOf(bin.Y)) {
		return x + ".Equal(" + y + ")"
	}
	if pkg, ok := rule.ObjectAt(pass, bin.Pos(), "ptr").(*types.PkgName); ok && pkg.Imported().Path() == kubeapi.Pointers {
		return "ptr.Equal(" + x + ", " + y + ")"
	}
	return ""
}

// comparesAddresses reports whether bin compares two fields that are pointers to values without identity.
func comparesAddresses(info *types.Info, bin *ast.BinaryExpr) bool {
	if bin.Op != token.EQL && bin.Op != token.NEQ || types.ExprString(bin.X) == types.ExprString(bin.Y) {
		return false
	}
	for _, e := range []ast.Expr{bin.X, bin.Y} {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || info.Selections[sel] == nil || info.Selections[sel].Kind() != types.FieldVal || sel.Sel.Name == string(kubeapi.MetaDeletionTimestamp) {
			return false
		}
		p, ok := info.TypeOf(e).Underlying().(*types.Pointer)
		if _, basic := flow.Pointee(info.TypeOf(e)).Underlying().(*types.Basic); !ok || !basic && !kubeapi.IsTimeOrQuantity(p.Elem()) {
			return false
		}
	}
	return true
}

// decidesOnLogs reports whether bin is in the condition of an if statement that does no more than to log and count.
func decidesOnLogs(pass *analysis.Pass, bin *ast.BinaryExpr) bool {
	branch := rule.Innermost[*ast.IfStmt](pass, bin.Pos())
	if branch == nil || branch.Else != nil || bin.Pos() < branch.Cond.Pos() || bin.End() > branch.Cond.End() {
		return false
	}
	observes := true
	ast.Inspect(branch.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				fn, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
				observes = observes && kubeapi.Observes(fn)
			} else {
				observes = false
			}
		case *ast.AssignStmt:
			observes = observes && n.Tok == token.DEFINE
		case *ast.BlockStmt, *ast.IfStmt:
		case ast.Stmt:
			observes = false
		}
		return observes
	})
	return observes
}
