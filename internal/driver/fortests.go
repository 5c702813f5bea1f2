package driver

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/report"
)

// withoutTests returns the findings without those in packages that only tests use, as fakes and mocks, unless the run
// asks for tests: in a module with a command, packages that only _test.go files of other packages import. The remark
// has their number; it is empty if there are none.
func (r *run) withoutTests(findings []report.Finding) (out []report.Finding, remark string) {
	if r.o.Tests || r.foreign || len(findings) == 0 {
		return findings, ""
	}
	with := make(map[string]bool)
	for _, f := range findings {
		with[f.Package] = true
	}
	only := r.importedByTests(with)
	if len(only) == 0 {
		return findings, ""
	}
	for _, f := range findings {
		if !only[f.Package] {
			out = append(out, f)
		}
	}
	return out, phrase.Count(len(findings)-len(out), "finding is", "findings are") + " excluded in packages that only tests import (-tests reports them)"
}

// importedByTests returns those of the packages, by import path, that are not commands and that only tests of other
// packages import.
func (r *run) importedByTests(of map[string]bool) map[string]bool {
	alone := make(map[string]*packages.Package)
	for _, p := range r.graph.Own {
		if of[p.PkgPath] && p.Name != "main" && p.Module != nil && p.Module.Dir != "" && r.graph.IsOwn(p) {
			alone[p.PkgPath] = p
		}
	}
	for _, p := range r.graph.Own {
		for path := range p.Imports {
			delete(alone, path)
		}
	}
	if len(alone) == 0 {
		return nil
	}
	commands := make(map[string]bool) // the folders of modules that have one
	for _, p := range r.graph.Own {
		if p.Name == "main" && p.Module != nil {
			commands[p.Module.Dir] = true
		}
	}
	modules := make(map[string]bool)
	for _, p := range alone {
		if commands[p.Module.Dir] {
			modules[p.Module.Dir] = true
		}
	}
	out := make(map[string]bool)
	for dir := range modules {
		testImports(dir, alone, out)
	}
	return out
}

// testImports adds to out those of the packages that tests of others import, in the module in the folder root.
func testImports(root string, of map[string]*packages.Package, out map[string]bool) {
	for file := range goFiles(root) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for path, p := range of {
			if !out[path] && filepath.Dir(file) != p.Dir && bytes.Contains(src, []byte(strconv.Quote(path))) && importsOf(src, path) {
				out[path] = true
			}
		}
	}
}

// importsOf reports whether the file with that source imports path.
func importsOf(src []byte, path string) bool {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(syntax.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(path) })
}
