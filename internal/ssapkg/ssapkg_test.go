package ssapkg_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

const src = `package p

import "os"

var v = func() int { return 1 }

func f() { go func() {}() }

func g[T any](T) {}

type t struct{}

func (t) m() {
	if len(os.Args) > 9 {
		os.Exit(1)
	}
	println("after")
}
`

func TestGet(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("example.com/p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info}
	lazy, err := ssapkg.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	p := lazy.(*ssapkg.Lazy).Get("test")
	if p != lazy.(*ssapkg.Lazy).Get("test") {
		t.Error("the package is built twice")
	}
	var names []string
	for _, fn := range p.Funcs {
		names = append(names, fn.Name())
	}
	want := []string{"m", "f", "f$1", "g", "init$1"}
	if len(names) != len(want) {
		t.Fatalf("functions %v, want %v", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("functions %v, want %v", names, want)
		}
	}
	// os.Exit ends its block: control does not go on to println.
	for _, b := range p.Funcs[3].Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if ok && c.Call.StaticCallee() != nil && c.Call.StaticCallee().Name() == "Exit" {
				if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); !ok || len(b.Succs) != 0 {
					t.Error("control goes on after os.Exit")
				}
			}
		}
	}
}

// Where the builder panics, each rule that asks does: none takes the package for one that has nothing to report.
func TestGetOfWhatIsNotWhole(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n\nfunc f() { missing() }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{file}, info)
	if err == nil {
		t.Fatal("the package has no error")
	}
	lazy, err := ssapkg.Analyzer.Run(&analysis.Pass{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"first", "second"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the %s rule is given a package", by)
				}
			}()
			lazy.(*ssapkg.Lazy).Get(by)
		}()
	}
}
