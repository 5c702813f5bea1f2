package finalizerorder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A field of a spec is often asked by a method of its object, or by a function that validates it, in the package of the API. What such a function gives is as much
// the object's own as the field: it asks nobody else, and gives the same each time.

// Plain is the fact of a function: what it gives hangs on the spec of a parameter alone.
type Plain struct {
	Param int  // the receiver first
	Part  bool // it is handed the spec itself
}

// AFact marks Plain as a fact.
func (*Plain) AFact() {}

// String is for the tests of facts.
func (p *Plain) String() string { return fmt.Sprintf("asks the spec of p%d alone", p.Param) }

// exportPlain leaves the facts of the functions of the package that ask a spec alone.
func exportPlain(pass *analysis.Pass) {
	p := plains{pass: pass, decls: map[*types.Func]*ast.FuncDecl{}, known: map[*types.Func]*Plain{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					p.decls[fn] = fd
				}
			}
		}
	}
	for fn := range p.decls {
		if fact := p.of(fn); fact != nil {
			pass.ExportObjectFact(fn, fact)
		}
	}
}

// plains finds the plain functions of one package.
type plains struct {
	pass  *analysis.Pass
	decls map[*types.Func]*ast.FuncDecl
	known map[*types.Func]*Plain // nil for those that are not plain
}

// of is the fact of fn, nil where it has none, as on a cycle of calls.
func (p *plains) of(fn *types.Func) *Plain {
	if fact, ok := p.known[fn]; ok {
		return fact
	}
	fd := p.decls[fn]
	if fd == nil {
		var fact Plain
		if fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg || !p.pass.ImportObjectFact(fn, &fact) {
			return nil
		}
		return &fact
	}
	p.known[fn] = nil
	sig := fn.Signature()
	if sig.Results().Len() == 0 {
		return nil
	}
	var params []*types.Var
	if recv := sig.Recv(); recv != nil {
		params = append(params, recv)
	}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	for i, v := range params {
		part := isSpec(v.Type())
		if !part && !kube.IsObject(v.Type()) && !kube.IsObject(types.NewPointer(v.Type())) {
			continue
		}
		b := body{p: p, of: v, part: part, others: params, handed: map[*ast.Ident]bool{}}
		if b.plain(fd.Body) {
			p.known[fn] = &Plain{i, part}
		}
		break
	}
	return p.known[fn]
}

// isSpec reports whether t is called like the spec of a kind. That only chooses which parameter is looked at: what the function does with it is in sight, and whether it is
// given the spec of the object its callers are asked.
func isSpec(t types.Type) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	_, ok = named.Underlying().(*types.Struct)
	name := words.Of(named.Obj().Name())
	return ok && len(name) > 0 && name[len(name)-1] == "spec"
}

// A body is one function, about the object or the spec in the variable of.
type body struct {
	p      *plains
	of     *types.Var
	part   bool
	others []*types.Var
	handed map[*ast.Ident]bool // where plain functions get it
	reads  bool
}

// plain reports whether what is in block asks the spec, and nothing else that may change.
func (b *body) plain(block ast.Node) bool {
	ok := true
	ast.Inspect(block, func(n ast.Node) bool {
		if !ok {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.FuncLit, *ast.DeferStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW
		case *ast.AssignStmt:
			ok = !slices.ContainsFunc(n.Lhs, b.changes)
		case *ast.IncDecStmt:
			ok = !b.changes(n.X)
		case *ast.ExprStmt:
			if fn := b.callee(n.X); fn != nil && kube.Logs(fn) {
				return false // whatever it says
			}
		case *ast.CallExpr:
			ok = b.call(n)
		case *ast.SelectorExpr:
			if id, is := ast.Unparen(n.X).(*ast.Ident); is && b.use(id) == b.of {
				ok = b.selects(n)
				return false
			}
		case *ast.Ident:
			ok = b.ident(n)
		}
		return ok
	})
	return ok && b.reads
}

// changes reports whether an assignment to x changes more than a variable of the function.
func (b *body) changes(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return !ok || b.use(id) == b.of
}

// use is the variable that id stands for, nil for other names.
func (b *body) use(id *ast.Ident) *types.Var {
	v, _ := b.p.pass.TypesInfo.Uses[id].(*types.Var)
	return v
}

// ident reports whether id may be used: the object as a whole is not, nor what else is handed to the function, nor what the package keeps.
func (b *body) ident(id *ast.Ident) bool {
	v := b.use(id)
	switch {
	case v == nil || v.IsField() || b.handed[id]:
		return true
	case v == b.of:
		b.reads = b.reads || b.part
		return b.part
	case v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope():
		return false
	}
	for _, p := range b.others {
		if p == v {
			return false
		}
	}
	return true
}

// selects reports whether sel, of the object itself, is its spec, or a plain method.
func (b *body) selects(sel *ast.SelectorExpr) bool {
	s := b.p.pass.TypesInfo.Selections[sel]
	if s == nil {
		return false
	}
	if fn, ok := s.Obj().(*types.Func); ok {
		fact := b.p.of(fn.Origin())
		if fact == nil || fact.Param != 0 || fact.Part != b.part {
			return false
		}
	} else if !b.part && s.Obj().Name() != "Spec" || b.part && b.p.pass.ImportObjectFact(s.Obj().(*types.Var).Origin(), new(Fixed)) {
		return false
	}
	b.reads = true
	return true
}

// callee is the function or method that x, a call, names; nil for other expressions.
func (b *body) callee(x ast.Expr) *types.Func {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return nil
	}
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := b.p.pass.TypesInfo.Uses[id].(*types.Func)
	return fn
}

// onlyComputes reports whether fn, of the standard library or of what Kubernetes has for all, gives the same for the same arguments each time: it asks neither the clock nor
// the system, a server or chance.
func onlyComputes(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	if path == "time" || kube.Under(path, "k8s.io/apimachinery") || kube.Under(path, "k8s.io/utils") {
		return fn.Name() != "Now" && fn.Name() != "Since" && fn.Name() != "Until"
	}
	return computes[path]
}

// computes are the packages of the standard library whose functions do nothing but compute.
var computes = map[string]bool{
	"bytes": true, "cmp": true, "errors": true, "fmt": true, "maps": true, "math": true, "net/netip": true, "net/url": true, "path": true, "reflect": true, "regexp": true,
	"slices": true, "sort": true, "strconv": true, "strings": true, "unicode": true, "unicode/utf8": true,
}

// call reports whether call asks nobody: it is of the standard library, of what Kubernetes has for all, or plain itself.
func (b *body) call(call *ast.CallExpr) bool {
	info := b.p.pass.TypesInfo
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	fn := b.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return fn != nil && fn.Name() == "Error"
	}
	if onlyComputes(fn) {
		return true
	}
	fact := b.p.of(fn.Origin())
	if fact == nil {
		return false
	}
	i := fact.Param
	if fn.Signature().Recv() != nil {
		i--
	}
	if i >= 0 && i < len(call.Args) {
		if id, ok := ast.Unparen(call.Args[i]).(*ast.Ident); ok && b.use(id) == b.of && fact.Part == b.part {
			b.handed[id], b.reads = true, true
		}
	}
	return true
}

// ownAsked is the spec of the object of e, where cond hangs on that and on constants alone, as plain functions say.
func (a *analyzer) ownAsked(cond ssa.Value, e event) (field, bool) {
	ok, found := true, false
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		v = flow.Resolve(v)
		if !ok || seen[v] {
			return
		}
		seen[v] = true
		if f, is := fieldOf(v, e); is {
			found = true
			ok = ok && !f.inStatus() && !leftAlone(lastField(f.sel)) && !protects(lastField(f.sel)) && !a.isFixed(f.v)
			return
		}
		switch v := v.(type) {
		case *ssa.Const:
		case *ssa.BinOp:
			visit(v.X)
			visit(v.Y)
		case *ssa.UnOp:
			ok = v.Op == token.NOT
			visit(v.X)
		case *ssa.Extract:
			visit(v.Tuple)
		case *ssa.Convert:
			visit(v.X)
		case *ssa.MakeInterface:
			visit(v.X)
		case *ssa.Call:
			if builtin, is := v.Call.Value.(*ssa.Builtin); is && (builtin.Name() == "len" || builtin.Name() == "cap") {
				visit(v.Call.Args[0])
				return
			}
			fn := flow.Callee(&v.Call)
			switch {
			case fn == nil || leftAlone(fn.Name()) || protects(fn.Name()):
				ok = false
			case a.asksOwn(v, fn, e):
				found = true
			case onlyComputes(fn):
				for _, arg := range flow.AllArgs(&v.Call) {
					visit(arg)
				}
			default:
				ok = false
			}
		default:
			ok = false
		}
	}
	visit(cond)
	return field{nil, "Spec"}, ok && found
}

// asksOwn reports whether call is one of the plain function fn, and hands it the object of e, or its spec.
func (a *analyzer) asksOwn(call *ssa.Call, fn *types.Func, e event) bool {
	var fact Plain
	args := flow.AllArgs(&call.Call)
	if !a.pass.ImportObjectFact(fn.Origin(), &fact) || fact.Param >= len(args) {
		return false
	}
	p := held(flow.PathOf(args[fact.Param]))
	for _, o := range e.obj.places() {
		sel, in := strings.CutPrefix(p.Sel, o.Sel)
		if p.Root == o.Root && in && (!fact.Part && sel == "" || fact.Part && (sel == ".Spec" || strings.HasPrefix(sel, ".Spec."))) {
			return true
		}
	}
	return false
}
