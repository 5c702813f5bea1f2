// Package siblings finds change filters that look at some fields of one type, and forget another.
package siblings

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// unit is a declared function, or a literal that is a change filter of its own.
type unit struct {
	name   string
	pos    token.Pos
	body   *ast.BlockStmt
	object *types.Func // nil for a literal
	filter bool
	file   *ast.File

	reads map[*types.Var]*use
	whole map[*types.TypeName]bool // structs of which a value is handed on as a whole
	calls []*types.Func            // functions of this package
	given []types.Type             // what is compared as a whole, or handed to functions of other packages
}

// use is how a unit reads a struct field.
type use struct {
	pos   token.Pos
	owner *types.TypeName
	how   map[string]bool // what is done with the value: ".Sub", "call f", "range", …
}

// Run reports change filters that treat alike some fields of one struct and one type, and forget another.
func Run(pass *analysis.Pass) {
	units := collectUnits(pass)
	some := false
	for _, u := range units {
		some = some || u.filter
	}
	if !some {
		return
	}
	byObject := map[*types.Func]*unit{}
	for _, u := range units {
		u.scan(pass)
		if u.object != nil {
			byObject[u.object] = u
		}
	}
	region := func(u *unit) map[*unit]bool {
		seen := map[*unit]bool{u: true}
		work := []*unit{u}
		for len(work) > 0 {
			u := work[len(work)-1]
			work = work[:len(work)-1]
			for _, callee := range u.calls {
				if v := byObject[callee]; v != nil && !seen[v] {
					seen[v] = true
					work = append(work, v)
				}
			}
		}
		return seen
	}
	regions := map[*unit]map[*unit]bool{}
	filtering := map[*unit]bool{} // part of some filter
	for _, u := range units {
		if u.filter {
			regions[u] = region(u)
			for v := range regions[u] {
				filtering[v] = true
			}
		}
	}
	for _, u := range units {
		if !u.filter || !rule.Wanted(pass, u.pos) {
			continue
		}
		for _, g := range u.groups() {
			g.check(pass, u, units, regions, filtering)
		}
	}
}

// group is the fields of one struct that share one type, as a filter reads them.
type group struct {
	owner   *types.TypeName
	typ     types.Type
	read    []*types.Var
	missing []*types.Var
	all     bool // the struct has no other fields
}

// groups are the candidates of u: structs of which u reads most, at least two, of the fields of a type, in one and the
// same way.
func (u *unit) groups() []group {
	owners := map[*types.TypeName]bool{}
	var order []*types.TypeName
	for _, r := range u.reads {
		if !owners[r.owner] {
			owners[r.owner] = true
			order = append(order, r.owner)
		}
	}
	sort.Slice(order, func(i, j int) bool { return order[i].Id() < order[j].Id() })
	var groups []group
	for _, owner := range order {
		st, ok := owner.Type().Underlying().(*types.Struct)
		if !ok || u.whole[owner] {
			continue
		}
		done := map[int]bool{}
		for i := range st.NumFields() {
			if done[i] || !meaningful(st.Field(i), owner) {
				continue
			}
			g := group{owner: owner, typ: st.Field(i).Type(), all: true}
			for j := range st.NumFields() {
				f := st.Field(j)
				switch {
				case !types.Identical(f.Type(), g.typ):
					g.all = false
				case u.reads[f] != nil:
					done[j] = true
					g.read = append(g.read, f)
				default:
					done[j] = true
					g.missing = append(g.missing, f)
				}
			}
			if len(g.read) >= 2 && len(g.missing) > 0 && len(g.missing) < len(g.read) && u.alike(g.read) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// meaningful: the type of f is a struct that was declared next to the struct that holds it, so that to share it says
// something. That two fields are a metav1.Time says nothing.
func meaningful(f *types.Var, owner *types.TypeName) bool {
	n := kube.Named(f.Type())
	if n == nil || n.Obj().Pkg() != owner.Pkg() || f.Embedded() {
		return false
	}
	_, ok := n.Underlying().(*types.Struct)
	return ok
}

// alike reports whether u does one same thing with each of the fields.
func (u *unit) alike(fields []*types.Var) bool {
	for how := range u.reads[fields[0]].how {
		everywhere := true
		for _, f := range fields[1:] {
			everywhere = everywhere && u.reads[f].how[how]
		}
		if everywhere {
			return true
		}
	}
	return false
}

func (g group) check(pass *analysis.Pass, u *unit, units []*unit, regions map[*unit]map[*unit]bool, filtering map[*unit]bool) {
	for v := range regions[u] {
		if v.whole[g.owner] {
			return
		}
		for _, t := range v.given {
			if contains(t, g.owner, map[types.Type]bool{}) {
				return
			}
		}
	}
	// A filter that calls this one may look at the missing field itself.
	for _, r := range regions {
		if !r[u] {
			continue
		}
		for v := range r {
			if v.whole[g.owner] {
				return
			}
			for _, f := range g.missing {
				if v.reads[f] != nil {
					return
				}
			}
		}
	}
	var outside *use
	var reader *unit
	for _, v := range units {
		if filtering[v] || v.plumbing(g) || ast.IsGenerated(v.file) || strings.HasSuffix(pass.Fset.File(v.pos).Name(), "_test.go") {
			continue
		}
		sibling := false
		for _, f := range g.read {
			sibling = sibling || v.reads[f] != nil
		}
		for _, f := range g.missing {
			if r := v.reads[f]; sibling && r != nil && outside == nil {
				outside, reader = r, v
			}
		}
	}
	// The reader may live in a package that imports this one, and so out of sight. Then the struct itself has to tell
	// that its fields are meant to be treated alike: it has no others.
	if outside == nil && !g.all {
		return
	}
	name := g.owner.Name()
	missing := list(name, g.missing)
	f := rule.Finding{Pos: u.pos, Sub: "siblings"}
	f.Message = fmt.Sprintf("%s reads %s and not %s, which has the same type: an update that concerns %s alone is dropped",
		u.name, list(name, g.read), missing, missing)
	if outside != nil {
		f.Message += fmt.Sprintf(", though %s reads it at line %d", reader.name, rule.Line(pass, outside.pos))
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: outside.pos, Message: reader.name + " reads it here"})
	}
	for _, r := range g.read {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: u.reads[r].pos, Message: name + "." + r.Name() + " is read here"})
	}
	rule.Report(pass, f)
}

// plumbing: u copies, converts or checks the struct, and its reads say nothing about who acts on the field.
func (u *unit) plumbing(g group) bool {
	if u.object == nil {
		return false
	}
	if recv := u.object.Type().(*types.Signature).Recv(); recv != nil {
		n := kube.Named(recv.Type())
		if n != nil && (n.Obj() == g.owner || n == kube.Named(g.typ)) {
			return true
		}
	}
	return words.Has(u.object.Name(), "copy", "convert", "conversion", "default", "defaults", "defaulting", "valid", "validate", "validates", "validation", "equal", "equals")
}

func list(owner string, fields []*types.Var) string {
	var names []string
	for _, f := range fields {
		names = append(names, owner+"."+f.Name())
	}
	if len(names) < 2 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// contains reports whether a value of type t holds one of owner.
func contains(t types.Type, owner *types.TypeName, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch x := t.(type) {
	case *types.Named:
		return x.Obj() == owner || contains(x.Underlying(), owner, seen)
	case *types.Pointer:
		return contains(x.Elem(), owner, seen)
	case *types.Slice:
		return contains(x.Elem(), owner, seen)
	case *types.Array:
		return contains(x.Elem(), owner, seen)
	case *types.Map:
		return contains(x.Elem(), owner, seen)
	case *types.Struct:
		for i := range x.NumFields() {
			if contains(x.Field(i).Type(), owner, seen) {
				return true
			}
		}
	}
	return false
}

func collectUnits(pass *analysis.Pass) []*unit {
	var units []*unit
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Body != nil {
				obj, _ := pass.TypesInfo.Defs[fd.Name].(*types.Func)
				if obj == nil {
					continue
				}
				units = append(units, &unit{name: flow.ObjectName(obj), pos: fd.Name.Pos(), body: fd.Body, object: obj.Origin(), filter: controllers.IsFilter(obj.Type().(*types.Signature)), file: file})
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				lit, ok := n.(*ast.FuncLit)
				if !ok {
					return true
				}
				if sig, ok := pass.TypesInfo.TypeOf(lit).(*types.Signature); ok && controllers.IsFilter(sig) {
					units = append(units, &unit{name: "this update filter", pos: lit.Pos(), body: lit.Body, filter: true, file: file})
				}
				return true
			})
		}
	}
	return units
}

// scan collects what u reads, hands on and calls. The literals in it that are filters count as part of it too.
func (u *unit) scan(pass *analysis.Pass) {
	info := pass.TypesInfo
	u.reads, u.whole = map[*types.Var]*use{}, map[*types.TypeName]bool{}
	var stack []ast.Node
	ast.Inspect(u.body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			u.selector(info, n, stack)
		case *ast.CallExpr:
			u.call(pass, n)
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && !info.Types[n.X].IsNil() && !info.Types[n.Y].IsNil() {
				if t := info.TypeOf(n.X); t != nil {
					if _, ptr := t.Underlying().(*types.Pointer); !ptr {
						u.given = append(u.given, t)
					}
				}
			}
		}
		if e, ok := n.(ast.Expr); ok {
			u.handedOn(info, e, stack)
		}
		stack = append(stack, n)
		return true
	})
}

func (u *unit) selector(info *types.Info, sel *ast.SelectorExpr, stack []ast.Node) {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	field, ok := s.Obj().(*types.Var)
	if !ok {
		return
	}
	field = field.Origin()
	owner := ownerOf(s)
	if owner == nil {
		return
	}
	how, read := howUsed(info, sel, stack)
	if !read {
		return
	}
	r := u.reads[field]
	if r == nil {
		r = &use{pos: sel.Sel.Pos(), owner: owner, how: map[string]bool{}}
		u.reads[field] = r
	}
	if how != "" {
		r.how[how] = true
	}
}

// ownerOf is the defined struct type whose own field the selection ends at.
func ownerOf(s *types.Selection) *types.TypeName {
	t := s.Recv()
	index := s.Index()
	for i, at := range index {
		n := kube.Named(t)
		if n == nil {
			return nil
		}
		st, ok := n.Underlying().(*types.Struct)
		if !ok || at >= st.NumFields() {
			return nil
		}
		if i == len(index)-1 {
			return n.Obj()
		}
		t = st.Field(at).Type()
	}
	return nil
}

// howUsed says what is done with the field that sel reads; nothing for a mere test for nil. It is no read where sel is
// assigned to.
func howUsed(info *types.Info, sel ast.Expr, stack []ast.Node) (how string, read bool) {
	var e ast.Node = sel
	for i := len(stack) - 1; i >= 0; i-- {
		switch p := stack[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr:
			e = p
			continue
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				e = p
				continue
			}
			return "op", true
		case *ast.SelectorExpr:
			return "." + p.Sel.Name, true
		case *ast.BinaryExpr:
			if info.Types[p.X].IsNil() || info.Types[p.Y].IsNil() {
				return "", true
			}
			return "compare", true
		case *ast.CallExpr:
			if e == ast.Node(p.Fun) {
				return "call", true
			}
			return "argument of " + types.ExprString(p.Fun), true
		case *ast.AssignStmt:
			for _, l := range p.Lhs {
				if ast.Node(l) == e {
					return "", false
				}
			}
			return "variable", true
		case *ast.RangeStmt:
			return "range", true
		case *ast.IndexExpr:
			return "index", true
		case *ast.CompositeLit:
			return "element", true
		default:
			return "other", true
		}
	}
	return "other", true
}

// handedOn notes that e, a value of a struct type, is used as a whole: what becomes of its fields is not known.
func (u *unit) handedOn(info *types.Info, e ast.Expr, stack []ast.Node) {
	tv, ok := info.Types[e]
	if !ok || !tv.IsValue() || len(stack) == 0 {
		return
	}
	n := kube.Named(tv.Type)
	if n == nil {
		return
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return
	}
	switch p := stack[len(stack)-1].(type) {
	case *ast.SelectorExpr, *ast.ParenExpr, *ast.StarExpr, *ast.AssignStmt, *ast.ValueSpec:
		return
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return // its own type is looked at in turn
		}
	case *ast.BinaryExpr:
		if info.Types[p.X].IsNil() || info.Types[p.Y].IsNil() {
			return
		}
	case *ast.CompositeLit, *ast.KeyValueExpr:
		if _, lit := e.(*ast.CompositeLit); lit {
			return
		}
	}
	u.whole[n.Obj()] = true
}

func (u *unit) call(pass *analysis.Pass, call *ast.CallExpr) {
	callee := typeutil.StaticCallee(pass.TypesInfo, call)
	if callee != nil && callee.Pkg() == pass.Pkg {
		u.calls = append(u.calls, callee.Origin())
		return
	}
	if kube.Logs(callee) {
		return
	}
	for _, a := range call.Args {
		if t := pass.TypesInfo.TypeOf(a); t != nil {
			u.given = append(u.given, t)
		}
	}
}
