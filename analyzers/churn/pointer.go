package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// pointers reports == and != between two fields that are pointers to numbers, text, times or quantities: they compare addresses, which
// differ for two objects, whatever they point to. A function that compares what they point to as well asks for the address first, which
// is quick. It looks at the syntax of each function alone.
func pointers(pass *analysis.Pass) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			derefs := map[string]bool{}
			ast.Inspect(decl, func(n ast.Node) bool {
				if star, ok := n.(*ast.StarExpr); ok {
					derefs[types.ExprString(star.X)] = true
				}
				return true
			})
			var found []*ast.BinaryExpr
			ast.Inspect(decl, func(n ast.Node) bool {
				if bin, ok := n.(*ast.BinaryExpr); ok && comparesAddresses(pass.TypesInfo, bin) && rule.Wanted(pass, bin.OpPos) &&
					!derefs[types.ExprString(bin.X)] && !derefs[types.ExprString(bin.Y)] {
					found = append(found, bin)
				}
				return true
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

// equalCall is a call that compares what x and y point to, "" where none is in scope.
func equalCall(pass *analysis.Pass, bin *ast.BinaryExpr, x, y string) string {
	if m := kubeapi.Method(pass.TypesInfo.TypeOf(bin.X), "Equal"); m != nil && types.Identical(m.Signature().Params().At(0).Type(), pass.TypesInfo.TypeOf(bin.Y)) {
		return x + ".Equal(" + y + ")"
	}
	if pkg, ok := objectAt(pass, bin.Pos(), "ptr").(*types.PkgName); ok && pkg.Imported().Path() == kubeapi.Pointers {
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
