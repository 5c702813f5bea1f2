package ruletest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
)

// An order is one in which the source could have been written, too: the packages among those that import each other
// neither way, the files of a package, the declarations of a file as far as they do nothing by themselves, the cases of a
// select or of a switch of which at most one can be meant, and the branches of an if with an else, by the opposite of its
// condition. Nil stands for the order in which it is written.
//
// Declarations change places in the text, so that nothing can go by their positions either; line directives keep their
// lines and columns what they were, and so findings can be compared.
type order struct {
	name string
	perm func(n int) []int // some permutation of the numbers below n
}

// orders returns the orders in which every example is analysed again. Each call returns the same ones.
func orders() []*order {
	all := []*order{{"reversed", func(n int) []int {
		p := make([]int, n)
		for i := range p {
			p[i] = n - 1 - i
		}
		return p
	}}}
	for seed := range uint64(5) {
		all = append(all, &order{fmt.Sprintf("shuffled with seed %d", seed), rand.New(rand.NewPCG(seed, seed)).Perm})
	}
	return all
}

// inOrder is s in the order o.
func inOrder[T any](o *order, s []T) []T {
	if o == nil {
		return s
	}
	out := make([]T, 0, len(s))
	for _, i := range o.perm(len(s)) {
		out = append(out, s[i])
	}
	return out
}

// packages returns the own packages of l, each behind those that it imports.
func (o *order) packages(l *listed) []*packages.Package {
	if o == nil {
		return l.graph.Own
	}
	var out []*packages.Package
	left := slices.Clone(l.graph.Own)
	for len(left) > 0 {
		var ready []*packages.Package
		for _, p := range left {
			if !slices.ContainsFunc(l.reach[p], func(i *packages.Package) bool { return slices.Contains(left, i) }) {
				ready = append(ready, p)
			}
		}
		next := inOrder(o, ready)[0]
		out = append(out, next)
		left = slices.DeleteFunc(left, func(p *packages.Package) bool { return p == next })
	}
	return out
}

// graph returns that of l with the files of own packages in the order o. What importing packages see is in that
// order, too: the names that encoded facts have for methods count them as they stand in the source. An error says
// that a file cannot be put into another order.
func (o *order) graph(l *listed) (*load.Graph, error) {
	if o == nil {
		return l.graph, nil
	}
	texts := make(map[string][]byte)
	for _, p := range l.graph.Own {
		if l.graph.IsPart(p) {
			continue // it is as its module has it
		}
		for _, file := range l.sources[p].Files {
			name := l.graph.Fset.File(file.FileStart).Name()
			text, err := l.graph.Read(name)
			if err != nil {
				return nil, err
			}
			if texts[name], err = o.rearrange(l.graph.Fset, file, text); err != nil {
				return nil, err
			}
		}
		p.GoFiles = inOrder(o, p.GoFiles)
	}
	return l.graph.Reread(texts), nil
}

// source returns the package p of graph, with the cases and branches of its statements in the order o.
func (o *order) source(l *listed, graph *load.Graph, p *packages.Package) (*load.Source, error) {
	if o == nil || graph.IsPart(p) {
		s := graph.Source(p, false)
		l.sources[p] = s
		return s, nil
	}
	free := freeCases(graph.Fset, l.sources[p])
	var files []*ast.File
	for _, name := range p.GoFiles {
		text, err := graph.Read(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(graph.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if body := casesOf(n); body != nil && free[placeOf(graph.Fset, n.Pos())] {
				body.List = inOrder(o, body.List)
			}
			if n, ok := n.(*ast.IfStmt); ok && o.perm(2)[0] == 1 {
				turn(n)
			}
			return true
		})
		files = append(files, file)
	}
	return graph.Check(p, files), nil
}

// rearrange returns the text of file with its declarations in the order o. Imports stay in front, and variables and
// functions that initialise the package keep their order among themselves, for what they do depends on it.
func (o *order) rearrange(fset *token.FileSet, file *ast.File, text []byte) ([]byte, error) {
	tf := fset.File(file.FileStart)
	if bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		return nil, fmt.Errorf("%s: the order of a file with line directives cannot be varied", tf.Name())
	}
	type chunk struct {
		line   int // its first line, comments included
		fixed  bool
		source []byte
	}
	var chunks []chunk
	last := 0 // the line on which the declaration before ends
	for _, decl := range file.Decls {
		from, fixed := decl.Pos(), false
		var doc *ast.CommentGroup
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			doc, fixed = decl.Doc, decl.Recv == nil && decl.Name.Name == "init"
		case *ast.GenDecl:
			doc, fixed = decl.Doc, decl.Tok == token.VAR
			if decl.Tok == token.IMPORT {
				last = tf.Line(decl.End())
				continue
			}
		}
		if doc != nil {
			from = doc.Pos()
		}
		line := tf.Line(from)
		if line == last { // two declarations of one line are moved together
			if len(chunks) > 0 {
				chunks[len(chunks)-1].fixed = chunks[len(chunks)-1].fixed || fixed
			}
		} else {
			chunks = append(chunks, chunk{line: line, fixed: fixed})
		}
		last = tf.Line(decl.End())
	}
	if len(chunks) == 0 {
		return text, nil
	}
	start := func(c chunk) int { return tf.Offset(tf.LineStart(c.line)) }
	var movable []chunk
	for i := range chunks {
		end := len(text)
		if i+1 < len(chunks) {
			end = start(chunks[i+1])
		}
		chunks[i].source = text[start(chunks[i]):end]
		if !chunks[i].fixed {
			movable = append(movable, chunks[i])
		}
	}
	head := text[:start(chunks[0])]
	movable = inOrder(o, movable)
	var out bytes.Buffer
	out.Write(head)
	for _, c := range chunks {
		if !c.fixed {
			c, movable = movable[0], movable[1:]
		}
		// The directive is about the next line. That stays empty, or the directive would become part of a doc comment.
		fmt.Fprintf(&out, "\n//line %s:%d:1\n\n%s\n", filepath.Base(tf.Name()), c.line-1, c.source)
	}
	return out.Bytes(), nil
}

// turn makes the else branch of n the first one, where the opposite of its condition can be written without a negation,
// which the SSA form would not have.
func turn(n *ast.IfStmt) {
	other, ok := n.Else.(*ast.BlockStmt)
	if !ok {
		return
	}
	switch cond := ast.Unparen(n.Cond).(type) {
	case *ast.UnaryExpr:
		if cond.Op != token.NOT {
			return
		}
		n.Cond = cond.X
	case *ast.BinaryExpr:
		switch cond.Op {
		case token.EQL:
			cond.Op = token.NEQ
		case token.NEQ:
			cond.Op = token.EQL
		default:
			return
		}
	default:
		return
	}
	n.Body, n.Else = other, n.Body
}

// placeOf returns the position of pos, as it is in the text as it is written.
func placeOf(fset *token.FileSet, pos token.Pos) token.Position {
	p := fset.Position(pos)
	p.Offset = 0
	return p
}

// casesOf returns the body of a switch or select, nil for other nodes.
func casesOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	case *ast.SelectStmt:
		return n.Body
	}
	return nil
}

// freeCases returns the places of the switches and selects whose cases can be in any order: all selects, and switches
// over constants or over types that are no interfaces, if no case falls through to the next one.
func freeCases(fset *token.FileSet, src *load.Source) map[token.Position]bool {
	free := make(map[token.Position]bool)
	constant := func(x ast.Expr) bool { return src.Info.Types[x].Value != nil }
	concrete := func(x ast.Expr) bool {
		t := src.Info.Types[x]
		return t.IsNil() || t.IsType() && !types.IsInterface(t.Type)
	}
	for _, file := range src.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt:
				free[placeOf(fset, n.Pos())] = true
			case *ast.SwitchStmt:
				free[placeOf(fset, n.Pos())] = n.Tag != nil && apart(n.Body, constant)
			case *ast.TypeSwitchStmt:
				free[placeOf(fset, n.Pos())] = apart(n.Body, concrete)
			}
			return true
		})
	}
	return free
}

// apart reports whether all that the cases of a switch name is simple, and none of them falls through.
func apart(body *ast.BlockStmt, simple func(ast.Expr) bool) bool {
	for _, s := range body.List {
		c := s.(*ast.CaseClause)
		for _, x := range c.List {
			if !simple(x) {
				return false
			}
		}
		if len(c.Body) > 0 {
			if b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				return false
			}
		}
	}
	return true
}
