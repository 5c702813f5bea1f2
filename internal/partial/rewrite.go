package partial

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
)

// rewriter replaces expressions without a type, or invalid in their place.
type rewriter struct {
	*unknown
	info     *types.Info
	failures []failure // by position
	known    map[ast.Expr]bool

	body *ast.BlockStmt   // of the function at hand, without the literals in it; nil outside of all
	sig  *types.Signature // of that function
}

// failure is an error of the type checker, in the body of a function or, with nil, outside of all.
type failure struct {
	pos token.Pos
	in  *ast.BlockStmt
}

// bodyAt returns the body of the innermost function around pos.
func bodyAt(files []*ast.File, pos token.Pos) (in *ast.BlockStmt) {
	for _, f := range files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body != nil && body.Pos() <= pos && pos < body.End() {
				in = body
			}
			return true
		})
	}
	return in
}

func (r *rewriter) file(f *ast.File) {
	type function struct {
		body *ast.BlockStmt
		sig  *types.Signature
	}
	var functions []function
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			obj, ok := r.info.Defs[n.Name].(*types.Func)
			if !ok || !Known(obj.Type()) || obj.Signature().Recv() != nil && !Known(obj.Signature().Recv().Type()) {
				n.Body = nil
			} else if n.Body != nil {
				functions = append(functions, function{n.Body, obj.Signature()})
			}
		case *ast.FuncLit:
			if sig, ok := r.info.TypeOf(n).(*types.Signature); ok {
				functions = append(functions, function{n.Body, sig})
			}
		}
		return true
	})
	r.variables(f)
	for _, fn := range functions {
		r.body, r.sig = fn.body, fn.sig
		fn.body.List = r.list(fn.body.List)
	}
	r.body, r.sig = nil, nil
}

// variables repairs what the package's variables are set to.
func (r *rewriter) variables(f *ast.File) {
	replaced := make(map[ast.Expr]ast.Expr)
	var order []*types.Initializer
	for _, init := range r.info.InitOrder {
		if init.Rhs.Pos() < f.FileStart || init.Rhs.Pos() > f.FileEnd || r.good(init.Rhs) {
			order = append(order, init)
			continue
		}
		if len(init.Lhs) == 1 && Known(init.Lhs[0].Type()) {
			fixed := r.fix(init.Rhs, init.Lhs[0].Type())
			replaced[init.Rhs] = fixed
			order = append(order, &types.Initializer{Lhs: init.Lhs, Rhs: fixed})
			continue
		}
		given := r.unknown.call(r, init.Rhs, r.parts(init.Rhs))
		replaced[init.Rhs] = given
		blank := types.NewVar(init.Rhs.Pos(), nil, "_", anyType)
		order = append(order, &types.Initializer{Lhs: []*types.Var{blank}, Rhs: given})
		for _, v := range init.Lhs {
			if Known(v.Type()) && v.Name() != "_" {
				order = append(order, &types.Initializer{Lhs: []*types.Var{v}, Rhs: r.assert(r.unknown.call(r, init.Rhs, nil), v.Type())})
			}
		}
	}
	r.info.InitOrder = order
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, s := range d.Specs {
				s := s.(*ast.ValueSpec)
				for i, v := range s.Values {
					if fixed := replaced[v]; fixed != nil {
						s.Values[i] = fixed
					}
				}
			}
		}
	}
}

// failed reports whether there is an error of the type checker between from and to, outside of function literals.
func (r *rewriter) failed(from, to token.Pos) bool {
	i := sort.Search(len(r.failures), func(i int) bool { return r.failures[i].pos >= from })
	for ; i < len(r.failures) && r.failures[i].pos < to; i++ {
		if r.failures[i].in == r.body {
			return true
		}
	}
	return false
}

// typed reports whether the type of e is known.
func (r *rewriter) typed(e ast.Expr) bool {
	tv, ok := r.info.Types[e]
	return ok && Known(tv.Type)
}

// good reports whether e has no error, and the types of e and its parts are known.
func (r *rewriter) good(e ast.Expr) bool {
	if e == nil {
		return true
	}
	if known, ok := r.known[e]; ok {
		return known
	}
	known := !r.failed(e.Pos(), e.End()) && r.whole(e)
	r.known[e] = known
	return known
}

func (r *rewriter) whole(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return r.ident(e)
	case *ast.ParenExpr:
		return r.good(e.X)
	case *ast.FuncLit, *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return r.typed(e)
	case *ast.CompositeLit:
		return r.typed(e) && r.good(e.Type) && !slices.ContainsFunc(e.Elts, func(v ast.Expr) bool { return !r.element(e, v) })
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if _, ok := r.info.Uses[id].(*types.PkgName); ok {
				return r.ident(e.Sel)
			}
		}
		return r.typed(e) && r.good(e.X)
	case *ast.IndexExpr:
		return r.typed(e) && r.good(e.X) && r.good(e.Index)
	case *ast.IndexListExpr:
		return r.typed(e) && r.good(e.X) && r.all(e.Indices)
	case *ast.SliceExpr:
		return r.typed(e) && r.good(e.X) && r.good(e.Low) && r.good(e.High) && r.good(e.Max)
	case *ast.TypeAssertExpr:
		return r.good(e.X) && r.good(e.Type) && (e.Type == nil || r.typed(e))
	case *ast.CallExpr:
		return r.typed(e) && r.good(e.Fun) && r.all(e.Args)
	case *ast.StarExpr:
		return r.typed(e) && r.good(e.X)
	case *ast.UnaryExpr:
		return r.typed(e) && r.good(e.X)
	case *ast.BinaryExpr:
		return r.typed(e) && r.good(e.X) && r.good(e.Y)
	case *ast.KeyValueExpr:
		return r.good(e.Key) && r.good(e.Value)
	case *ast.Ellipsis:
		return r.good(e.Elt)
	}
	return false
}

func (r *rewriter) all(es []ast.Expr) bool {
	return !slices.ContainsFunc(es, func(e ast.Expr) bool { return !r.good(e) })
}

// element reports whether v, an element of the literal e, is good.
func (r *rewriter) element(e *ast.CompositeLit, v ast.Expr) bool {
	if kv, ok := v.(*ast.KeyValueExpr); ok && r.isStruct(e) {
		key, ok := kv.Key.(*ast.Ident)
		return ok && r.ident(key) && r.good(kv.Value)
	}
	return r.good(v)
}

func (r *rewriter) isStruct(e *ast.CompositeLit) bool {
	_, ok := r.structOf(e)
	return ok
}

func (r *rewriter) structOf(e *ast.CompositeLit) (*types.Struct, bool) {
	t := r.info.TypeOf(e)
	if t == nil {
		return nil, false
	}
	s, ok := deref(t).Underlying().(*types.Struct)
	return s, ok
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func (r *rewriter) ident(id *ast.Ident) bool {
	if id.Name == "_" {
		return true
	}
	switch obj := r.info.ObjectOf(id).(type) {
	case nil:
		return false
	case *types.PkgName, *types.Nil, *types.Builtin:
		return true
	default:
		return Known(obj.Type())
	}
}

// parts returns the largest good expressions in e that can be arguments.
func (r *rewriter) parts(es ...ast.Expr) (out []ast.Expr) {
	for _, e := range es {
		if e == nil {
			continue
		}
		if r.passable(e) {
			out = append(out, e)
			continue
		}
		switch e := e.(type) {
		case *ast.ParenExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.CompositeLit:
			for _, v := range e.Elts {
				if kv, ok := v.(*ast.KeyValueExpr); ok && r.isStruct(e) {
					v = kv.Value
				}
				out = append(out, r.parts(v)...)
			}
		case *ast.SelectorExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.IndexExpr:
			out = append(out, r.parts(e.X, e.Index)...)
		case *ast.IndexListExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.SliceExpr:
			out = append(out, r.parts(e.X, e.Low, e.High, e.Max)...)
		case *ast.TypeAssertExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.CallExpr:
			out = append(append(out, r.parts(e.Fun)...), r.parts(e.Args...)...)
		case *ast.StarExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.UnaryExpr:
			out = append(out, r.parts(e.X)...)
		case *ast.BinaryExpr:
			out = append(out, r.parts(e.X, e.Y)...)
		case *ast.KeyValueExpr:
			out = append(out, r.parts(e.Key, e.Value)...)
		}
	}
	return out
}

// passable reports whether e can be an argument.
func (r *rewriter) passable(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	if t == nil || !Known(t) {
		return false
	}
	switch e := e.(type) {
	case *ast.Ident: // also one that cannot stand where it does
		switch r.info.Uses[e].(type) {
		case *types.Var, *types.Func:
		default:
			return false
		}
	case *ast.FuncLit:
	default:
		if !r.good(e) || !r.info.Types[e].IsValue() {
			return false
		}
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Info()&types.IsUntyped == 0
	case *types.Tuple:
		return false
	case *types.Signature:
		return t.TypeParams().Len() == 0
	}
	return true
}

// Of TypeAndValue, only the type checker can set all.
var aValue, aType = sample("append([]int{})"), sample("int")

func sample(expr string) types.TypeAndValue {
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expr)
	if err != nil {
		panic(err) // the text is ours
	}
	return tv
}

func (r *rewriter) record(e ast.Expr, tv types.TypeAndValue, t types.Type) {
	tv.Type = t
	r.info.Types[e] = tv
	r.known[e] = true
}

// call returns a call of the placeholder function with parts as arguments, in place of at.
func (u *unknown) call(r *rewriter, at ast.Node, parts []ast.Expr) *ast.CallExpr {
	fun := &ast.Ident{NamePos: at.Pos(), Name: u.value.Name()}
	r.info.Uses[fun] = u.value
	r.record(fun, aValue, u.value.Type())
	call := &ast.CallExpr{Fun: fun, Lparen: at.Pos(), Args: parts, Rparen: at.End() - 1}
	r.record(call, aValue, anyType)
	return call
}

// assert returns call, asserted to be of type t unless t is any.
func (r *rewriter) assert(call *ast.CallExpr, t types.Type) ast.Expr {
	if t == nil || types.Identical(t, anyType) {
		return call
	}
	name := &ast.Ident{NamePos: call.Pos(), Name: "T"}
	r.record(name, aType, t)
	e := &ast.TypeAssertExpr{X: call, Lparen: call.Pos(), Type: name, Rparen: call.Rparen}
	r.record(e, aValue, t)
	return e
}

// fix is e, or its replacement, assignable to the type want; nil is for any.
func (r *rewriter) fix(e ast.Expr, want types.Type) ast.Expr {
	if r.good(e) {
		r.settle(e)
		return e
	}
	if want == nil {
		want = anyType
	}
	boolean := types.Typ[types.Bool]
	switch x := e.(type) {
	case *ast.ParenExpr:
		x.X = r.fix(x.X, want)
		r.record(x, aValue, r.info.TypeOf(x.X))
		return x
	case *ast.CallExpr:
		if r.arguments(x) && types.AssignableTo(r.info.TypeOf(x), want) {
			return x
		}
	case *ast.CompositeLit:
		if r.typed(x) && types.AssignableTo(r.info.TypeOf(x), want) && r.literal(x) {
			return x
		}
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		if ok && x.Op == token.AND && r.typed(x) && types.AssignableTo(r.info.TypeOf(x), want) && r.literal(lit) {
			r.known[x] = true
			return x
		}
		if x.Op == token.NOT {
			x.X = r.fix(x.X, boolean)
			r.record(x, aValue, boolean)
			return x
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			x.X, x.Y = r.fix(x.X, boolean), r.fix(x.Y, boolean)
			r.record(x, aValue, boolean)
			return x
		}
	}
	return r.assert(r.call(r, e, r.parts(e)), want)
}

// settle returns an untyped condition the type bool.
func (r *rewriter) settle(e ast.Expr) {
	tv := r.info.Types[e]
	if b, ok := tv.Type.(*types.Basic); !ok || b.Kind() != types.UntypedBool {
		return
	}
	r.record(e, tv, types.Typ[types.Bool])
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.settle(e.X)
	case *ast.UnaryExpr:
		r.settle(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			r.settle(e.X)
			r.settle(e.Y)
		}
	}
}

// arguments fixes the arguments of call, and reports whether it is good then.
func (r *rewriter) arguments(call *ast.CallExpr) bool {
	if !r.typed(call) || !r.good(call.Fun) {
		return false
	}
	if !r.info.Types[call.Fun].IsValue() {
		return false
	}
	sig, ok := types.Unalias(r.info.TypeOf(call.Fun)).Underlying().(*types.Signature)
	if !ok || sig.TypeParams().Len() > 0 {
		return false
	}
	n := sig.Params().Len()
	if len(call.Args) != n && (!sig.Variadic() || call.Ellipsis.IsValid() || len(call.Args) < n-1) {
		return false
	}
	for i, arg := range call.Args {
		t := sig.Params().At(min(i, n-1)).Type()
		if s, ok := t.(*types.Slice); ok && sig.Variadic() && i >= n-1 && !call.Ellipsis.IsValid() {
			t = s.Elem()
		}
		call.Args[i] = r.fix(arg, t)
	}
	r.known[call] = true
	return true
}

// literal fixes the elements of e, and reports whether it is good then.
func (r *rewriter) literal(e *ast.CompositeLit) bool {
	if !r.good(e.Type) {
		return false
	}
	under := deref(r.info.TypeOf(e)).Underlying()
	at := func(i int) types.Type {
		switch u := under.(type) {
		case *types.Slice:
			return u.Elem()
		case *types.Array:
			return u.Elem()
		case *types.Map:
			return u.Elem()
		case *types.Struct:
			if kv, ok := e.Elts[i].(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && r.info.Uses[key] != nil {
					return r.info.Uses[key].Type()
				}
			} else if i < u.NumFields() {
				return u.Field(i).Type()
			}
		}
		return nil
	}
	_, isStruct := under.(*types.Struct)
	for i, v := range e.Elts {
		if kv, ok := v.(*ast.KeyValueExpr); !Known(at(i)) || ok && !isStruct && !r.good(kv.Key) {
			return false
		}
	}
	for i, v := range e.Elts {
		if kv, ok := v.(*ast.KeyValueExpr); ok {
			kv.Value = r.fix(kv.Value, at(i))
			r.known[kv] = true
		} else {
			e.Elts[i] = r.fix(v, at(i))
		}
	}
	r.known[e] = true
	return true
}
