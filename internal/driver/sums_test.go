package driver

import (
	"go/ast"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/matrix"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// A fix is for the content that was analysed: it is known in a first run, in one whose results come from the store,
// and in one of several builds, and it is not that of a file that was edited after the run had read it.
func TestAnalysed(t *testing.T) {
	const content = "package p\n\nfunc Bad() {}\n"
	dir := filetest.Module(t, map[string]string{"a/a.go": content, "b/b.go": "package b\n"})
	name := filepath.Join(dir, "a", "a.go")
	edited := ""
	fixing := &analysis.Analyzer{
		Name: "fixing", Doc: "report functions, with a fix",
		Run: rule.Wrap("fixing", nil, func(pass *analysis.Pass) (any, error) {
			for _, f := range pass.Files {
				for _, d := range f.Decls {
					edit := analysis.TextEdit{Pos: d.Pos(), End: d.Pos(), NewText: []byte("// F.\n")}
					if _, ok := d.(*ast.FuncDecl); ok {
						rule.Report(pass, rule.Finding{Pos: d.Pos(), Sub: "f", Site: "f", Message: "a function", Fixes: []analysis.SuggestedFix{{TextEdits: []analysis.TextEdit{edit}}}})
					}
				}
			}
			if edited != "" && pass.Pkg.Name() == "p" {
				return nil, os.WriteFile(name, []byte(edited), 0o644)
			}
			return nil, nil
		}),
	}
	kept, err := store.Open(store.Options{Dir: filepath.Join(t.TempDir(), "cache")})
	if err != nil {
		t.Fatal(err)
	}
	var two matrix.Builds
	if err := two.Set("host,tags=other"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		store   *store.Store
		builds  matrix.Builds
		edited  string
		content string
		want    bool
	}{
		{"another content", nil, nil, "", content + "\n", false},
		{"first run", kept, nil, "", content, true},
		{"from the store", kept, nil, "", content, true},
		{"two builds", kept, two, "", content, true},
		{"edited between two builds", nil, two, content + "// More.\n", content, false},
		{"edited between two builds, as it is now", nil, two, content + "// More.\n", content + "// More.\n", false},
		{"edited meanwhile", nil, nil, content + "// More.\n", content, true},
		{"edited meanwhile, as it is now", nil, nil, content + "// More.\n", content + "// More.\n", false},
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		edited = test.edited
		r := RunAll([]*analysis.Analyzer{fixing}, Options{Dir: dir, Store: test.store}, test.builds)
		if len(r.Findings) != 1 || len(r.Failures) > 0 {
			t.Fatalf("%s: %v", test.name, outcome(r))
		}
		if got := r.Analysed("a/a.go", []byte(test.content)); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
		if r.Analysed("b/b.go", []byte("package b\n")) {
			t.Errorf("%s: a file that no fix changes is known", test.name)
		}
	}
}
