package partial

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

func (r *rewriter) list(in []ast.Stmt) (out []ast.Stmt) {
	for _, s := range in {
		out = append(out, r.stmt(s)...)
	}
	return out
}

// one is s, or its replacement, with the statements that precede it.
func (r *rewriter) one(s ast.Stmt) (before []ast.Stmt, in ast.Stmt) {
	if s == nil {
		return nil, nil
	}
	out := r.stmt(s)
	if len(out) == 0 {
		return nil, nil
	}
	return out[:len(out)-1], out[len(out)-1]
}

// given returns a statement that passes parts to the placeholder function, in place of at; none without parts or calls.
func (r *rewriter) given(at ast.Node, parts []ast.Expr) ast.Stmt {
	return &ast.ExprStmt{X: r.call(r, at, parts)}
}

// unknownOf returns an unknown value of type t, in place of at.
func (r *rewriter) unknownOf(at ast.Node, t types.Type) ast.Expr {
	return r.assert(r.call(r, at, nil), t)
}

// stmt returns the replacement of s, which is its last element, and the statements that precede it.
func (r *rewriter) stmt(s ast.Stmt) []ast.Stmt {
	boolean := types.Typ[types.Bool]
	switch s := s.(type) {
	case *ast.ExprStmt:
		return r.exprStmt(s)
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.DeclStmt:
		return r.declare(s)
	case *ast.IncDecStmt:
		if !r.good(s.X) {
			return []ast.Stmt{r.given(s, r.parts(s.X))}
		}
	case *ast.SendStmt:
		t, isChan := r.elem(s.Chan)
		if !isChan {
			return []ast.Stmt{r.given(s, r.parts(s.Chan, s.Value))}
		}
		s.Value = r.fix(s.Value, t)
	case *ast.GoStmt:
		s.Call = r.started(s.Call)
	case *ast.DeferStmt:
		s.Call = r.started(s.Call)
	case *ast.ReturnStmt:
		return r.returns(s)
	case *ast.BlockStmt:
		s.List = r.list(s.List)
	case *ast.LabeledStmt:
		before, in := r.one(s.Stmt)
		if in == nil {
			in = &ast.EmptyStmt{Semicolon: s.Colon, Implicit: true}
		}
		s.Stmt = in
		return append(before, s)
	case *ast.IfStmt:
		before, init := r.one(s.Init)
		s.Init, s.Cond = init, r.fix(s.Cond, boolean)
		s.Body.List = r.list(s.Body.List)
		if s.Else != nil {
			more, e := r.one(s.Else)
			if len(more) > 0 {
				e = &ast.BlockStmt{Lbrace: s.Else.Pos(), List: append(more, e), Rbrace: s.Else.End() - 1}
			}
			s.Else = e
		}
		return append(before, s)
	case *ast.ForStmt:
		before, init := r.one(s.Init)
		more, post := r.one(s.Post)
		s.Init, s.Post = init, post
		if s.Cond != nil {
			s.Cond = r.fix(s.Cond, boolean)
		}
		// They may be passed twice.
		s.Body.List = append(r.list(s.Body.List), more...)
		return append(before, s)
	case *ast.RangeStmt:
		return r.ranges(s)
	case *ast.SwitchStmt:
		return r.switches(s)
	case *ast.TypeSwitchStmt:
		return r.typeSwitch(s)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			c.Comm, c.Body = r.comm(c)
		}
	}
	return []ast.Stmt{s}
}

// elem returns the type of the elements of the channel e, if it is good.
func (r *rewriter) elem(e ast.Expr) (types.Type, bool) {
	if !r.good(e) {
		return nil, false
	}
	c, ok := r.info.TypeOf(e).Underlying().(*types.Chan)
	if !ok {
		return nil, false
	}
	return c.Elem(), true
}

func (r *rewriter) exprStmt(s *ast.ExprStmt) []ast.Stmt {
	if r.good(s.X) {
		return []ast.Stmt{s}
	}
	if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
		if id, ok := call.Fun.(*ast.Ident); ok && len(call.Args) == 1 {
			if b, ok := r.info.Uses[id].(*types.Builtin); ok && b.Name() == "panic" {
				call.Args[0] = r.fix(call.Args[0], anyType)
				r.known[call] = true
				return []ast.Stmt{s}
			}
		}
		if r.arguments(call) {
			return []ast.Stmt{s}
		}
	}
	return []ast.Stmt{r.given(s, r.parts(s.X))}
}

// started returns the call of a go or defer statement.
func (r *rewriter) started(c *ast.CallExpr) *ast.CallExpr {
	if r.good(c) || r.arguments(c) {
		return c
	}
	return r.call(r, c, r.parts(c))
}

// target returns the type of the operand l of an assignment, nil for the blank identifier; false if l is not known.
func (r *rewriter) target(l ast.Expr) (types.Type, bool) {
	if id, ok := l.(*ast.Ident); ok {
		if id.Name == "_" {
			return nil, true
		}
		v, ok := r.info.ObjectOf(id).(*types.Var)
		if !ok || !Known(v.Type()) {
			return nil, false
		}
		return v.Type(), true
	}
	if !r.good(l) {
		return nil, false
	}
	return r.info.TypeOf(l), true
}

func (r *rewriter) assign(s *ast.AssignStmt) []ast.Stmt {
	if !r.failed(s.Pos(), s.End()) && r.all(s.Lhs) && r.all(s.Rhs) {
		return []ast.Stmt{s}
	}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE { // as in x += y
		parts := r.parts(s.Lhs[0], s.Rhs[0])
		t, ok := r.target(s.Lhs[0])
		if !ok || t == nil {
			return []ast.Stmt{r.given(s, parts)}
		}
		s.Tok, s.Rhs = token.ASSIGN, []ast.Expr{r.assert(r.call(r, s.Rhs[0], parts), t)}
		return []ast.Stmt{s}
	}
	if len(s.Lhs) == len(s.Rhs) {
		return r.pairs(s)
	}
	return r.spread(s)
}

// pairs repairs an assignment of as many values as operands.
func (r *rewriter) pairs(s *ast.AssignStmt) []ast.Stmt {
	var lhs, rhs, lost []ast.Expr
	for i, l := range s.Lhs {
		t, ok := r.target(l)
		if !ok {
			lost = append(lost, r.parts(l, s.Rhs[i])...)
			continue
		}
		lhs, rhs = append(lhs, l), append(rhs, r.fix(s.Rhs[i], t))
	}
	var out []ast.Stmt
	if len(lhs) < len(s.Lhs) {
		out = append(out, r.given(s, lost))
	}
	if len(lhs) > 0 {
		s.Lhs, s.Rhs = lhs, rhs
		out = append(out, s)
	}
	return out
}

// spread repairs an assignment of the results of one expression.
func (r *rewriter) spread(s *ast.AssignStmt) []ast.Stmt {
	if len(s.Rhs) == 1 && r.results(s.Rhs[0], len(s.Lhs)) {
		var lost []ast.Expr
		for i, l := range s.Lhs {
			if _, ok := r.target(l); !ok {
				lost = append(lost, r.parts(l)...)
				s.Lhs[i] = &ast.Ident{NamePos: l.Pos(), Name: "_"}
			}
		}
		if len(lost) == 0 {
			return []ast.Stmt{s}
		}
		return []ast.Stmt{r.given(s, lost), s}
	}
	parts := r.parts(s.Rhs...)
	var lhs []ast.Expr
	for _, l := range s.Lhs {
		if _, ok := r.target(l); ok {
			lhs = append(lhs, l)
		} else {
			parts = append(parts, r.parts(l)...)
		}
	}
	out := []ast.Stmt{r.given(s, parts)}
	for _, l := range lhs {
		if t, _ := r.target(l); t != nil {
			out = append(out, &ast.AssignStmt{Lhs: []ast.Expr{l}, TokPos: s.TokPos, Tok: s.Tok, Rhs: []ast.Expr{r.unknownOf(l, t)}})
		}
	}
	return out
}

// results reports whether e is good, after its arguments are fixed, and has n values.
func (r *rewriter) results(e ast.Expr, n int) bool {
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	if !r.good(e) && !(isCall && r.arguments(call)) {
		return false
	}
	// Also of a map, a channel or an assertion: it has two values only if the operands are known.
	t, ok := r.info.TypeOf(e).(*types.Tuple)
	return ok && t.Len() == n
}

// declare repairs the declaration of variables.
func (r *rewriter) declare(s *ast.DeclStmt) []ast.Stmt {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return []ast.Stmt{s}
	}
	var out []ast.Stmt
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		names := make([]ast.Expr, len(v.Names))
		for i, n := range v.Names {
			names[i] = n
		}
		if len(v.Values) > 0 {
			// The same as x := value, but for the type, which is recorded with x.
			a := &ast.AssignStmt{Lhs: names, TokPos: v.Pos(), Tok: token.DEFINE, Rhs: v.Values}
			if !r.failed(v.Pos(), v.End()) && r.all(names) && r.all(v.Values) && r.good(v.Type) {
				out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Specs: []ast.Spec{v}}})
			} else {
				out = append(out, r.assign(a)...)
			}
			continue
		}
		v.Names = slices.DeleteFunc(v.Names, func(n *ast.Ident) bool { return !r.ident(n) })
		if len(v.Names) > 0 {
			out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Specs: []ast.Spec{v}}})
		}
	}
	return out
}

func (r *rewriter) returns(s *ast.ReturnStmt) []ast.Stmt {
	if len(s.Results) == 0 || !r.failed(s.Pos(), s.End()) && r.all(s.Results) {
		return []ast.Stmt{s}
	}
	want := r.sig.Results()
	if len(s.Results) == want.Len() {
		for i, e := range s.Results {
			s.Results[i] = r.fix(e, want.At(i).Type())
		}
		return []ast.Stmt{s}
	}
	if len(s.Results) == 1 {
		if call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr); ok && r.arguments(call) {
			if t, ok := r.info.TypeOf(call).(*types.Tuple); ok && t.Len() == want.Len() {
				return []ast.Stmt{s}
			}
		}
	}
	given := r.given(s, r.parts(s.Results...))
	s.Results = nil
	for v := range want.Variables() {
		s.Results = append(s.Results, r.unknownOf(s, v.Type()))
	}
	return []ast.Stmt{given, s}
}

// set returns statements that set l, a variable of a loop or a clause, to an unknown value.
func (r *rewriter) set(l ast.Expr, tok token.Token) []ast.Stmt {
	if l == nil {
		return nil
	}
	t, ok := r.target(l)
	if !ok || t == nil {
		return nil
	}
	return []ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{l}, TokPos: l.Pos(), Tok: tok, Rhs: []ast.Expr{r.unknownOf(l, t)}}}
}

func (r *rewriter) ranges(s *ast.RangeStmt) []ast.Stmt {
	s.Body.List = r.list(s.Body.List)
	if r.good(s.X) && !r.failed(s.For, s.Body.Pos()) {
		for _, l := range []*ast.Expr{&s.Key, &s.Value} {
			if *l == nil {
				continue
			}
			if _, ok := r.target(*l); !ok {
				*l = &ast.Ident{NamePos: (*l).Pos(), Name: "_"}
			}
		}
		return []ast.Stmt{s}
	}
	body := append(r.set(s.Key, s.Tok), r.set(s.Value, s.Tok)...)
	s.Body.List = append(body, s.Body.List...)
	return []ast.Stmt{&ast.ForStmt{For: s.For, Cond: r.assert(r.call(r, s.X, r.parts(s.X)), types.Typ[types.Bool]), Body: s.Body}}
}

func (r *rewriter) switches(s *ast.SwitchStmt) []ast.Stmt {
	before, init := r.one(s.Init)
	s.Init = init
	want := types.Type(types.Typ[types.Bool])
	if s.Tag != nil && r.good(s.Tag) {
		want = types.Default(r.info.TypeOf(s.Tag))
	} else if s.Tag != nil {
		before = append(before, r.given(s.Tag, r.parts(s.Tag)))
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for i, e := range c.List {
			if s.Tag == nil || r.good(s.Tag) {
				c.List[i] = r.fix(e, want)
			} else {
				c.List[i] = r.assert(r.call(r, e, r.parts(e)), want)
			}
		}
		c.Body = r.list(c.Body)
	}
	if s.Tag != nil && !r.good(s.Tag) {
		s.Tag = nil
	}
	return append(before, s)
}

func (r *rewriter) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	before, init := r.one(s.Init)
	s.Init = init
	var of *ast.TypeAssertExpr
	var name *ast.Ident
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		of, _ = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		name, _ = a.Lhs[0].(*ast.Ident)
		of, _ = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	}
	good := of != nil && r.good(of.X)
	for _, c := range s.Body.List {
		good = good && r.all(c.(*ast.CaseClause).List)
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		c.Body = r.list(c.Body)
		if good {
			continue
		}
		if len(c.List) > 0 {
			c.List = []ast.Expr{r.unknownOf(c.List[0], types.Typ[types.Bool])}
		}
		if v := r.info.Implicits[c]; v != nil && name != nil && Known(v.Type()) {
			id := &ast.Ident{NamePos: name.Pos(), Name: name.Name}
			r.info.Defs[id] = v
			c.Body = append(r.set(id, token.DEFINE), c.Body...)
		}
	}
	if good {
		return append(before, s)
	}
	if of != nil {
		before = append(before, r.given(of.X, r.parts(of.X)))
	}
	return append(before, &ast.SwitchStmt{Switch: s.Switch, Init: s.Init, Body: s.Body})
}

// comm replaces the communication and the body of a clause of a select statement.
func (r *rewriter) comm(c *ast.CommClause) (ast.Stmt, []ast.Stmt) {
	body := r.list(c.Body)
	switch s := c.Comm.(type) {
	case *ast.SendStmt:
		if t, ok := r.elem(s.Chan); ok {
			s.Value = r.fix(s.Value, t)
			return s, body
		}
		return r.ready(s, r.parts(s.Chan, s.Value)), body
	case *ast.ExprStmt:
		if !r.good(s.X) {
			return r.ready(s, r.parts(s.X)), body
		}
	case *ast.AssignStmt:
		if r.all(s.Rhs) && r.all(s.Lhs) && !r.failed(s.Pos(), s.End()) {
			return s, body
		}
		var before []ast.Stmt
		for _, l := range s.Lhs {
			before = append(before, r.set(l, s.Tok)...)
		}
		return r.ready(s, r.parts(s.Rhs...)), append(before, body...)
	}
	return c.Comm, body
}

// ready returns a receive from an unknown channel.
func (r *rewriter) ready(at ast.Node, parts []ast.Expr) ast.Stmt {
	empty := types.NewStruct(nil, nil)
	from := r.assert(r.call(r, at, parts), types.NewChan(types.RecvOnly, empty))
	e := &ast.UnaryExpr{OpPos: at.Pos(), Op: token.ARROW, X: from}
	r.record(e, aValue, empty)
	return &ast.ExprStmt{X: e}
}
