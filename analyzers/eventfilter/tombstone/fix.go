package tombstone

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// fixes returns the fix of p: another key function, the value type instead of the pointer type in an assertion, or
// code that unwraps the tombstone at the start of the function. It returns none if the result might not compile.
func (t *tombstones) fixes(p problem) []analysis.SuggestedFix {
	file := rule.FileAt(t.pass, p.pos)
	if file == nil {
		return nil
	}
	switch {
	case p.noSafeFix:
		return nil
	case p.instead != "":
		return t.otherName(p)
	case p.fn != nil:
		return t.unwrapFirst(file, p)
	}
	return t.byValue(file, p)
}

// withWrapped adds to fixes, those of a filter, the fixes of the handler that it wraps, which gets tombstones once the
// filter lets them through. It returns none if the wrapped handler mishandles them and has no single fix.
func (t *tombstones) withWrapped(fixes []analysis.SuggestedFix, wrapped *kubeapi.Handler) []analysis.SuggestedFix {
	if len(fixes) == 0 || wrapped == nil {
		return fixes
	}
	for _, fn := range wrapped.Deleted.Fns {
		obj := lastAny(fn)
		if obj == nil {
			continue
		}
		problems := t.follow(fn, obj, true).problems
		if len(problems) == 0 {
			continue
		}
		more := t.fixes(problems[0])
		if len(more) == 0 || len(problems) > 1 {
			return nil
		}
		fixes[0].TextEdits = append(fixes[0].TextEdits, more[0].TextEdits...)
	}
	return fixes
}

// otherName returns the fix that calls p.instead, of the same package and type as the function called at p.pos.
func (t *tombstones) otherName(p problem) []analysis.SuggestedFix {
	call := t.pkg.Call(p.pos)
	if call == nil {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	edit := analysis.TextEdit{Pos: sel.Sel.Pos(), End: sel.Sel.End(), NewText: []byte(p.instead)}
	return []analysis.SuggestedFix{{Message: "Use " + p.instead, TextEdits: []analysis.TextEdit{edit}}}
}

// byValue returns the fix that asserts the value type instead of the pointer type, if only fields of the result are
// used.
func (t *tombstones) byValue(file *ast.File, p problem) []analysis.SuggestedFix {
	var star *ast.StarExpr
	var result types.Object
	if n := rule.Innermost[*ast.AssignStmt](t.pass, p.pos); n != nil && len(n.Rhs) == 1 {
		if a, ok := ast.Unparen(n.Rhs[0]).(*ast.TypeAssertExpr); ok && a.Lparen == p.pos {
			star, _ = a.Type.(*ast.StarExpr)
			if id, ok := n.Lhs[0].(*ast.Ident); ok {
				result = t.pass.TypesInfo.Defs[id]
			}
		}
	}
	if star == nil || result == nil {
		return nil
	}
	fields, uses := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && t.pass.TypesInfo.Uses[id] == result {
				fields++
			}
		case *ast.Ident:
			if t.pass.TypesInfo.Uses[n] == result {
				uses++
			}
		}
		return true
	})
	if fields != uses {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "Assert the value type",
		TextEdits: []analysis.TextEdit{{Pos: star.Pos(), End: star.X.Pos()}},
	}}
}

// unwrapFirst returns the fix that starts the function of p with an assertion of the parameter to the tombstone, and
// replaces the parameter by the object in it.
func (t *tombstones) unwrapFirst(file *ast.File, p problem) []analysis.SuggestedFix {
	param, ok := p.obj.(*ssa.Parameter)
	if !ok || !kubeapi.IsAny(param.Type()) || param.Name() == "" || param.Name() == "_" || param.Parent() != p.fn {
		return nil
	}
	var body *ast.BlockStmt
	switch n := p.fn.Syntax().(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	if body == nil || rule.FileAt(t.pass, body.Pos()) != file {
		return nil
	}
	pkg := t.importName(file)
	if pkg == "" {
		return nil
	}
	if _, ok := rule.ObjectAt(t.pass, body.Lbrace+1, pkg).(*types.PkgName); !ok {
		return nil // shadowed
	}
	text := fmt.Sprintf("\nif tombstone, ok := %s.(%s.DeletedFinalStateUnknown); ok {\n%s = tombstone.Obj\n}\n", param.Name(), pkg, param.Name())
	return []analysis.SuggestedFix{{
		Message:   "Unwrap the tombstone",
		TextEdits: []analysis.TextEdit{{Pos: body.Lbrace + 1, End: body.Lbrace + 1, NewText: []byte(text)}},
	}}
}

// importName returns the name under which file imports client-go's cache package, "" if it does not.
func (t *tombstones) importName(file *ast.File) string {
	for _, spec := range file.Imports {
		if name := t.pass.TypesInfo.PkgNameOf(spec); name != nil && kubeapi.SamePackage(name.Imported().Path(), kubeapi.Cache) &&
			name.Name() != "." && name.Name() != "_" {
			return name.Name()
		}
	}
	return ""
}
