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
		if x.Silence("r", d) {
			silenced = append(silenced, line)
		}
		if x.Silence("other", d) || x.Silence(suppress.Rule, d) {
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

// golangci-lint applies what names one of its linters, and all other comments are for us.
func TestForeignNolint(t *testing.T) {
	for _, test := range []struct {
		comment, linter string
		silenced        bool
	}{
		{"//nolint:r // x", "", true},
		{"//nolint:r // x", "r", false},
		{"//nolint:r // x", "ctrllint", true},
		{"//nolint:r/sub // x", "r", true},
		{"//nolint:ctrllint // x", "r", true},
		{"//nolint:ctrllint // x", "ctrllint", false},
		{"//nolint:other,ctrllint // x", "ctrllint", false},
		{"//nolint // x", "r", false},
		{"//nolint:all // x", "ctrllint", false},
		{"//nolint:other // x", "r", false},
		{"//lint:ignore ctrllint/r x", "r", true},
	} {
		x, fset, file := read(t, "package p\n\nvar x int "+test.comment+"\n")
		var linters []string
		if test.linter != "" {
			linters = []string{test.linter}
		}
		d := analysis.Diagnostic{Category: "r/sub", Pos: fset.File(file.FileStart).LineStart(3)}
		if got := x.Silence("r", d, linters...); got != test.silenced {
			t.Errorf("%s for linter %q: silenced %t, want %t", test.comment, test.linter, got, test.silenced)
		}
	}
}

// Names without a linter in front are kept apart: they silence nothing, and may have been meant to.
func TestBare(t *testing.T) {
	for comment, want := range map[string]string{
		"//lint:ignore lockheld why":                        "//lint:ignore lockheld",
		"//lint:ignore SA1000,lockheld/leak why":            "//lint:ignore SA1000,lockheld/leak",
		"//lint:ignore ctrllint/a,b why":                    "//lint:ignore b",
		"//lint:file-ignore lockheld why":                   "//lint:file-ignore lockheld",
		"//lint:ignore ctrllint/lockheld why":               "",
		"//lint:ignore ctrllint lockheld is right as it is": "",
		"//lint:ignored lockheld why":                       "",
		"//nolint:lockheld // why":                          "",
		"//lint:ignore":                                     "",
	} {
		x, _, _ := read(t, "package p\n\n"+comment+"\nvar x int\n")
		got := ""
		for _, b := range x.Bare() {
			got += b.Keyword + " " + strings.Join(b.Names, ",")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", comment, got, want)
		}
	}
}
