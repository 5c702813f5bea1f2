//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/deps"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// The command compiles nothing. Its findings are those of x/tools' checker over packages whose imports the compiler has
// compiled: those of testdata, and of the operator that E2E_OPERATOR names. The compiler's export data has no bodies, so
// that no dependency takes part; TestSameFindings is about front ends in which they do.
func TestLoaderAgainstCompiler(t *testing.T) {
	rule.Active.Deps = deps.Off
	defer func() { rule.Active.Deps = deps.Auto }()
	for _, dir := range []string{"../testdata", os.Getenv("E2E_OPERATOR")} {
		if dir == "" {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			dir, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			want := compiled(t, dir)
			var got []string
			for _, f := range driver.Run(analyzers.All(), driver.Options{Dir: dir}).Findings {
				text := fmt.Sprintf("%s:%d:%d %s %s", f.File, f.Line, f.Column, f.Category, f.Message)
				for _, r := range f.Related {
					text += fmt.Sprintf("\n\t%s:%d:%d %s", r.File, r.Line, r.Column, r.Message)
				}
				got = append(got, text)
			}
			slices.Sort(got)
			for _, s := range want {
				if !slices.Contains(got, s) {
					t.Errorf("missing: %s", s)
				}
			}
			for _, s := range got {
				if !slices.Contains(want, s) && !needsModule(s) {
					t.Errorf("only here: %s", s)
				}
			}
			t.Logf("%d findings", len(got))
			if len(want) == 0 {
				t.Error("no findings to compare")
			}
		})
	}
}

// compiled are the findings of x/tools' checker, with export data of the compiler's for all that dir does not hold.
func compiled(t *testing.T, dir string) []string {
	t.Helper()
	cfg := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule | packages.NeedTypesSizes, Dir: dir}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool { return p.IllTyped || len(p.Errors) > 0 })
	graph, err := checker.Analyze(append(analyzers.All(), suppress.Analyzer), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			out = append(out, diagnostic(dir, act, d))
		}
	}
	slices.Sort(out)
	// What two packages have in common is shown once, with the places of the first.
	return slices.CompactFunc(out, func(a, b string) bool {
		a, _, _ = strings.Cut(a, "\n")
		b, _, _ = strings.Cut(b, "\n")
		return a == b
	})
}

func diagnostic(dir string, act *checker.Action, d analysis.Diagnostic) string {
	var b bytes.Buffer
	place := func(d analysis.RelatedInformation) string {
		p := act.Package.Fset.Position(d.Pos)
		name := p.Filename
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = filepath.ToSlash(rel)
		}
		return fmt.Sprintf("%s:%d:%d", name, p.Line, p.Column)
	}
	fmt.Fprintf(&b, "%s %s %s", place(analysis.RelatedInformation{Pos: d.Pos}), cmp.Or(d.Category, act.Analyzer.Name), d.Message)
	for _, r := range d.Related {
		fmt.Fprintf(&b, "\n\t%s %s", place(r), r.Message)
	}
	return b.String()
}
