package requestobject

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// otherPart sends the other part of the object: c.Update for c.Status().Update, if ofStatus, and the other way round.
// There is no fix unless the client c is controller-runtime's, and the request is made without options, which have
// other types.
func (c *checker) otherPart(r request, ofStatus bool) []analysis.SuggestedFix {
	expr := c.pkg.Call(r.call.Pos())
	if expr == nil || len(expr.Args) != map[kubeapi.Verb]int{kubeapi.VerbUpdate: 2, kubeapi.VerbPatch: 3}[r.Verb] {
		return nil
	}
	method, ok := expr.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	client, needs, message := method.X, kubeapi.Status, "Send the status"
	edit := analysis.TextEdit{Pos: client.End(), End: client.End(), NewText: []byte("." + kubeapi.Status + "()")}
	if ofStatus {
		inner, _ := method.X.(*ast.CallExpr)
		if inner == nil {
			return nil
		}
		selected, _ := inner.Fun.(*ast.SelectorExpr)
		if selected == nil || selected.Sel.Name != kubeapi.Status {
			return nil
		}
		client, needs, message = selected.X, r.method(), "Send the object"
		edit = analysis.TextEdit{Pos: client.End(), End: inner.End()}
	}
	obj, _, _ := types.LookupFieldOrMethod(c.pass.TypesInfo.TypeOf(client), true, c.pass.Pkg, needs)
	if obj == nil || obj.Pkg() == nil || !kubeapi.SamePackage(obj.Pkg().Path(), kubeapi.Client) {
		return nil
	}
	return []analysis.SuggestedFix{{Message: message, TextEdits: []analysis.TextEdit{edit}}}
}

// nameOf is what the source calls the object of r.
func (c *checker) nameOf(r request) string {
	expr := c.pkg.Call(r.call.Pos())
	for i, arg := range flow.Args(&r.call.Call) {
		if arg == r.Object && expr != nil && i < len(expr.Args) {
			return strings.TrimPrefix(types.ExprString(expr.Args[i]), "&")
		}
	}
	return r.path.String()
}
