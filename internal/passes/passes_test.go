package passes

import (
	"bytes"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

type seen struct{ Name string }

func (*seen) AFact() {}

type length struct{ Functions int }

func (*length) AFact() {}

// names exports a fact of each function, and how many there are; it reports the functions with facts that the package
// calls, its own included.
var names = &analysis.Analyzer{
	Name: "names", Doc: "names", FactTypes: []analysis.Fact{new(seen), new(length)}, ResultType: reflect.TypeFor[[]string](),
	Run: func(pass *analysis.Pass) (any, error) {
		var out []string
		n := 0
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					pass.ExportObjectFact(pass.TypesInfo.Defs[f.Name], &seen{f.Name.Name})
					n++
				}
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if id, ok := node.(*ast.Ident); ok && pass.TypesInfo.Uses[id] != nil {
					if f := new(seen); pass.ImportObjectFact(pass.TypesInfo.Uses[id], f) {
						out = append(out, f.Name)
					}
				}
				return true
			})
		}
		pass.ExportPackageFact(&length{n})
		for _, i := range pass.Pkg.Imports() {
			if f := new(length); pass.ImportPackageFact(i, f) {
				out = append(out, i.Name()+" has facts")
			}
		}
		return out, nil
	},
}

// check type-checks one file, whose imports are those of deps.
func check(t *testing.T, path, src string, deps ...*types.Package) *Package {
	t.Helper()
	p := &Package{Fset: token.NewFileSet(), Info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	file, err := parser.ParseFile(p.Fset, path+".go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Files = []*ast.File{file}
	conf := types.Config{Importer: imports(deps)}
	if p.Types, err = conf.Check(path, p.Fset, p.Files, p.Info); err != nil {
		t.Fatal(err)
	}
	p.Imports = deps
	return p
}

type imports []*types.Package

func (i imports) Import(path string) (*types.Package, error) {
	for _, p := range i {
		if p.Path() == path {
			return p, nil
		}
	}
	return importer.Default().Import(path)
}

const lower = "package a\n\nfunc F() {}\n\nfunc hidden() {}\n\ntype T struct{}\n\nfunc (T) M() {}\n\nfunc (*T) m() {}\n"

func newRunner(t *testing.T, analyzers ...*analysis.Analyzer) *Runner {
	t.Helper()
	r, err := New(analyzers)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Facts go from one copy of a package to another one by their encoding.
func TestFacts(t *testing.T) {
	r := newRunner(t, names)
	_, exported := r.Run(check(t, "a", lower))
	encoded, err := exported.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if again, _ := exported.Encode(nil); !bytes.Equal(again, encoded) {
			t.Fatal("the same facts have two encodings")
		}
	}
	if n := len(exported.Objects()); n != 4 {
		t.Errorf("%d facts of objects", n)
	}
	if facts := exported.Package(); len(facts) != 1 || facts[0].(*length).Functions != len(exported.Objects()) {
		t.Errorf("the package has the facts %v", facts)
	}

	copied := check(t, "a", lower).Types
	r.Facts.Provide(copied, encoded, nil)
	user := check(t, "b", "package b\n\nimport \"a\"\n\nfunc g() { a.F(); a.T{}.M(); g() }\n", copied)
	actions, _ := r.Run(user)
	want := []string{"F", "M", "g", "a has facts"}
	if got := actions[0].Result.([]string); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What no importing package can see has no place in the encoding, and an object that is gone has no fact.
func TestHiddenFacts(t *testing.T) {
	r := newRunner(t, names)
	_, exported := r.Run(check(t, "a", lower))
	encoded, err := exported.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(encoded, []byte("hidden")) {
		t.Error("there is a fact of a function that is not exported")
	}
	smaller := check(t, "a", "package a\n\nfunc F() {}\n").Types
	r.Facts.Provide(smaller, encoded, nil)
	s := r.Facts.of(smaller)
	if len(s.facts) != 2 {
		t.Errorf("%d facts instead of those of F and of the package", len(s.facts))
	}
}

// All facts are those of the packages below and of the package itself, of the analyzer's own types.
func TestAllFacts(t *testing.T) {
	var objects, pkgs []string
	all := &analysis.Analyzer{
		Name: "all", Doc: "all", FactTypes: []analysis.Fact{new(other)}, Requires: []*analysis.Analyzer{names},
		Run: func(pass *analysis.Pass) (any, error) {
			if f, ok := pass.Files[0].Scope.Objects["F"]; ok && f != nil {
				pass.ExportObjectFact(pass.Pkg.Scope().Lookup("F"), new(other))
			}
			pass.ExportPackageFact(new(other))
			for _, f := range pass.AllObjectFacts() {
				objects = append(objects, pass.Pkg.Name()+" sees "+f.Object.Name())
			}
			for _, f := range pass.AllPackageFacts() {
				pkgs = append(pkgs, pass.Pkg.Name()+" sees "+f.Package.Name())
			}
			return nil, nil
		},
	}
	r := newRunner(t, all)
	a := check(t, "a", lower)
	_, exported := r.Run(a)
	encoded, err := exported.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Facts.Provide(a.Types, encoded, nil)
	r.Run(check(t, "b", "package b\n\nimport _ \"a\"\n", a.Types))
	if want := []string{"a sees F", "b sees F"}; !slices.Equal(objects, want) {
		t.Errorf("got %q, want %q", objects, want)
	}
	if want := []string{"a sees a", "b sees a", "b sees b"}; !slices.Equal(pkgs, want) {
		t.Errorf("got %q, want %q", pkgs, want)
	}
}

type other struct{ N int }

func (*other) AFact() {}

func TestFailures(t *testing.T) {
	fails := &analysis.Analyzer{Name: "fails", Doc: "fails", Run: func(*analysis.Pass) (any, error) { return nil, errors.New("broken") }}
	after := &analysis.Analyzer{Name: "after", Doc: "after", Requires: []*analysis.Analyzer{fails}, Run: func(*analysis.Pass) (any, error) { return nil, nil }}
	wrong := &analysis.Analyzer{Name: "wrong", Doc: "wrong", ResultType: reflect.TypeFor[int](), Run: func(*analysis.Pass) (any, error) { return "", nil }}
	edits := &analysis.Analyzer{Name: "edits", Doc: "edits", Run: func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Pos(), SuggestedFixes: []analysis.SuggestedFix{{
			TextEdits: []analysis.TextEdit{{Pos: pass.Files[0].FileEnd + 1000}},
		}}})
		return nil, nil
	}}
	actions, _ := newRunner(t, after, wrong, edits).Run(check(t, "a", lower))
	for _, act := range actions {
		if act.Err == nil {
			t.Errorf("%s has no error", act.Analyzer.Name)
		}
		if act.Analyzer == after && !strings.Contains(act.Err.Error(), "fails") {
			t.Errorf("the error of what requires it: %v", act.Err)
		}
	}
	if len(actions) != 4 {
		t.Errorf("%d actions", len(actions))
	}
}

func TestForeignFact(t *testing.T) {
	foreign := &analysis.Analyzer{Name: "foreign", Doc: "foreign", FactTypes: []analysis.Fact{new(other)}, Run: func(pass *analysis.Pass) (any, error) {
		pass.ExportObjectFact(pass.Pkg.Imports()[0].Scope().Lookup("F"), new(other))
		return nil, nil
	}}
	defer func() {
		if recover() == nil {
			t.Error("a fact of another package's object was taken")
		}
	}()
	newRunner(t, foreign).Run(check(t, "b", "package b\n\nimport \"a\"\n\nvar _ = a.F\n", check(t, "a", lower).Types))
}

func TestInvalid(t *testing.T) {
	cyclic := &analysis.Analyzer{Name: "cyclic", Doc: "cyclic", Run: names.Run}
	cyclic.Requires = []*analysis.Analyzer{cyclic}
	if _, err := New([]*analysis.Analyzer{cyclic}); err == nil {
		t.Error("no error")
	}
}
