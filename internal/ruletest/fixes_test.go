package ruletest

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// renames reports every function whose name starts with Bad, and makes that Good; of BadFix it makes text, and for
// Worse it knows no fix.
func renames(text string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "renames",
		Doc:  "rename functions",
		Run: rule.Wrap("renames", nil, func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				ast.Inspect(file, func(n ast.Node) bool {
					id, ok := n.(*ast.FuncDecl)
					if !ok {
						return true
					}
					f := rule.Finding{Pos: id.Name.Pos(), Sub: "name", Site: "name", Message: id.Name.Name + " is bad"}
					edit := analysis.TextEdit{Pos: id.Name.Pos(), End: id.Name.End(), NewText: []byte("Good" + id.Name.Name[3:])}
					switch {
					case id.Name.Name == "BadFix":
						edit.NewText = []byte(text)
						fallthrough
					case strings.HasPrefix(id.Name.Name, "Bad"):
						f.Fixes = []analysis.SuggestedFix{{Message: "Rename it", TextEdits: []analysis.TextEdit{edit}}}
						fallthrough
					case id.Name.Name == "Worse":
						rule.Report(pass, f)
					}
					return true
				})
			}
			return nil, nil
		}),
	}
}

func TestFixes(t *testing.T) {
	for _, test := range []struct {
		name, source, golden, text string
		want                       []string
	}{
		{"fixed", "func Bad1() {}\n\nfunc Bad2() {}\n", "func Good1() {}\n\nfunc Good2() {}\n", "", nil},
		{"what has no fix stays", "func Worse() {}\n\nfunc Bad() {}\n", "func Worse() {}\n\nfunc Good() {}\n", "", nil},
		{"nothing to fix", "func Worse() {}\n", "", "", nil},
		{"other text", "func Bad() {}\n", "func Better() {}\n", "", []string{"p/p.go.golden: the fixed file differs from line 3 on"}},
		{"no golden file", "func Bad() {}\n", "", "", []string{"p/p.go.golden: open "}},
		{"golden file for nothing", "func F() {}\n", "func F() {}\n", "", []string{"p/p.go.golden: no fix changes the file"}},
		{"finding stays", "func BadFix() {}\n", "func BadFix() {}\n", "BadFix", []string{"want those that had no fix:\n\t[]"}},
		{"does not compile", "func BadFix() {}\n", "func init() int {}\n", "init() int {}; func F", []string{"differs from", "after the fixes: testdata does not load"}},
		{"is not Go", "func BadFix() {}\n", "", "a b", []string{"p.go: the fixed file does not parse: "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"p/p.go": "package p\n\n" + test.source}
			if test.golden != "" {
				files["p/p.go.golden"] = "package p\n\n" + test.golden
			}
			dir := filetest.Module(t, files)
			var r recorder
			runFixes(&r, dir, renames(test.text), false, "p/...")
			if !slices.EqualFunc(r.errors, test.want, strings.Contains) {
				t.Errorf("got  %q\nwant %q", r.errors, test.want)
			}
		})
	}
}

func TestFixesUpdate(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"p/p.go": "package p\n\nfunc Bad() {}\n"})
	var r recorder
	runFixes(&r, dir, renames(""), true, "p/...")
	got, err := os.ReadFile(filepath.Join(dir, "p", "p.go.golden"))
	if err != nil || string(got) != "package p\n\nfunc Good() {}\n" || r.errors != nil {
		t.Errorf("golden file %q (%v), errors %q", got, err, r.errors)
	}
}

func TestOverlappingFixes(t *testing.T) {
	file := filepath.Join(filetest.Module(t, map[string]string{"p.go": "package p\n"}), "p.go")
	if _, err := apply(file, []report.Edit{{Start: 0, End: 7, NewText: "package"}, {Start: 3, End: 9, NewText: "x"}}); err == nil || !strings.Contains(err.Error(), "p.go: no room") {
		t.Errorf("got %v, want an error about the second fix", err)
	}
}
