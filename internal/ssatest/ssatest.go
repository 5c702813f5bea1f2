// Package ssatest builds the SSA form of a source text for tests.
package ssatest

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
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
	f, err := parser.ParseFile(fset, "src.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imp}
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
