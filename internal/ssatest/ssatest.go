// Package ssatest builds the SSA form of a source text for tests.
package ssatest

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// One importer for all tests of a program: it type-checks what they import from source, once.
var (
	importing sync.Mutex
	fset      = token.NewFileSet()
	imp       = importer.ForCompiler(fset, "source", nil)
)

// Pass type-checks src, a file that imports the standard library only, and returns the pass of an analyzer that
// requires ssapkg.Analyzer and program.Analyzer: without facts, and with findings that fail the test. It fails the
// test where src does not compile.
func Pass(t testing.TB, src string) *analysis.Pass {
	t.Helper()
	return PassWith(t, src, nil)
}

// libraries are packages by import path, as source, besides those of the standard library.
type libraries struct {
	source map[string]string
	types  map[string]*types.Package
}

// Import implements [types.Importer].
func (l *libraries) Import(path string) (*types.Package, error) {
	src, ok := l.source[path]
	if !ok {
		return imp.Import(path)
	}
	if pkg := l.types[path]; pkg != nil {
		return pkg, nil
	}
	f, err := parser.ParseFile(fset, path+"/lib.go", src, 0)
	if err != nil {
		return nil, err
	}
	pkg, err := (&types.Config{Importer: l}).Check(path, fset, []*ast.File{f}, nil)
	l.types[path] = pkg
	return pkg, err
}

// PassWith is Pass where src imports the packages of libs, too, which maps import paths to source files.
func PassWith(t testing.TB, src string, libs map[string]string) *analysis.Pass {
	t.Helper()
	f, err := parser.ParseFile(fset, "src.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: &libraries{libs, map[string]*types.Package{}}}
	importing.Lock()
	pkg, err := conf.Check("example.com/src", fset, []*ast.File{f}, info)
	importing.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{
		Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info,
		Report:            func(d analysis.Diagnostic) { t.Errorf("unexpected finding: %s", d.Message) },
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		ExportPackageFact: func(analysis.Fact) {},
		ReadFile: func(name string) ([]byte, error) {
			if src, ok := libs[strings.TrimSuffix(name, "/lib.go")]; ok {
				return []byte(src), nil
			}
			return os.ReadFile(name)
		},
	}
	lazy, err := ssapkg.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	pass.Analyzer = &analysis.Analyzer{Name: "test"}
	pass.ResultOf = map[*analysis.Analyzer]any{ssapkg.Analyzer: lazy}
	prog, err := program.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	pass.ResultOf[program.Analyzer] = prog
	return pass
}

// Build builds the SSA of src as production does. See Pass for src.
func Build(t testing.TB, src string) *ssa.Package {
	t.Helper()
	return ssapkg.Of(Pass(t, src)).Package
}

// Chain returns the source of functions f1 to fn, with parameters as in "(c chan int) error" and arguments as in "c",
// each of which calls the next one: with a result, it returns what that gives. The last one does last.
func Chain(n int, params, args, last string) string {
	step := ""
	if !strings.HasSuffix(params, ")") {
		step = "return "
	}
	var b strings.Builder
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "func f%d%s { %sf%d(%s) }\n", i, params, step, i+1, args)
	}
	fmt.Fprintf(&b, "func f%d%s { %s }\n", n, params, last)
	return b.String()
}

// Calls returns the calls in fn of functions and methods named name, in order.
func Calls(fn *ssa.Function, name string) []*ssa.CallCommon {
	var out []*ssa.CallCommon
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := c.Common()
			if common.IsInvoke() && common.Method.Name() == name || common.StaticCallee() != nil && common.StaticCallee().Name() == name {
				out = append(out, common)
			}
		}
	}
	return out
}
