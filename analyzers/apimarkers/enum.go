package apimarkers

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/markers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Part has what a package does with constants that an enum refuses, and with their types. Both are named by package
// and name; a type whose fields have the marker has ofFields behind its name.
type Part struct {
	Compared []string // constants that it compares with
	Written  []string // that it writes into fields of objects
	Others   []string // that it uses in another way
	Free     []string // types of which JSON has values that no marker checks
}

const ofFields = ", by field"

// The kinds of conditions of the findings at a constant. Of is the constant and its type.
const (
	compared = "compared" // the program compares with it, and does nothing else with it
	written  = "written"  // the program writes it into an object
)

// holds reports whether c holds in p.
func holds(p *link.Program[Part], c link.Condition) bool {
	name, typ, _ := strings.Cut(c.Of, " ")
	is := map[string]bool{}
	for _, s := range p.Packages {
		is[compared] = is[compared] || slices.Contains(s.Part.Compared, name)
		is[written] = is[written] || slices.Contains(s.Part.Written, name)
		is["other"] = is["other"] || slices.Contains(s.Part.Others, name)
		if slices.Contains(s.Part.Free, typ) {
			return false
		}
	}
	return is[c.Kind] && (c.Kind == written || !is[written] && !is["other"])
}

// enums defers findings at the constants that the enum of their type does not list: the one marker of the type, or
// those of its fields in the package.
func (c *checker) enums(decls, fields []markers.Decl) {
	lists := map[types.Type][]string{}
	byField := map[types.Type]bool{}
	for _, decl := range append(slices.Clip(decls), fields...) {
		t := c.pass.TypesInfo.TypeOf(decl.Type.Name)
		if decl.Field != nil {
			t = flow.Pointee(c.pass.TypesInfo.TypeOf(decl.Field.Type))
		}
		for _, m := range decl.Lines {
			if values := m.Enum(); values != nil && (decl.Field == nil || lists[t] == nil || byField[t]) {
				lists[t], byField[t] = append(lists[t], values...), decl.Field != nil
			}
		}
	}
	for _, name := range c.pass.Pkg.Scope().Names() {
		obj, ok := c.pass.Pkg.Scope().Lookup(name).(*types.Const)
		if !ok || lists[obj.Type()] == nil || obj.Val().Kind() != constant.String {
			continue
		}
		spec, group := rule.Innermost[*ast.ValueSpec](c.pass, obj.Pos()), rule.Innermost[*ast.GenDecl](c.pass, obj.Pos())
		if spec != nil && !isDeprecated(group.Doc) && !isDeprecated(spec.Doc) && !isDeprecated(spec.Comment) {
			c.deferUnlisted(obj, lists[obj.Type()], byField[obj.Type()])
		}
	}
}

func isDeprecated(doc *ast.CommentGroup) bool { return strings.Contains(doc.Text(), "Deprecated:") }

// deferUnlisted defers the findings at a constant whose value is not among those of the enum of its type. The empty
// text is none of an optional field.
func (c *checker) deferUnlisted(obj *types.Const, values []string, byField bool) {
	text := constant.StringVal(obj.Val())
	named := kubeapi.Named(obj.Type())
	if text == "" || slices.Contains(values, text) || named == nil || named.Obj().Pkg() != obj.Pkg() {
		return
	}
	typ := named.Obj()
	of := nameOf(obj) + " " + nameOf(typ)
	if byField {
		of += ofFields
	}
	f := rule.Finding{Pos: obj.Pos(), End: obj.Pos() + token.Pos(len(obj.Name())), Sub: "enum"}
	f.Site = "unlisted-constant"
	f.Message = fmt.Sprintf("no object has %s: the enum of %s does not list %q; list it, or delete what handles it", obj.Name(), typ.Name(), text)
	c.unit.Defer(f, link.Condition{Kind: compared, Of: of})
	f.Site = "refused-constant"
	f.Message = fmt.Sprintf("the API server refuses objects with %s: the enum of %s does not list %q; list it", obj.Name(), typ.Name(), text)
	c.unit.Defer(f, link.Condition{Kind: written, Of: of})
}

func nameOf(obj types.Object) string { return obj.Pkg().Path() + "." + obj.Name() }

// enumUses fills in the part of the package, of the constants and types that findings here and in packages below wait
// for.
func (c *checker) enumUses(fields []markers.Decl) {
	names, enums := map[string]bool{}, map[string]bool{}
	for _, s := range append(slices.Clip(c.unit.Below), c.unit.Summary) {
		for cond := range s.Awaits(compared) {
			name, typ, _ := strings.Cut(cond.Of, " ")
			names[name], enums[typ] = true, true
		}
	}
	if len(names) == 0 {
		return
	}
	part := &c.unit.Part
	for id, obj := range c.pass.TypesInfo.Uses {
		if _, ok := obj.(*types.Const); !ok || obj.Pkg() == nil || !names[nameOf(obj)] || strings.HasSuffix(c.pass.Fset.Position(id.Pos()).Filename, "_test.go") {
			continue
		}
		list := c.useOf(id)
		*list = append(*list, nameOf(obj))
	}
	for _, f := range fields {
		marked := slices.ContainsFunc(f.Lines, func(m markers.Marker) bool { return m.Enum() != nil })
		if f.Field.Tag != nil {
			c.addFree(c.pass.TypesInfo.TypeOf(f.Field.Type), marked, false, enums)
		}
	}
	for _, list := range []*[]string{&part.Compared, &part.Written, &part.Others, &part.Free} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// useOf returns the list of the part for a constant that is used at id.
func (c *checker) useOf(id *ast.Ident) *[]string {
	part, info := &c.unit.Part, c.pass.TypesInfo
	isWritten := func(owner types.Type, field *ast.Ident) bool {
		n := kubeapi.Named(owner)
		v, ok := info.Uses[field].(*types.Var)
		return n != nil && ok && kubeapi.OfObjects(n) && kubeapi.InJSON(n, v)
	}
	path := rule.Enclosing(c.pass, id.Pos())
	value := ast.Node(id)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.Ident, *ast.ParenExpr:
			value = n
			continue
		case *ast.SelectorExpr:
			if n.Sel == id {
				value = n
				continue
			}
		case *ast.CaseClause:
			return &part.Compared
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				return &part.Compared
			}
		case *ast.KeyValueExpr:
			key, _ := n.Key.(*ast.Ident)
			if lit, ok := path[i+1].(*ast.CompositeLit); ok && key != nil && n.Value == value && isWritten(info.TypeOf(lit), key) {
				return &part.Written
			}
		case *ast.AssignStmt:
			if i := slices.IndexFunc(n.Rhs, func(e ast.Expr) bool { return e == value }); i >= 0 && len(n.Lhs) == len(n.Rhs) {
				if lhs, ok := n.Lhs[i].(*ast.SelectorExpr); ok && isWritten(info.TypeOf(lhs.X), lhs.Sel) {
					return &part.Written
				}
			}
		}
		break
	}
	return &part.Others
}

// addFree adds the types of enums of which a field of type t has values that are not checked. A marker is of the field,
// not of the elements of its lists; no marker is of the keys of a map.
func (c *checker) addFree(t types.Type, marked, isKey bool, enums map[string]bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return
		}
		if name := nameOf(t.Obj()); isKey && enums[name] {
			c.unit.Part.Free = append(c.unit.Part.Free, name)
		} else if (isKey || !marked) && enums[name+ofFields] {
			c.unit.Part.Free = append(c.unit.Part.Free, name+ofFields)
		}
	case *types.Pointer:
		c.addFree(t.Elem(), marked, isKey, enums)
	case *types.Map:
		c.addFree(t.Key(), false, true, enums)
		c.addFree(t.Elem(), false, false, enums)
	case interface{ Elem() types.Type }:
		c.addFree(t.Elem(), false, false, enums)
	}
}
