// Package graph has the reference graph of the program that ships: which declaration names which. It tells what a reporting site costs: the lines that nothing
// else needs.
package graph

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module is the path of the module whose program this is about.
const module = "github.com/ctrllint/ctrllint"

// A Node is a declaration at the top level of a package: a function, a method, a type, or one line of variables or constants.
type Node struct {
	Package string // below the module
	Name    string
	File    string // below the module
	Line    int
	Lines   int      // with its comment and an empty line
	Sites   []string // that the node words

	words   map[string]bool // its string literals
	out     map[*Node]bool
	exports map[string]bool // the types of the facts that it exports
	imports map[string]bool // the types of the facts that it imports, or asks for otherwise
	object  types.Object
}

// A Graph is that of all declarations that ship.
type Graph struct {
	Nodes []*Node
	roots []*Node
	of    map[types.Object]*Node
}

// Load reads the program whose module has its root in the folder dir.
func Load(dir string) (*Graph, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, "./cmd/...", "./plugin/...", "./analyzers/...", "./internal/...")
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	l := &loader{g: &Graph{of: map[types.Object]*Node{}}, dir: dir, dispatched: map[string]bool{}}
	for _, name := range strings.Fields("String Error AFact Set Get IsBoolFlag Write Read Close Len Less Swap Push Pop MarshalJSON UnmarshalJSON GobEncode GobDecode MarshalYAML UnmarshalYAML MarshalText UnmarshalText Unwrap Is As Format") {
		l.dispatched[name] = true
	}
	var errs []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if p.PkgPath == module || strings.HasPrefix(p.PkgPath, module+"/") {
			l.pkgs = append(l.pkgs, p)
			for _, e := range p.Errors {
				errs = append(errs, e)
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("the program does not compile: %w", err)
	}
	slices.SortFunc(l.pkgs, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	l.declare()
	l.refer()
	return l.g, nil
}

// A loader makes a graph of packages.
type loader struct {
	g          *Graph
	dir        string
	pkgs       []*packages.Package
	bodies     []body
	dispatched map[string]bool // names of methods of interfaces: a type reaches those of its methods that have one
}

// A body is the syntax of a node.
type body struct {
	n    *Node
	p    *packages.Package
	node ast.Node
}

// declare makes the nodes.
func (l *loader) declare() {
	for _, p := range l.pkgs {
		for _, tv := range p.TypesInfo.Types {
			if i, ok := tv.Type.(*types.Interface); ok {
				for m := range i.Methods() {
					l.dispatched[m.Name()] = true
				}
			}
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					name := d.Name.Name
					if d.Recv != nil {
						name = "(" + types.ExprString(d.Recv.List[0].Type) + ")." + name
					}
					n := l.node(p, d, name, commentLines(p.Fset, d.Doc)+1, d.Name)
					main := d.Name.Name == "main" && strings.HasPrefix(p.PkgPath, module+"/cmd/")
					plugin := strings.HasPrefix(p.PkgPath, module+"/plugin") && d.Name.IsExported()
					if main || plugin || d.Name.Name == "init" {
						l.g.roots = append(l.g.roots, n)
					}
				case *ast.GenDecl:
					l.declareGroup(p, d)
				}
			}
		}
	}
}

// declareGroup makes a node of each line of a declaration of types, variables or constants.
func (l *loader) declareGroup(p *packages.Package, d *ast.GenDecl) {
	for i, s := range d.Specs {
		more := 0
		if i == 0 {
			more = commentLines(p.Fset, d.Doc) + 1
			if d.Lparen.IsValid() {
				more += 2
			}
		}
		switch s := s.(type) {
		case *ast.TypeSpec:
			l.node(p, s, s.Name.Name, more+commentLines(p.Fset, s.Doc), s.Name)
		case *ast.ValueSpec:
			n := l.node(p, s, s.Names[0].Name, more+commentLines(p.Fset, s.Doc), s.Names...)
			if s.Names[0].Name == "_" {
				l.g.roots = append(l.g.roots, n)
			}
		}
	}
}

func commentLines(fset *token.FileSet, g *ast.CommentGroup) int {
	if g == nil {
		return 0
	}
	return fset.Position(g.End()).Line - fset.Position(g.Pos()).Line + 1
}

// node makes the node of a declaration with these names.
func (l *loader) node(p *packages.Package, syntax ast.Node, name string, more int, names ...*ast.Ident) *Node {
	from, to := p.Fset.Position(syntax.Pos()), p.Fset.Position(syntax.End())
	file, err := filepath.Rel(l.dir, from.Filename)
	if err != nil {
		file = from.Filename
	}
	n := &Node{
		Package: strings.TrimPrefix(p.PkgPath, module+"/"), Name: name, File: filepath.ToSlash(file), Line: from.Line, Lines: to.Line - from.Line + 1 + more,
		words: map[string]bool{}, out: map[*Node]bool{}, exports: map[string]bool{}, imports: map[string]bool{},
	}
	for _, id := range names {
		if o := p.TypesInfo.Defs[id]; o != nil {
			l.g.of[o], n.object = n, o
		}
	}
	l.g.Nodes = append(l.g.Nodes, n)
	l.bodies = append(l.bodies, body{n, p, syntax})
	return n
}

// refer fills in what each node names.
func (l *loader) refer() {
	for _, b := range l.bodies {
		ast.Inspect(b.node, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.Ident:
				l.use(b, x)
			case *ast.BasicLit:
				b.literal(x)
			case *ast.CallExpr:
				b.facts(x)
			case *ast.TypeAssertExpr:
				if x.Type != nil {
					b.n.imports[typeName(b.p.TypesInfo.TypeOf(x.Type))] = true
				}
			}
			return true
		})
		if named, ok := declared(b.n.object).(*types.Named); ok {
			for m := range named.Methods() {
				if t := l.g.of[m]; t != nil && l.dispatched[m.Name()] {
					b.n.out[t] = true
				}
			}
		}
	}
}

// declared is the type that o, the name of one, declares; nil for anything else.
func declared(o types.Object) types.Type {
	if t, ok := o.(*types.TypeName); ok {
		return t.Type()
	}
	return nil
}

// use notes that b names what id stands for.
func (l *loader) use(b body, id *ast.Ident) {
	o := b.p.TypesInfo.Uses[id]
	switch x := o.(type) {
	case *types.Func:
		o = x.Origin()
	case *types.Var:
		o = x.Origin()
	}
	if t := l.g.of[o]; o != nil && t != nil && t != b.n {
		b.n.out[t] = true
	}
}

// literal notes a string: a site where it has that type.
func (b body) literal(x *ast.BasicLit) {
	tv := b.p.TypesInfo.Types[x]
	if x.Kind != token.STRING || tv.Value == nil {
		return
	}
	text := strings.Trim(x.Value, "\"`")
	b.n.words[text] = true
	if n, ok := tv.Type.(*types.Named); ok && text != "" && n.Obj().Name() == "Site" && n.Obj().Pkg().Path() == module+"/internal/rule" {
		b.n.Sites = append(b.n.Sites, text)
	}
}

// facts notes the facts that a call exports or imports.
func (b body) facts(call *ast.CallExpr) {
	if index, ok := call.Fun.(*ast.IndexExpr); ok {
		if sel, ok := index.X.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Gather" || sel.Sel.Name == "Get") {
			b.n.imports[typeName(b.p.TypesInfo.TypeOf(index.Index))] = true
		}
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasSuffix(sel.Sel.Name, "Fact") || len(call.Args) == 0 {
		return
	}
	name := typeName(b.p.TypesInfo.TypeOf(call.Args[len(call.Args)-1]))
	switch {
	case strings.HasPrefix(sel.Sel.Name, "Import"):
		b.n.imports[name] = true
	case strings.HasPrefix(sel.Sel.Name, "Export"):
		b.n.exports[name] = true
	}
}

func typeName(t types.Type) string { return strings.TrimPrefix(types.TypeString(t, nil), "*") }
