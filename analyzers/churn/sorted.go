package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// sortedLoop returns the edits by which the range statement of next goes over the sorted keys of its map; nil where the
// result might not compile, or might do more than change the order.
func sortedLoop(pass *analysis.Pass, next *ssa.Next) []analysis.TextEdit {
	loop := rule.Innermost[*ast.RangeStmt](pass, next.Iter.Pos())
	if loop == nil || loop.Tok != token.DEFINE || flow.LoopOf(next.Block()).MayChange(flow.PathOf(next.Iter.(*ssa.Range).X)) {
		return nil
	}
	x, key, value := types.ExprString(loop.X), types.ExprString(loop.Key), types.ExprString(loop.Value)
	if key == "_" && rule.ObjectAt(pass, loop.For, "key") == nil {
		key = "key"
	}
	table, ok := pass.TypesInfo.TypeOf(loop.X).Underlying().(*types.Map)
	edits, can := rule.Imports(pass, loop.For, "go1.23", "maps", "slices")
	root, _, _ := strings.Cut(x, ".")
	if !ok || !can || !ordered(table.Key()) || strings.ContainsAny(x, "([{*<") || key == "_" || key == root || value == root || pass.TypesInfo.Scopes[loop.Body].Lookup(value) != nil {
		return nil
	}
	edits = append(edits, analysis.TextEdit{Pos: loop.Key.Pos(), End: loop.X.End(), NewText: fmt.Appendf(nil, "_, %s := range slices.Sorted(maps.Keys(%s))", key, x)})
	if first := loop.Body.List[0].Pos(); loop.Value != nil && value != "_" {
		edits = append(edits, analysis.TextEdit{Pos: first, End: first, NewText: fmt.Appendf(nil, "%s := %s[%s]\n", value, x, key)})
	}
	return edits
}

// sortedCall returns the edits by which slices.Collect, the only use of the iterator that call returns, sorts; nil
// where there is none.
func (m *mapOrder) sortedCall(call *ssa.Call) []analysis.TextEdit {
	for c := range flow.Referrers[*ssa.Call](call) {
		if len(*call.Referrers()) == 1 && (kubeapi.Symbol{Pkg: "slices", Name: "Collect"}).Is(flow.Callee(&c.Call)) && ordered(c.Type().Underlying().(*types.Slice).Elem()) {
			if sel, ok := m.p.Call(c.Pos()).Fun.(*ast.SelectorExpr); ok {
				return []analysis.TextEdit{{Pos: sel.Pos(), End: sel.End(), NewText: fmt.Appendf(nil, "%s.Sorted", types.ExprString(sel.X))}}
			}
		}
	}
	return nil
}

// ordered reports whether < orders all values of t, which it does not for floats.
func ordered(t types.Type) bool { return flow.IsInteger(t) || flow.IsString(t) }
