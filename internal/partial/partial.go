// Package partial completes packages that were type-checked despite errors, so that they can be analysed.
//
// If an import is missing or has errors, declarations and expressions lack types. An unknown type becomes one of a placeholder
// package; an unknown value becomes the result of a function of that package, whose arguments are the known values of the
// expression. So nothing seems unused, never closed or never stored to because the place that does so has no types.
//
// This is the analysis of Dagenais and Hendren, "Enabling Static Analysis for Partial Java Programs" (OOPSLA 2008), without
// inference of types.
package partial

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Path is the import path of the placeholder package.
const Path = flow.UnloadedPath

// Checked is the result of type-checking.
type Checked struct {
	Types  *types.Package
	Info   *types.Info
	Errors []types.Error
}

// Complete changes files, the syntax of a package, so that all expressions have types. Errors remain if no import
// explains them. Check type-checks the files with the placeholder package, each time anew.
func Complete(files []*ast.File, check func(unknown *types.Package) *Checked) *Checked {
	u := newUnknown()
	c := u.declared(files, check)
	if own := unexplained(files, c); len(own) > 0 {
		c.Errors = own
		return c
	}
	r := &rewriter{unknown: u, info: c.Info, known: make(map[ast.Expr]bool)}
	for _, e := range c.Errors {
		r.failures = append(r.failures, failure{pos: e.Pos, in: bodyAt(files, e.Pos)})
	}
	slices.SortFunc(r.failures, func(a, b failure) int { return int(a.pos - b.pos) })
	for _, f := range files {
		r.file(f)
	}
	if !slices.Contains(c.Types.Imports(), u.pkg) {
		c.Types.SetImports(append(c.Types.Imports(), u.pkg))
	}
	c.Errors = nil
	return c
}

// Declared is [Complete] for the declarations of files without function bodies, for importing packages, in which the
// type checker does not report invalid types. A variable or constant with an unknown initial value has no type.
func Declared(files []*ast.File, check func(unknown *types.Package) *Checked) *types.Package {
	return newUnknown().declared(files, check).Types
}

func (u *unknown) declared(files []*ast.File, check func(unknown *types.Package) *Checked) *Checked {
	c := check(u.pkg)
	for u.types(files, c.Info) {
		c = check(u.pkg)
	}
	return c
}

// Whole reports whether all types in c are known. The type checker reports no errors for uses of an imported variable
// without a type.
func (c *Checked) Whole() bool {
	for _, tv := range c.Info.Types {
		if !tv.IsBuiltin() && !Known(tv.Type) {
			return false
		}
	}
	for _, obj := range c.Info.Defs {
		if v, ok := obj.(*types.Var); ok && !Known(v.Type()) {
			return false
		}
	}
	return true
}

// unknown is the placeholder package.
type unknown struct {
	pkg   *types.Package
	value *types.Func       // returns an unknown value
	names map[string]string // of placeholder types, by expression
}

// importName is the name of the package in files.
const importName = "ctrllintUnknown"

var anyType = types.Universe.Lookup("any").Type()

func newUnknown() *unknown {
	u := &unknown{pkg: types.NewPackage(Path, "unknown"), names: make(map[string]string)}
	given := types.NewVar(token.NoPos, u.pkg, "given", types.NewSlice(anyType))
	result := types.NewVar(token.NoPos, u.pkg, "", anyType)
	u.value = types.NewFunc(token.NoPos, u.pkg, "Unknown", types.NewSignatureType(nil, nil, nil, types.NewTuple(given), types.NewTuple(result), true))
	u.pkg.Scope().Insert(u.value)
	u.pkg.MarkComplete()
	return u
}

// named returns an expression for the placeholder type of e.
func (u *unknown) named(e ast.Expr, kind string, underlying types.Type) ast.Expr {
	key := kind + types.ExprString(e)
	name, ok := u.names[key]
	if !ok {
		name = "T"
		switch e := e.(type) {
		case *ast.SelectorExpr:
			name = e.Sel.Name
		case *ast.Ident:
			name = e.Name
		}
		if !ast.IsExported(name) {
			name = "T" + name
		}
		for base, n := name, 2; u.pkg.Scope().Lookup(name) != nil; n++ {
			name = base + strconv.Itoa(n)
		}
		u.names[key] = name
		obj := types.NewTypeName(token.NoPos, u.pkg, name, nil)
		types.NewNamed(obj, underlying, nil)
		u.pkg.Scope().Insert(obj)
	}
	return &ast.SelectorExpr{X: &ast.Ident{NamePos: e.Pos(), Name: importName}, Sel: &ast.Ident{NamePos: e.Pos(), Name: name}}
}

// types replaces the unknown types in files, and reports whether there are any.
func (u *unknown) types(files []*ast.File, info *types.Info) bool {
	changed := false
	for _, f := range files {
		t := &typeRewriter{u: u, info: info}
		ast.Inspect(f, t.visit)
		if !t.changed {
			continue
		}
		changed = true
		if first, ok := f.Decls[0].(*ast.GenDecl); !ok || !isOurImport(first) {
			at := f.Name.End()
			spec := &ast.ImportSpec{
				Name: &ast.Ident{NamePos: at, Name: importName},
				Path: &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: strconv.Quote(Path)},
			}
			f.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: at, Tok: token.IMPORT, Specs: []ast.Spec{spec}}}, f.Decls...)
		}
	}
	return changed
}

func isOurImport(d *ast.GenDecl) bool {
	if d.Tok != token.IMPORT || len(d.Specs) != 1 {
		return false
	}
	spec, ok := d.Specs[0].(*ast.ImportSpec)
	return ok && spec.Name != nil && spec.Name.Name == importName
}

// typeRewriter replaces unknown types in one file.
type typeRewriter struct {
	u       *unknown
	info    *types.Info
	changed bool
}

func (t *typeRewriter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.InterfaceType:
		for _, f := range n.Methods.List {
			if len(f.Names) == 0 {
				f.Type = t.iface(f.Type, true)
			}
		}
	case *ast.FuncType:
		t.constraints(n.TypeParams)
	case *ast.TypeSpec:
		t.constraints(n.TypeParams)
		n.Type = t.typ(n.Type)
	case *ast.Field:
		n.Type = t.typ(n.Type)
	case *ast.ValueSpec:
		n.Type = t.typ(n.Type)
	case *ast.CompositeLit:
		n.Type = t.typ(n.Type)
	case *ast.TypeAssertExpr:
		n.Type = t.typ(n.Type)
	case *ast.ArrayType:
		n.Elt = t.typ(n.Elt)
	case *ast.MapType:
		n.Key, n.Value = t.typ(n.Key), t.typ(n.Value)
	case *ast.ChanType:
		n.Value = t.typ(n.Value)
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) > 0 {
			if b, ok := t.info.Uses[id].(*types.Builtin); ok && (b.Name() == "new" || b.Name() == "make") {
				n.Args[0] = t.typ(n.Args[0])
			}
		}
	case *ast.TypeSwitchStmt:
		for _, c := range n.Body.List {
			if c, ok := c.(*ast.CaseClause); ok {
				for i := range c.List {
					c.List[i] = t.typ(c.List[i])
				}
			}
		}
	}
	return true
}

// missing reports whether e is an unknown type that this package does not declare.
func (t *typeRewriter) missing(e ast.Expr) bool {
	tv, ok := t.info.Types[e]
	if !ok || Known(tv.Type) {
		return false
	}
	if id, ok := e.(*ast.Ident); ok {
		if obj, ok := t.info.Uses[id].(*types.TypeName); ok && obj.Pkg() != nil {
			return false
		}
	}
	return true
}

// typ returns the replacement of e, a type or nil.
func (t *typeRewriter) typ(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.StarExpr:
		x.X = t.typ(x.X)
	case *ast.ParenExpr:
		x.X = t.typ(x.X)
	case *ast.Ellipsis:
		x.Elt = t.typ(x.Elt)
	case *ast.IndexExpr:
		if t.missing(x.X) || t.info.Types[x.X].Type == nil {
			return t.opaque(e)
		}
		x.Index = t.typ(x.Index)
	case *ast.IndexListExpr:
		if t.missing(x.X) || t.info.Types[x.X].Type == nil {
			return t.opaque(e)
		}
		for i := range x.Indices {
			x.Indices[i] = t.typ(x.Indices[i])
		}
	case *ast.ArrayType:
		if tv := t.info.Types[x.Elt]; x.Len != nil && tv.Type != nil && Known(tv.Type) && t.missing(x) {
			return t.opaque(e) // its length is not known
		}
	case *ast.Ident, *ast.SelectorExpr:
		if t.missing(e) {
			return t.opaque(e)
		}
	}
	return e
}

// opaque returns the placeholder type for e.
func (t *typeRewriter) opaque(e ast.Expr) ast.Expr {
	t.changed = true
	field := types.NewField(token.NoPos, t.u.pkg, "unknown", anyType, false)
	return t.u.named(e, "", types.NewStruct([]*types.Var{field}, nil))
}

// iface returns the replacement of e, embedded in an interface or a constraint: an interface that no type implements
// if needed, and one that all types implement otherwise.
func (t *typeRewriter) iface(e ast.Expr, needed bool) ast.Expr {
	if !t.missing(e) {
		return e
	}
	t.changed = true
	if !needed {
		return t.u.named(e, "constraint ", types.NewInterfaceType(nil, nil).Complete())
	}
	m := types.NewFunc(token.NoPos, t.u.pkg, "unknown", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	return t.u.named(e, "interface ", types.NewInterfaceType([]*types.Func{m}, nil).Complete())
}

func (t *typeRewriter) constraints(params *ast.FieldList) {
	if params != nil {
		for _, f := range params.List {
			f.Type = t.iface(f.Type, false)
		}
	}
}

// Known reports whether t has no unknown parts, apart from the declarations of named types.
func Known(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Alias:
		return Known(types.Unalias(t))
	case *types.Named:
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Invalid {
			return false
		}
		for a := range t.TypeArgs().Types() {
			if !Known(a) {
				return false
			}
		}
	case *types.Pointer:
		return Known(t.Elem())
	case *types.Slice:
		return Known(t.Elem())
	case *types.Array:
		return t.Len() >= 0 && Known(t.Elem())
	case *types.Chan:
		return Known(t.Elem())
	case *types.Map:
		return Known(t.Key()) && Known(t.Elem())
	case *types.Signature:
		return Known(t.Params()) && Known(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if !Known(v.Type()) {
				return false
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if !Known(f.Type()) {
				return false
			}
		}
	}
	return true
}
