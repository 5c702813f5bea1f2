package suppress_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/suppress"
)

func read(t *testing.T, src string) (*suppress.Index, *token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "src.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return suppress.Read(fset, []*ast.File{f}), fset, f
}

func TestNames(t *testing.T) {
	for comment, want := range map[string]string{
		"//lint:ignore ctrllint/lockheld some reason":     "lockheld: some reason",
		"//lint:ignore ctrllint/lockheld/leak,SA1000 why": "lockheld/leak: why",
		"//lint:ignore ctrllint/a,ctrllint/b why":         "a,b: why",
		"//lint:ignore ctrllint why":                      ": why",
		"//lint:ignore ctrllint/* why":                    ": why",
		"//lint:ignore ctrllint/lockheld":                 "lockheld: ",
		"//lint:file-ignore ctrllint/lockheld why":        "lockheld: why",
		"//nolint:lockheld // why":                        "lockheld: why",
		"//nolint:errcheck, lockheld //why":               "errcheck,lockheld: why",
		"//nolint:ctrllint":                               ": ",
		"//nolint:ctrllint/lockheld":                      "lockheld: ",
		"//nolint":                                        "any : ",
		"//nolint // why":                                 "any : why",
		"//nolint:all":                                    "any : ",
		"// nolint:lockheld // why":                       "lockheld: why",

		"//lint:ignore SA1000 why":                "none",
		"//lint:ignored ctrllint/lockheld why":    "none",
		"// lint:ignore ctrllint/lockheld a text": "none",
		"//nolintlint":                            "none",
		"// nolinting is a habit":                 "none",
		"// see //nolint:lockheld":                "none",
	} {
		x, _, _ := read(t, "package p\n\n"+comment+"\nvar x int\n")
		got := "none"
		for _, d := range x.Directives() {
			got = strings.Join(d.Names, ",") + ": " + d.Reason
			if d.Any {
				got = "any " + got
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", comment, got, want)
		}
	}
}

const source = `package p

func a() {
	f() //nolint:r // x
	f()
}

//nolint:r // x
func b() {
	f()
}

// b2 has a comment of its own.
//
//nolint:r // x
// And behind it.
func b2() {
	f()
}

func c() {
	if g() { //nolint:r // x
		f()
	}
	f()
	//lint:ignore ctrllint/r x
	for g() {
		f()
	}
	f()
}

//lint:ignore ctrllint/r x

var d = f
`

func TestScope(t *testing.T) {
	x, fset, file := read(t, source)
	var silenced []int
	lines := fset.File(file.FileStart).LineCount()
	for line := 1; line <= lines; line++ {
		d := analysis.Diagnostic{Pos: fset.File(file.FileStart).LineStart(line), Category: "r/s"}
		if x.Silence("r", d, true) {
			silenced = append(silenced, line)
		}
		if x.Silence("other", d, true) || x.Silence(suppress.Rule, d, true) {
			t.Errorf("line %d: another rule is silenced", line)
		}
	}
	want := []int{4, 8, 9, 10, 11, 15, 16, 17, 18, 19, 22, 23, 24, 26, 27, 28, 29, 33, 34}
	if len(silenced) != len(want) {
		t.Fatalf("silenced lines %d, want %d", silenced, want)
	}
	for i := range want {
		if silenced[i] != want[i] {
			t.Fatalf("silenced lines %d, want %d", silenced, want)
		}
	}
	if n := len(x.Silenced()); n != len(want) {
		t.Errorf("%d diagnostics are remembered, want %d", n, len(want))
	}
	for i, d := range x.Directives() {
		if !x.Used(d) {
			t.Errorf("directive %d counts as unused", i)
		}
	}
}

func TestForeignNolint(t *testing.T) {
	x, fset, file := read(t, "package p\n\nvar x int //nolint:r // x\n")
	d := analysis.Diagnostic{Pos: fset.File(file.FileStart).LineStart(3)}
	if x.Silence("r", d, false) || !x.Silence("r", d, true) {
		t.Error("nolint counts where the driver applies it, or does not where it does not")
	}
}
