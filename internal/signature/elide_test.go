package signature

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestElide(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"body", "package p\n\nfunc f() int { return 1 }\n", "package p\n\nfunc f() int {          }\n"},
		{"lines", "package p\n\nfunc f() {\n\tg()\n}\n\nvar x int\n", "package p\n\nfunc f() {\n\n}\n\nvar x int\n"},
		{"comment", "package p // why\n\n/* a\nb */ var x /* c */ int\n", "package p\n\n\n     var x         int\n"},
		{"braces in literals", "package p\n\nfunc f() { _, _, _ = \"}\", '}', `}` /* } */ } // }\n", "package p\n\nfunc f() {                                 }\n"},
		{"escapes", "package p\n\nfunc f() { _, _ = \"\\\"}\", '\\'' }\n", "package p\n\nfunc f() {                    }\n"},
		{"types in a signature", "package p\n\nfunc f(a struct{ x int }, b interface{ M() }) interface{ N() } { return nil }\n",
			"package p\n\nfunc f(a struct{ x int }, b interface{ M() }) interface{ N() } {            }\n"},
		{"bare types in a result", "package p\n\nfunc f() struct{} { return struct{}{} }\n", "package p\n\nfunc f() struct{} {                   }\n"},
		{"a type named after a keyword", "package p\n\nfunc f() myinterface { return nil }\n", "package p\n\nfunc f() myinterface {            }\n"},
		{"type parameters", "package p\n\nfunc f[T interface{ ~int }](x [2]T) { g() }\n", "package p\n\nfunc f[T interface{ ~int }](x [2]T) {     }\n"},
		{"method", "package p\n\nfunc (t *T[K]) f() { g() }\n", "package p\n\nfunc (t *T[K]) f() {     }\n"},
		{"no body", "package p\n\nfunc f(x int)\nfunc g() { h() }\n", "package p\n\nfunc f(x int)\nfunc g() {     }\n"},
		{"literal in a variable", "package p\n\nvar f =\nfunc() int { return 1 }()\n", "package p\n\nvar f =\nfunc() int { return 1 }()\n"},
		{"nested", "package p\n\nfunc f() {\n\tif x {\n\t\tg(func() { h() })\n\t}\n}\nvar y int\n", "package p\n\nfunc f() {\n\n\n\n}\nvar y int\n"},
		{"not closed", "package p\n\nfunc f() {\n\tg(", "package p\n\nfunc f() {\n   "},
		{"string not closed", "package p\n\nvar x = \"a\nfunc f() { g() }\n", "package p\n\nvar x = \"a\nfunc f() {     }\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Elide([]byte(test.src))); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// declaration is what must not change.
type declaration struct {
	name string
	at   token.Position
	text string
}

// declarations are those of a file, without bodies.
func declarations(t *testing.T, src []byte) []declaration {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []declaration
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.Ident:
			out = append(out, declaration{n.Name, fset.Position(n.Pos()), ""})
		case *ast.BasicLit:
			out = append(out, declaration{"", fset.Position(n.Pos()), n.Value})
		case *ast.FuncDecl:
			if n.Body != nil {
				out = append(out, declaration{"{", fset.Position(n.Body.Lbrace), ""}, declaration{"}", fset.Position(n.Body.Rbrace), ""})
			}
		}
		return true
	})
	for i := range out {
		out[i].at.Offset = 0
	}
	return out
}

// Whatever stands outside of function bodies in the standard library's source stays, at its line and column.
func TestElideStandardLibrary(t *testing.T) {
	files := 0
	for _, dir := range []string{"go/types", "net/http", "runtime", "encoding/json", "text/template/parse", "go/scanner", "regexp/syntax", "strings"} {
		names, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(dir), "*.go")) //nolint:staticcheck // The test runs where it was built.
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			same(t, name, src)
			files++
		}
	}
	if files < 300 {
		t.Errorf("only %d files: is this the standard library?", files)
	}
}

func same(t *testing.T, name string, src []byte) {
	t.Helper()
	elided := Elide(src)
	want, got := declarations(t, src), declarations(t, elided)
	if len(want) != len(got) {
		t.Errorf("%s: %d words instead of %d", name, len(got), len(want))
		return
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("%s: %v instead of %v", name, got[i], want[i])
			return
		}
	}
	if n := strings.Count(string(elided), "\n"); n != strings.Count(string(src), "\n") {
		t.Errorf("%s: %d lines", name, n)
	}
}

func FuzzElide(f *testing.F) {
	for _, src := range []string{
		"package p\n\nfunc f() { g('{', \"}\", `\n}`) /* } */ }\n\nvar x = func() {}\n",
		"package p\n\nfunc (T) f(func(interface{ M() })) struct{ x int } { return y }\nfunc g()\n",
		"package p\n\ntype T struct {\n\tf func()\n}\n\nfunc f() {}; func g() { h() }\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution); err != nil {
			_ = Elide(src) // only that it ends
			return
		}
		same(t, "input", src)
	})
}
