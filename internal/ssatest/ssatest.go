// Package ssatest builds the SSA form of a source text for tests.
package ssatest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Build type-checks src, a file that imports the standard library only, and builds its SSA. It fails the test where src
// does not compile.
func Build(t testing.TB, src string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "src.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg := types.NewPackage("example.com/src", f.Name.Name)
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	p, _, err := ssautil.BuildPackage(conf, fset, pkg, []*ast.File{f}, ssa.BuilderMode(0))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Calls are the calls in fn of functions and methods named name, in order.
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
