package driver

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// Excused says that a package has a function Good.
type Excused struct{ Is bool }

// A finding about what no package of the module does depends on all programs: on those that the patterns do not name,
// and on what has changed there since the results were stored. Where a package could not be analysed, there is none.
func TestModules(t *testing.T) {
	a := &analysis.Analyzer{Name: "excuses", Doc: "report functions Bad unless a package has Good", FactTypes: []analysis.Fact{new(link.Summary[Excused])}}
	phase := link.Phase[Excused]{
		Whole: true,
		Summarize: func(u *link.Unit[Excused]) any {
			if bad := u.Pass.Pkg.Scope().Lookup("Bad"); bad != nil {
				u.Defer(rule.Finding{Pos: bad.Pos(), Sub: "unexcused", Site: "unexcused", Message: "Bad"}, link.Condition{Kind: "unexcused"})
			}
			u.Part.Is = u.Pass.Pkg.Scope().Lookup("Good") != nil
			return nil
		},
		Unused: func(p *link.Program[Excused], _ link.Condition) bool {
			return !slices.ContainsFunc(p.Packages, func(s *link.Summary[Excused]) bool { return s.Part.Is })
		},
	}
	a.Run = rule.Wrap("excuses", nil, phase.Run)
	const (
		one   = "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { lib.Bad() }\n"
		other = "package main\n\nimport _ \"example.com/m/api\"\n\nfunc main() {}\n"
	)
	dir := filetest.Module(t, map[string]string{
		"api/api.go": "package api\n",
		"lib/lib.go": "package lib\n\nimport _ \"example.com/m/api\"\n\nfunc Bad() {}\n",
		"one/x.go":   one,
		"other/x.go": other,
	})
	kept, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	for _, step := range []struct {
		name, other string
		found       bool
	}{
		{"no package has Good", other, true},
		{"another program has it", other + "\nfunc Good() {}\n", false},
		{"it is gone again", other, true},
		{"that program is not known", other + "\nvar x = undefined\n", false},
	} {
		filetest.Write(t, dir, map[string]string{"other/x.go": step.other})
		for _, patterns := range [][]string{{"./..."}, {"./lib"}, {"./lib", "./one"}} {
			r := Run([]*analysis.Analyzer{a}, Options{Dir: dir, Patterns: patterns, Store: kept})
			if found := len(r.Findings) == 1; found != step.found || len(r.Findings) > 1 {
				t.Errorf("%s, %v: got %v", step.name, patterns, outcome(r))
			}
		}
	}
}
