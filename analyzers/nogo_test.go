package analyzers_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/analyzers/apimarkers"
	"github.com/ctrllint/ctrllint/analyzers/cachemutation"
	"github.com/ctrllint/ctrllint/analyzers/cachescope"
	"github.com/ctrllint/ctrllint/analyzers/churn"
	"github.com/ctrllint/ctrllint/analyzers/eventfilter"
	"github.com/ctrllint/ctrllint/analyzers/expectttl"
	"github.com/ctrllint/ctrllint/analyzers/finalizerorder"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/losterror"
	"github.com/ctrllint/ctrllint/analyzers/optionalderef"
	"github.com/ctrllint/ctrllint/analyzers/requestobject"
	"github.com/ctrllint/ctrllint/analyzers/startctx"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

// linked is what Bazel's nogo links: it imports the packages that it is given and takes the variable Analyzer of each.
// Behind it, an example in testdata that the rule has something to say about.
//
// Suppression is none of them. It is about the comments for the others, and cannot be without them.
var linked = map[string]struct {
	analyzer *analysis.Analyzer
	example  string
}{
	"apimarkers":     {apimarkers.Analyzer, "./apimarkers/enum/..."},
	"cachemutation":  {cachemutation.Analyzer, "./cachemutation/across/..."},
	"cachescope":     {cachescope.Analyzer, "./cachescope/implicit/..."},
	"churn":          {churn.Analyzer, "./churn/across/..."},
	"eventfilter":    {eventfilter.Analyzer, "./eventfilter/behind/..."},
	"expectttl":      {expectttl.Analyzer, "./expectttl/nottl/..."},
	"finalizerorder": {finalizerorder.Analyzer, "./finalizerorder/late/..."},
	"lockheld":       {lockheld.Analyzer, "./lockheld/acrosspkg/..."},
	"losterror":      {losterror.Analyzer, "./losterror/across/..."},
	"optionalderef":  {optionalderef.Analyzer, "./optionalderef/across/..."},
	"requestobject":  {requestobject.Analyzer, "./requestobject/kinds/..."},
	"startctx":       {startctx.Analyzer, "./startctx/lastout/..."},
	"unboundedsync":  {unboundedsync.Analyzer, "./unboundedsync/wrapped/..."},
}

// A rule is one under any driver that imports its package: nobody calls anything or sets a flag before it runs.
func TestLinked(t *testing.T) {
	if !reflect.DeepEqual(rule.Active, rule.Settings{}) {
		t.Errorf("the settings are %+v before anybody has set them", rule.Active)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := linked[e.Name()]; !ok && e.IsDir() && e.Name() != "suppression" {
			t.Errorf("the rule %s is not tested", e.Name())
		}
	}
	all := analyzers.All()
	if len(linked)+1 != len(all) {
		t.Errorf("the suite has %d rules, and %d packages", len(all), len(linked)+1)
	}
	for name, l := range linked {
		a := l.analyzer
		if a.Name != name || !slices.Contains(all, a) {
			t.Errorf("%s has the analyzer %s, or the suite has another one", name, a.Name)
		}
		if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
			t.Error(err)
		}
		for _, f := range flagsOf(a) {
			if f.value != f.initial {
				t.Errorf("%s: the flag %s is %q, and its default %q", name, f.name, f.value, f.initial)
			}
		}
	}
}

// Facts go from package to package as bytes, which are the same for the same source: drivers keep them, and compare.
func TestFacts(t *testing.T) {
	rule.Active.Nursery = true // its findings count, too
	t.Cleanup(func() { rule.Active.Nursery = false })
	dir, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	c := load.Config{Context: t.Context(), Dir: dir, Env: append(os.Environ(), "GOWORK=off")}
	for _, l := range linked {
		c.Patterns = append(c.Patterns, l.example)
	}
	graph, err := load.List(c)
	if err != nil {
		t.Fatal(err)
	}
	sources := make(map[string]*load.Source)
	for _, p := range graph.Own {
		s := graph.Source(p, false)
		for _, e := range s.Errors {
			t.Fatalf("%s: %v", p.ID, e)
		}
		sources[p.ID] = s
	}
	reach := graph.Reach()
	// run is one run of the rule alone. It gives the number of findings, and the facts of the packages.
	run := func(a *analysis.Analyzer) (int, map[string][]byte) {
		r, err := passes.New([]*analysis.Analyzer{bare(a, make(map[*analysis.Analyzer]*analysis.Analyzer))})
		if err != nil {
			t.Fatal(err)
		}
		found, kept := 0, make(map[string][]byte)
		for _, p := range graph.Own {
			s := sources[p.ID]
			pkg := &passes.Package{Fset: graph.Fset, Files: s.Files, Types: s.Types, Info: s.Info, Sizes: graph.Sizes}
			for _, i := range reach[p] {
				types, err := graph.Types(i)
				if err != nil {
					t.Fatal(err)
				}
				pkg.Imports = append(pkg.Imports, types)
				r.Facts.Provide(types, kept[i.ID], nil)
			}
			actions, exported := r.Run(pkg)
			for _, act := range actions {
				if act.Err != nil {
					t.Errorf("%s: %s: %v", p.ID, act.Analyzer.Name, act.Err)
				}
				for _, d := range act.Diagnostics {
					if d.Category == rule.InternalError {
						t.Errorf("%s: %s", p.ID, d.Message)
					}
					found++
				}
			}
			if kept[p.ID], err = exported.Encode(nil); err != nil {
				t.Errorf("%s: %s: %v", p.ID, a.Name, err)
			}
			for _, f := range exported.Objects() {
				if err := ruletest.RoundTrip(f.Fact); err != nil {
					t.Errorf("%s: %v", p.ID, err)
				}
			}
		}
		return found, kept
	}
	for name, l := range linked {
		found, kept := run(l.analyzer)
		again, keptAgain := run(l.analyzer)
		whole := l.analyzer == optionalderef.Analyzer // what waits for link.Modules, which nogo does not have
		if (found == 0) != whole || found != again {
			t.Errorf("%s: %d findings, and then %d", name, found, again)
		}
		total := 0
		for id, facts := range kept {
			total += len(facts)
			if !bytes.Equal(facts, keptAgain[id]) {
				t.Errorf("%s: the facts of %s have other bytes in a second run", name, id)
			}
		}
		if want := factTypes(l.analyzer); (total > 0) != (len(want) > 0) {
			t.Errorf("%s: %d bytes of facts, of %d types", name, total, len(want))
		}
	}
}

// bare is a with as little in its pass as nogo puts there: no module, and no way to read files. Known are those that were
// made before, by what they were made from.
func bare(a *analysis.Analyzer, known map[*analysis.Analyzer]*analysis.Analyzer) *analysis.Analyzer {
	if b := known[a]; b != nil {
		return b
	}
	b := *a
	known[a] = &b
	b.Requires = nil
	for _, r := range a.Requires {
		b.Requires = append(b.Requires, bare(r, known))
	}
	b.Run = func(pass *analysis.Pass) (any, error) {
		p := *pass
		p.Analyzer, p.Module, p.ReadFile = a, nil, nil
		p.ResultOf = make(map[*analysis.Analyzer]any)
		for _, r := range a.Requires {
			p.ResultOf[r] = pass.ResultOf[known[r]]
		}
		return a.Run(&p)
	}
	return &b
}

// factTypes are the types of the facts of a and of what it requires.
func factTypes(a *analysis.Analyzer) []analysis.Fact {
	all := slices.Clone(a.FactTypes)
	for _, r := range a.Requires {
		all = append(all, factTypes(r)...)
	}
	return all
}

type flagValue struct{ name, value, initial string }

func flagsOf(a *analysis.Analyzer) []flagValue {
	var all []flagValue
	a.Flags.VisitAll(func(f *flag.Flag) { all = append(all, flagValue{f.Name, f.Value.String(), f.DefValue}) })
	return all
}
