package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// committed is the data of the repository, and its limits.
func committed(t *testing.T) (*record.Data, Limits) {
	t.Helper()
	d, err := record.Read(os.DirFS("data"))
	if err != nil {
		t.Fatal(err)
	}
	limits, err := readLimits("data")
	if err != nil {
		t.Fatal(err)
	}
	return d, limits
}

// found is what a run has to print so that it finds these of the data, and no others.
func found(kept []*record.Finding) []report.Finding {
	var out []report.Finding
	for _, f := range kept {
		if !f.Gone {
			out = append(out, report.Finding{
				Category: f.Check, Site: f.Site, Message: f.Message, Confidence: f.Confidence, Package: f.Key.Package,
				Place: report.Place{File: f.File, Line: f.Line, Column: f.Column},
			})
		}
	}
	return out
}

// TestGate plants a loss in each list, and a wrong finding: the limits hold for the committed data, and for none of these.
func TestGate(t *testing.T) {
	all := func(*record.Finding) bool { return true }
	is := func(list, word string) func(*record.Finding) bool {
		return func(f *record.Finding) bool {
			return (f.List == list || list == record.Fresh && f.Split == record.SplitFresh) && !f.Gone && f.Counts() == word
		}
	}
	for _, test := range []struct {
		name   string
		choose func(*record.Finding) bool // the finding whose code is run again
		lose   bool                       // it is not found this time
		more   bool                       // one is found beside it
		beyond bool
		says   string
	}{
		{"as it is", is(record.Modules, verdict.Right), false, false, false, "| modules | 70 | 70 |"},
		{"a right one of a module", is(record.Modules, verdict.Right), true, false, true, "beyond the limit"},
		{"a right one of a tree", is(record.Trees, verdict.Right), true, false, true, "beyond the limit"},
		{"a right one of fresh code", is(record.Fresh, verdict.Right), true, false, true, "beyond the limit"},
		{"a weak one", is(record.Trees, verdict.Weak), true, false, false, "| trees |"},
		{"one that nobody has judged", all, false, true, true, "1 findings are not judged, of at most 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, limits := committed(t)
			i := slices.IndexFunc(d.Findings, test.choose)
			f := d.Findings[i]
			var there []*record.Finding // in the same module
			for _, g := range d.Findings {
				if g.List == f.List && placeOf(g) == placeOf(f) {
					there = append(there, g)
				}
			}
			kept := slices.DeleteFunc(slices.Clone(there), func(g *record.Finding) bool { return test.lose && g == f })
			run := found(kept)
			if test.more {
				run = append(run, report.Finding{Category: f.Check, Site: f.Site, Message: "more", Place: report.Place{File: "more.go", Line: 1}})
			}
			was := stand(d)
			c := compare(d, *f, there, run)
			var out strings.Builder
			if differs := c.print(&out, d); differs != (test.lose || test.more) {
				t.Errorf("the run differs: %t", differs)
			}
			c.apply(d)
			beyond := judge(&out, limits, was, stand(d))
			if beyond != test.beyond || !strings.Contains(out.String(), test.says) {
				t.Errorf("beyond the limits: %t, want %t, and %q in\n%s", beyond, test.beyond, test.says, out.String())
			}
			if test.lose && (!strings.Contains(out.String(), "lost     "+f.Counts()+": "+f.Source) || !strings.Contains(out.String(), "| "+f.Site+" |")) {
				t.Errorf("the loss at %s is not told:\n%s", f.Site, out.String())
			}
		})
	}

	// A finding that is found again, and that readers call wrong.
	d, limits := committed(t)
	was := stand(d)
	i := slices.IndexFunc(d.Findings, func(f *record.Finding) bool { return f.Gone && f.Counts() == verdict.Wrong })
	limits.Fresh.Wrong = was.lists[record.Fresh][verdict.Wrong]
	d.Findings[i].Gone = false
	if !judge(new(strings.Builder), limits, was, stand(d)) {
		t.Error("a wrong finding that is told again is within the limits")
	}
}
