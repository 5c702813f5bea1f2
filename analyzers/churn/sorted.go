package churn

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
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
	if loop == nil || loop.Tok != token.DEFINE || mayChange(next) {
		return nil
	}
	x, key, value := types.ExprString(loop.X), types.ExprString(loop.Key), types.ExprString(loop.Value)
	if key == "_" && objectAt(pass, loop.For, "key") == nil {
		key = "key"
	}
	table, ok := pass.TypesInfo.TypeOf(loop.X).Underlying().(*types.Map)
	edits, can := imports(pass, loop.For, "maps", "slices")
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

// sortedCall returns the edits by which slices.Collect, the only use of the iterator that call returns, sorts; nil where
// there is none.
func (m *mapOrder) sortedCall(call *ssa.Call) []analysis.TextEdit {
	for c := range flow.Referrers[*ssa.Call](call) {
		if len(*call.Referrers()) == 1 && (kubeapi.Symbol{Pkg: "slices", Name: "Collect"}).Is(flow.Callee(&c.Call)) && ordered(c.Type().Underlying().(*types.Slice).Elem()) {
			if sel, ok := m.p.Call(c.Pos()).Fun.(*ast.SelectorExpr); ok {
				return []analysis.TextEdit{{Pos: sel.Sel.Pos(), End: sel.Sel.End(), NewText: []byte("Sorted")}}
			}
		}
	}
	return nil
}

// ordered reports whether < orders all values of t, which it does not for floats.
func ordered(t types.Type) bool { return flow.IsInteger(t) || flow.IsString(t) }

// mayChange reports whether the loop of next assigns to its map, or to what has that in it, or passes one of them on. It
// compares access paths, and ignores what callees get in other ways.
func mayChange(next *ssa.Next) bool {
	table := flow.PathOf(next.Iter.(*ssa.Range).X)
	loops := flow.Loops(next.Parent())
	loop := loops[slices.IndexFunc(loops, func(l *flow.Loop) bool { return l.Header == next.Block() })]
	return flow.Any(loop.Instrs(), func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.Phi, *ssa.Store, *ssa.MapUpdate, *ssa.MakeClosure, ssa.CallInstruction:
			return slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool { _, has := flow.PathOf(*v).Below(table); return has })
		}
		return false
	})
}

// imports returns the edits that import the missing ones of some packages of the standard library; not ok where a name
// stands for something else at pos, or where the language is older than the packages.
func imports(pass *analysis.Pass, pos token.Pos, names ...string) (edits []analysis.TextEdit, ok bool) {
	file := rule.FileAt(pass, pos)
	group, _ := file.Decls[0].(*ast.GenDecl)
	for _, name := range names {
		obj := objectAt(pass, pos, name)
		if pkg, ok := obj.(*types.PkgName); ok && pkg.Imported().Path() == name {
			continue
		}
		if obj != nil || group == nil || group.Tok != token.IMPORT || !group.Lparen.IsValid() {
			return nil, false
		}
		edits = append(edits, analysis.TextEdit{Pos: group.Lparen + 1, End: group.Lparen + 1, NewText: []byte("\n\t\"" + name + "\"")})
	}
	return edits, version.Compare(cmp.Or(pass.TypesInfo.FileVersions[file], pass.Pkg.GoVersion()), "go1.23") >= 0
}

// objectAt returns what name stands for at pos; nil for nothing.
func objectAt(pass *analysis.Pass, pos token.Pos, name string) types.Object {
	_, obj := pass.Pkg.Scope().Innermost(pos).LookupParent(name, pos)
	return obj
}
