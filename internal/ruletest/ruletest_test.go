package ruletest

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// recorder collects what the harness complains about.
type recorder struct{ errors []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// named is the fact that a function was seen.
type named struct{ Name string }

func (*named) AFact()           {}
func (n *named) String() string { return "seen as " + n.Name }

// funcs reports every function whose name starts with Bad, exports a fact for each function, and panics in Boom.
var funcs = &analysis.Analyzer{
	Name:      "funcs",
	Doc:       "report functions",
	FactTypes: []analysis.Fact{(*named)(nil)},
	Run: rule.Wrap("funcs", nil, func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if f.Name.Name == "Boom" {
					panic("boom")
				}
				pass.ExportObjectFact(pass.TypesInfo.Defs[f.Name], &named{f.Name.Name})
				if strings.HasPrefix(f.Name.Name, "Bad") {
					rule.Report(pass, rule.Finding{Pos: f.Name.Pos(), Sub: "name", Message: f.Name.Name + " is bad"})
				}
			}
		}
		return nil, nil
	}),
}

func TestHarness(t *testing.T) {
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"all as wanted", "func Bad() {} // want \"^Bad is bad$\"\n// want +1 `is bad`\nfunc Bad2() {}\nfunc Good() {} // ok: not bad\n", nil},
		{"missing", "func Good() {} // want \"bad\"\n", []string{`p/p.go:3: no finding matches "bad"`}},
		{"extra", "func Bad() {}\n", []string{"p/p.go:3: unexpected finding: Bad is bad"}},
		{"other text", "func Bad() {} // want \"worse\"\n", []string{"p/p.go:3: unexpected finding: Bad is bad", `p/p.go:3: no finding matches "worse"`}},
		{"wanted twice", "func Bad() {} // want \"bad\" \"bad\"\n", []string{`p/p.go:3: no finding matches "bad"`}},
		{"fact", "func F() {} // want F:\"seen as F\"\n", nil},
		{"fact missing", "func F() {} // want F:\"seen as G\"\n", []string{`p/p.go:3: no fact of F matches "seen as G"`}},
		{"panic", "func Boom() {}\n", []string{"p/p.go:1: funcs could not analyse package example.com/m/p: boom"}},
		{"type error", "var x int = \"\"\n", []string{"testdata does not load:"}},
		{"bad pattern", "// want \"(\"\n", []string{"want comment: error parsing regexp"}},
		{"no pattern", "// want nothing\n", []string{`"nothing" is no quoted pattern`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
			write(t, filepath.Join(dir, "p", "p.go"), "package p\n\n"+test.source)
			var r recorder
			run(&r, dir, funcs, "p/...")
			if !slices.EqualFunc(r.errors, test.want, strings.Contains) {
				t.Errorf("got  %q\nwant %q", r.errors, test.want)
			}
		})
	}
}

func TestNoPackages(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	var r recorder
	run(&r, dir, funcs, "p/...")
	if len(r.errors) != 1 {
		t.Errorf("got %q, want one error", r.errors)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
