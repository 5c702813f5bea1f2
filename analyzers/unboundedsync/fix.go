package unboundedsync

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kube"
)

// file is the syntax of the file at pos.
func (c *checker) file(pos token.Pos) *ast.File {
	for _, f := range c.pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// checkResult is the fix of a wait whose result is thrown away, a statement by itself in a function whose last result is
// an error: the function returns one where the caches did not sync.
func (c *checker) checkResult(call *ssa.Call) []analysis.SuggestedFix {
	x := c.pkg.Call(call.Pos())
	f := c.file(call.Pos())
	if x == nil || f == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(f, x.Pos(), x.End())
	stmt := statement(path, x)
	res := call.Parent().Signature.Results()
	if stmt == nil || res.Len() == 0 || !types.Identical(res.At(res.Len()-1).Type(), types.Universe.Lookup("error").Type()) {
		return nil
	}
	ret := "return "
	for i := range res.Len() - 1 {
		zero, ok := c.zero(res.At(i).Type(), f)
		if !ok {
			return nil
		}
		ret += zero + ", "
	}
	pkg, add, ok := c.errorsPackage(f, x.Pos())
	if !ok {
		return nil
	}
	newError := map[string]string{"fmt": "Errorf"}[pkg.path]
	if newError == "" {
		newError = "New"
	}
	ret += fmt.Sprintf("%s.%s(%q)", pkg.name, newError, "caches did not sync")
	indent := c.indent(stmt)
	var src bytes.Buffer
	if err := printer.Fprint(&src, c.pass.Fset, x); err != nil || strings.Contains(src.String(), "\n") {
		return nil // spread over lines: its own text stays, and the rest goes around it
	}
	var text string
	switch call.Type().Underlying().(type) {
	case *types.Basic:
		text = fmt.Sprintf("if !%s {\n%s\t%s\n%s}", src.String(), indent, ret, indent)
	case *types.Map:
		text = fmt.Sprintf("for _, ok := range %s {\n%s\tif !ok {\n%s\t\t%s\n%s\t}\n%s}", src.String(), indent, indent, ret, indent, indent)
	default:
		return nil
	}
	edits := []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End(), NewText: []byte(text)}}
	if add != nil {
		edits = append([]analysis.TextEdit{*add}, edits...)
	}
	return []analysis.SuggestedFix{{Message: "Return an error where the caches did not sync", TextEdits: edits}}
}

// statement is the statement that is x alone, possibly assigned to the blank identifier.
func statement(path []ast.Node, x *ast.CallExpr) ast.Stmt {
	for i, n := range path {
		if n != ast.Node(x) || i+2 >= len(path) {
			continue
		}
		if _, ok := path[i+2].(*ast.BlockStmt); !ok {
			return nil
		}
		switch s := path[i+1].(type) {
		case *ast.ExprStmt:
			return s
		case *ast.AssignStmt:
			if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 && id.Name == "_" {
				return s
			}
		}
	}
	return nil
}

// zero is how f spells the zero value of t.
func (c *checker) zero(t types.Type, f *ast.File) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Chan, *types.Signature:
		return "nil", true
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Struct:
		var obj *types.TypeName // as the source names it
		switch n := t.(type) {
		case *types.Alias:
			obj = n.Obj()
		case *types.Named:
			obj = n.Obj()
		}
		if n := kube.Named(t); obj == nil || n == nil || n.TypeParams().Len() > 0 {
			return "", false
		}
		if obj.Pkg() == c.pass.Pkg {
			return obj.Name() + "{}", true
		}
		for _, im := range f.Imports {
			if strings.Trim(im.Path.Value, `"`) == obj.Pkg().Path() {
				name := obj.Pkg().Name()
				if im.Name != nil {
					name = im.Name.Name
				}
				return name + "." + obj.Name() + "{}", name != "." && name != "_"
			}
		}
	}
	return "", false
}

type importedAs struct{ path, name string }

// errorsPackage is the package that f makes errors with at pos, errors or fmt, and the edit that imports it where f has
// neither.
func (c *checker) errorsPackage(f *ast.File, pos token.Pos) (importedAs, *analysis.TextEdit, bool) {
	scope := c.pass.Pkg.Scope().Innermost(pos)
	for _, path := range []string{"errors", "fmt"} {
		for _, im := range f.Imports {
			if strings.Trim(im.Path.Value, `"`) != path {
				continue
			}
			name := path
			if im.Name != nil {
				name = im.Name.Name
			}
			if _, obj := scope.LookupParent(name, pos); obj != nil {
				if p, ok := obj.(*types.PkgName); ok && p.Imported().Path() == path {
					return importedAs{path, name}, nil, true
				}
			}
		}
	}
	for _, path := range []string{"errors", "fmt"} {
		if _, obj := scope.LookupParent(path, pos); obj != nil {
			continue // the name means something else there
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.IMPORT {
				continue
			}
			if g.Lparen.IsValid() {
				return importedAs{path, path}, &analysis.TextEdit{Pos: g.Lparen + 1, End: g.Lparen + 1, NewText: []byte("\n\t\"" + path + "\"")}, true
			}
			return importedAs{path, path}, &analysis.TextEdit{Pos: g.Pos(), End: g.Pos(), NewText: []byte("import \"" + path + "\"\n")}, true
		}
	}
	return importedAs{}, nil, false
}

// indent is the white space in front of stmt.
func (c *checker) indent(stmt ast.Stmt) string {
	return strings.Repeat("\t", max(0, c.pass.Fset.Position(stmt.Pos()).Column-1))
}
