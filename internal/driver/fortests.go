package driver

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/report"
)

// withoutTests are the findings without those in packages that work for tests alone, which the run has not asked for: of a module that has a
// command, and so is no library for others, what no code imports but _test.go files of other packages, as fakes and mocks. The remark says how
// many they were; empty where none was.
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
	return out, phrase.Count(len(findings)-len(out), "finding is", "findings are") + " left out, in what tests alone import (-tests shows them)"
}

// importedByTests are those of the packages, by import path, that are no commands and that only tests of other packages import.
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

// testImports adds to out which of the packages the tests of others import, in the module in the folder root. What cannot be read imports
// nothing: whoever builds it hears of it.
func testImports(root string, of map[string]*packages.Package, out map[string]bool) {
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // See above.
		}
		if d.IsDir() {
			if file != root && notOfModule(file, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return nil //nolint:nilerr // See above.
		}
		for path, p := range of {
			if !out[path] && filepath.Dir(file) != p.Dir && bytes.Contains(src, []byte(strconv.Quote(path))) && importsOf(src, path) {
				out[path] = true
			}
		}
		return nil
	})
}

// notOfModule reports whether the folder, of that base name, and what lies below is no part of the module around it.
func notOfModule(folder, base string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || base == "vendor" || base == "testdata" || base[0] == '.' || base[0] == '_'
}

// importsOf reports whether the file with that source imports path.
func importsOf(src []byte, path string) bool {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(syntax.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(path) })
}
