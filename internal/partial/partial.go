// Package partial makes what was type-checked in spite of errors whole enough to be analysed.
//
// A package that imports one which is not there, or which has errors, has declarations and expressions without a type. A type
// that is not known becomes one of another package, of which nothing is known either; a value that is not known becomes what a
// function of that package gives, and that function is given whatever the text names there and does have a type. So nothing is
// taken for a thing that nobody uses, closes or stores to because the place that does so is not understood.
//
// That is the analysis of partial programs of Dagenais and Hendren, "Enabling Static Analysis for Partial Java Programs"
// (OOPSLA 2008), without their inference: what touches an unknown type is left alone.
package partial

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Path is the import path of the package that stands for all that is not known.
const Path = flow.UnloadedPath

// Checked is what type-checking made of files.
type Checked struct {
	Types  *types.Package
	Info   *types.Info
	Errors []types.Error
}

// Complete gives files, the syntax of a package, which it changes, such types that each expression which is left in them has
// one. Errors are left where no import is their reason: then files are of no use. Check type-checks them, with a package that they import by its path beside all others; it gives the package and the info of
// a check of its own each time.
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

// Declared gives files, the syntax of a package without the bodies of its functions, which it changes, types for others to import. What
// is declared with a type has one that is whole: about an invalid one, the type checker is silent in the packages that import it.
// A variable or a constant that is what something unknown gives has none. Check is as that of [Complete].
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

// Whole reports whether all in c has a type that is known. Without that, there need not be an error: the type checker has none
// about what an imported variable without a type is used for.
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

// unknown is the package that stands for all that is not known.
type unknown struct {
	pkg   *types.Package
	value *types.Func       // gives a value, of which nothing is known, for others
	names map[string]string // of types, by what they stand for
}

// importName is what files call the package. No other thing has such a name.
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

// named is an expression for the type that stands for e.
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

// types replaces the types that are not known in files, and reports whether there were any.
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

// typeRewriter replaces types that are not known in one file.
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

// missing reports whether e stands for a type that is not known, for another reason than that its declaration in this package
// needs one.
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

// typ is what e, a type or nil, is to be.
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

// opaque is a type of which nothing is known, for e.
func (t *typeRewriter) opaque(e ast.Expr) ast.Expr {
	t.changed = true
	field := types.NewField(token.NoPos, t.u.pkg, "unknown", anyType, false)
	return t.u.named(e, "", types.NewStruct([]*types.Var{field}, nil))
}

// iface is what e, embedded in an interface or a constraint, is to be: in its place comes an interface that no type has where
// some method is needed, and one that each type has else.
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

// Known reports whether nothing in t, outside of what named types are declared to be, is unknown.
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
