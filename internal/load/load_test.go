package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/partial"
)

func list(t *testing.T, dir string, patterns ...string) *Graph {
	t.Helper()
	g, err := List(Config{Context: context.Background(), Dir: dir, Env: append(os.Environ(), "GOWORK=off"), Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// seen is all that an importing package can know of p: each exported object with its place, its type, and, where that
// is declared there, what it is made of.
func seen(g *Graph, p *types.Package) []string {
	var out []string
	qualify := func(p *types.Package) string { return p.Path() }
	add := func(obj types.Object) {
		at := g.Fset.Position(obj.Pos())
		out = append(out, fmt.Sprintf("%s:%d:%d %s", filepath.Base(at.Filename), at.Line, at.Column, types.ObjectString(obj, qualify)))
	}
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		add(obj)
		if c, ok := obj.(*types.Const); ok {
			out = append(out, c.Val().ExactString())
		}
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !ok || !isType || named.Obj().Pkg() != p {
			continue
		}
		out = append(out, types.TypeString(named.Underlying(), qualify))
		var methods []types.Object
		for i := range named.NumMethods() {
			methods = append(methods, named.Method(i))
		}
		slices.SortFunc(methods, func(a, b types.Object) int { return strings.Compare(a.Name(), b.Name()) })
		for _, m := range methods {
			add(m)
		}
	}
	for _, i := range p.Imports() {
		out = append(out, "import "+i.Path())
	}
	slices.Sort(out)
	return out
}

// What importing packages see is the same with and without function bodies, and what they do not see is not there.
func TestTypes(t *testing.T) {
	paths := []string{
		"net/http", "go/types", "encoding/json", "testing", "slices", "maps", "iter", "sync/atomic", "reflect", "time", "os",
		"text/template", "database/sql", "crypto/tls", "log/slog", "context", "runtime", "net", "os/user", "syscall", "math/big",
	}
	g := list(t, "", paths...)
	if len(g.Roots) != len(paths) {
		t.Fatalf("%d packages of %d", len(g.Roots), len(paths))
	}
	objects := 0
	for _, p := range g.Roots {
		full := g.Source(p, false)
		if len(full.Errors) > 0 {
			t.Errorf("%s: %v", p.PkgPath, full.Errors)
			continue
		}
		if checked := (&partial.Checked{Types: full.Types, Info: full.Info}); !checked.Whole() {
			t.Errorf("%s has no errors, and is not whole", p.PkgPath)
		}
		light, err := g.Types(p)
		if err != nil {
			t.Errorf("%s: %v", p.PkgPath, err)
			continue
		}
		want, got := seen(g, full.Types), seen(g, light)
		// cgo adds imports that the source does not have.
		want = slices.DeleteFunc(want, func(s string) bool { return s == "import runtime/cgo" || s == "import unsafe" || s == "import syscall" })
		got = slices.DeleteFunc(got, func(s string) bool { return s == "import runtime/cgo" || s == "import unsafe" || s == "import syscall" })
		for _, s := range want {
			if !slices.Contains(got, s) {
				t.Errorf("%s: without bodies there is no\n\t%s", p.PkgPath, s)
			}
		}
		for _, s := range got {
			if !slices.Contains(want, s) {
				t.Errorf("%s: only without bodies there is\n\t%s", p.PkgPath, s)
			}
		}
		if len(light.Scope().Names()) > len(full.Types.Scope().Names()) {
			t.Errorf("%s: more objects without bodies", p.PkgPath)
		}
		objects += len(want)
	}
	if objects < 5000 {
		t.Errorf("only %d objects were compared", objects)
	}
}

func TestTypesInModule(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": `package a

import (
	"io"
	. "strings"
	j "encoding/json"
	"fmt"
)

type hidden struct{ io.Reader }

func (hidden) Close() error { return fmt.Errorf("x") }

var Shown = make()

func make() hidden { return hidden{} }

func unseen() j.Decoder { panic(0) }

type Alias = Builder

const (
	zero = iota
	One
)

var Typed io.Writer = unseen2()

func unseen2() io.Writer { return nil }

func Generic[T interface{ ~int | Set }](t T) T { return t }

type Set struct{ m map[string]struct{} }

type other = hidden

func (other) ByAlias() {}
`,
	})
	g := list(t, dir, "./...")
	p := g.Roots[0]
	light, err := g.Types(p)
	if err != nil {
		t.Fatal(err)
	}
	full := g.Source(p, false)
	if len(full.Errors) > 0 {
		t.Fatal(full.Errors)
	}
	if want, got := seen(g, full.Types), seen(g, light); !slices.Equal(want, got) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if names, want := light.Scope().Names(), []string{"Alias", "Generic", "One", "Set", "Shown", "Typed", "hidden", "make", "other", "zero"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q: what nobody sees is not type-checked", names, want)
	}
	for _, i := range p.Imports {
		if _, err := g.Types(i); err != nil {
			t.Error(err)
		}
	}
}

// C types that importing packages see are asked of cgo; others cost nothing.
func TestCgoTypes(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"seen/a.go":   "package seen\n\n// typedef struct { int n; } thing;\nimport \"C\"\n\ntype T struct{ c *C.thing }\n\nfunc (t T) N() int { return int(t.c.n) }\n",
		"unseen/a.go": "package unseen\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc One() int { return int(C.one()) }\n",
		"main.go":     "package main\n\nimport (\n\t\"example.com/m/seen\"\n\t\"example.com/m/unseen\"\n)\n\nfunc main() { println(seen.T{}.N(), unseen.One()) }\n",
	})
	g := list(t, dir, "./...")
	for _, p := range g.Roots {
		light, err := g.Types(p)
		if err != nil {
			t.Fatalf("%s: %v", p.PkgPath, err)
		}
		if p.Name == "seen" {
			field := light.Scope().Lookup("T").Type().Underlying().(*types.Struct).Field(0)
			if got := field.Type().String(); !strings.Contains(got, "_Ctype") {
				t.Errorf("the field's type is %s", got)
			}
		}
	}
	if len(g.cgo) != 1 {
		t.Errorf("cgo ran for %d packages instead of one", len(g.cgo))
	}
	for _, p := range g.Roots {
		if src := g.Source(p, false); len(src.Errors) > 0 {
			t.Errorf("%s: %v", p.PkgPath, src.Errors)
		}
	}
}

// What cgo cannot do is an error, whatever the go command says of it.
func TestCgoFails(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": "package a\n\n// #include \"missing.h\"\nimport \"C\"\n\nfunc F() int { return int(C.one) }\n",
		"b/b.go": "package b\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc F() int { return int(C.one()) }\n",
	})
	for _, test := range []struct{ cc, pattern string }{{"", "./a"}, {"CC=" + filepath.Join(dir, "nowhere"), "./b"}} {
		g, err := List(Config{Context: t.Context(), Dir: dir, Env: append(os.Environ(), "GOWORK=off", "CGO_ENABLED=1", test.cc), Patterns: []string{test.pattern}})
		if err != nil {
			t.Fatal(err)
		}
		if src := g.Source(g.Roots[0], false); len(src.Errors) == 0 {
			t.Errorf("%s: no error, and %d files", test.pattern, len(src.Files))
		}
	}
}

// A package of the user's own of which no file takes part says nothing itself: who imports it lacks it.
func TestCgoLeftOut(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport \"example.com/m/b\"\n\nvar A = b.F()\n",
		"b/b.go": "package b\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc F() int { return int(C.one()) }\n",
	})
	g, err := List(Config{Context: t.Context(), Dir: dir, Env: append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"), Patterns: []string{"./a"}})
	if err != nil {
		t.Fatal(err)
	}
	src := g.Source(g.Roots[0], false)
	if len(src.Errors) > 0 || len(src.Missing) != 1 || src.Missing[0].Package.PkgPath != "example.com/m/b" {
		t.Errorf("errors %v, missing %v instead of example.com/m/b", src.Errors, src.Missing)
	}
}

// Files as arguments, and packages that are there once more for the test of another one, have cgo, too.
func TestCgoVariants(t *testing.T) {
	const c = "\n\n// typedef struct { int n; } thing;\nimport \"C\"\n\ntype T struct{ C *C.thing }\n"
	dir := filetest.Module(t, map[string]string{
		"p/p.go":           "package p\n\nvar P int\n",
		"p/export_test.go": "package p\n\nvar ForTests int\n",
		"p/p_test.go":      "package p_test\n\nimport (\n\t\"example.com/m/p\"\n\t\"example.com/m/q\"\n)\n\nvar _, _ = p.ForTests, q.T{}\n",
		"q/q.go":           "package q" + c,
		"q/p.go":           "package q\n\nimport \"example.com/m/p\"\n\nvar _ = p.P\n",
		"r/r.go":           "package r" + c,
		"r/r_test.go":      "package r\n\nvar _ T\n",
	})
	for _, patterns := range [][]string{{"./..."}, {filepath.Join(dir, "r/r.go")}} {
		g, err := List(Config{Context: t.Context(), Dir: dir, Env: append(os.Environ(), "GOWORK=off", "CGO_ENABLED=1"), Tests: true, Patterns: patterns})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range g.Own {
			if src := g.Source(p, false); len(src.Errors) > 0 {
				t.Errorf("%s: %v", p.ID, src.Errors)
			}
		}
	}
}

// A file may be written for a newer Go than its module.
func TestFileVersion(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"ver/ver.go": "//go:build go1.21\n\npackage ver\n\nvar s = make([]int, 4)\n\nvar X = [4]int(s)\n",
		"use/use.go": "package use\n\nimport \"example.com/m/ver\"\n\nfunc F() int { return ver.X[0] }\n",
	})
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.17\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := list(t, dir, "./...")
	for _, p := range g.Roots {
		if src := g.Source(p, false); len(src.Errors) > 0 {
			t.Errorf("%s: %v", p.ID, src.Errors)
		}
	}
}

// A folder may be called what go test calls its main packages.
func TestNamedTest(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"foo.test/foo.go": "package foo\n", "main.test/main.go": "package main\n\nfunc main() {}\n"})
	if g := list(t, dir, "./..."); len(g.Own) != 2 {
		t.Errorf("%d packages instead of 2", len(g.Own))
	}
}

func TestCycle(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport \"example.com/m/b\"\n\nvar A = b.B\n",
		"b/b.go": "package b\n\nimport \"example.com/m/a\"\n\nvar B = a.A\n",
		"c/c.go": "package c\n\nimport \"example.com/m/a\"\n\nvar C = a.A\n",
	})
	g := list(t, dir, "./...")
	errors := 0
	for _, p := range g.Own {
		_, _ = g.Types(p) // only that it ends
		errors += len(g.Source(p, false).Errors)
	}
	if errors == 0 {
		t.Error("no package has an error")
	}
	for p, below := range g.Reach() {
		if slices.Contains(below, p) {
			t.Errorf("%s reaches itself", p.PkgPath)
		}
	}
}

func TestReach(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport _ \"example.com/m/b\"\n",
		"b/b.go": "package b\n\nimport _ \"example.com/m/c\"\n",
		"c/c.go": "package c\n\nimport _ \"fmt\"\n",
		"d/d.go": "package d\n",
	})
	g := list(t, dir, "./a", "./d")
	reach := g.Reach()
	got := make(map[string]string)
	for _, p := range g.Own {
		var names []string
		for _, i := range reach[p] {
			names = append(names, i.Name)
		}
		got[p.Name] = strings.Join(names, " ")
	}
	if got["a"] != "c b" || got["b"] != "c" || got["c"] != "" || got["d"] != "" || len(got) != 4 {
		t.Errorf("got %q", got)
	}
}

// A package and its variant for tests are two, and each import leads to the right one.
func TestVariants(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go":      "package a\n\nfunc A() {}\n",
		"a/a_test.go": "package a\n\nfunc ForTests() {}\n",
		"a/x_test.go": "package a_test\n\nimport (\n\t\"example.com/m/a\"\n\t\"example.com/m/b\"\n)\n\nvar _, _ = a.ForTests, b.B\n",
		"b/b.go":      "package b\n\nimport \"example.com/m/a\"\n\nvar B = a.A\n",
	})
	g, err := List(Config{Context: context.Background(), Dir: dir, Env: append(os.Environ(), "GOWORK=off"), Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	variants := 0
	for _, p := range g.Own {
		if src := g.Source(p, false); len(src.Errors) > 0 {
			t.Errorf("%s: %v", p.ID, src.Errors)
		}
		if p.PkgPath == "example.com/m/a" {
			variants++
		}
	}
	if variants != 2 {
		t.Errorf("%d packages a", variants)
	}
}

func TestOverlay(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	name := filepath.Join(dir, "a.go")
	g, err := List(Config{
		Context: context.Background(), Dir: dir, Env: append(os.Environ(), "GOWORK=off"), Patterns: []string{"./..."},
		Overlay: map[string][]byte{name: []byte("package a\n\nimport \"fmt\"\n\nfunc B() { fmt.Println() }\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	src := g.Source(g.Roots[0], false)
	if len(src.Errors) > 0 || src.Types.Scope().Lookup("B") == nil {
		t.Errorf("errors %v, names %q", src.Errors, src.Types.Scope().Names())
	}
}

// With other contents, own packages are other ones, for those that import them too, and dependencies are the same.
func TestReread(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport \"io\"\n\nfunc A(io.Reader) {}\n",
		"b/b.go": "package b\n\nimport \"example.com/m/a\"\n\nvar B = a.A\n",
	})
	g := list(t, dir, "./...")
	a, b := g.Own[0], g.Own[1]
	before, err := g.Types(a)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("package a\n\nimport \"io\"\n\nfunc A(io.Reader, int) {}\n")
	r := g.Reread(map[string][]byte{a.GoFiles[0]: text})
	src := r.Source(b, false)
	if len(src.Errors) > 0 {
		t.Fatal(src.Errors)
	}
	if got, want := src.Types.Scope().Lookup("B").Type().String(), "func(io.Reader, int)"; got != want {
		t.Errorf("B is a %s, want %s", got, want)
	}
	after, err := r.Types(a)
	if err != nil || after == before {
		t.Errorf("the types of a are those of before (%v)", err)
	}
	if again, err := g.Types(a); err != nil || again != before {
		t.Errorf("g has forgotten what it was (%v)", err)
	}
	if before.Imports()[0] != after.Imports()[0] {
		t.Error("the types of io were made twice")
	}
	if read, err := r.Read(b.GoFiles[0]); err != nil || !strings.Contains(string(read), "package b") {
		t.Errorf("b is read as %q (%v)", read, err)
	}
}

// Files that somebody else has parsed stand in the place of those of the package.
func TestCheck(t *testing.T) {
	g := list(t, filetest.Module(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"}), "./...")
	parse := func(text string) []*ast.File {
		file, err := parser.ParseFile(g.Fset, "x.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		return []*ast.File{file}
	}
	if src := g.Check(g.Own[0], parse("package a\n\nfunc X() {}\n")); len(src.Errors) > 0 || src.Types.Scope().Lookup("X") == nil || src.Types.Scope().Lookup("A") != nil {
		t.Errorf("errors %v, names %q", src.Errors, src.Types.Scope().Names())
	}
	if src := g.Check(g.Own[0], parse("package a\n\nfunc X() int {}\n")); len(src.Errors) != 1 {
		t.Errorf("got the errors %v, want one", src.Errors)
	}
}

func TestErrors(t *testing.T) {
	dir := filetest.Module(t, map[string]string{
		"typed/a.go":  "package typed\n\nvar X int = \"\"\n\nfunc f() { undefined() }\n",
		"parsed/a.go": "package parsed\n\nfunc f() { x y }\n",
	})
	g := list(t, dir, "./...")
	kinds := make(map[string][]packages.ErrorKind)
	for _, p := range g.Roots {
		for _, e := range g.Source(p, false).Errors {
			kinds[p.Name] = append(kinds[p.Name], e.Kind)
		}
	}
	if len(kinds["typed"]) != 2 || kinds["typed"][0] != packages.TypeError {
		t.Errorf("type errors: %v", kinds["typed"])
	}
	if !slices.Contains(kinds["parsed"], packages.ParseError) {
		t.Errorf("parse errors: %v", kinds["parsed"])
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := List(Config{Context: ctx, Dir: t.TempDir(), Env: os.Environ(), Patterns: []string{"./..."}}); err == nil {
		t.Error("no error")
	}
}
