package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// reported is a finding of function f at a line.
func reported(function string, line int) report.Finding {
	return report.Finding{
		Rule: "lockheld", Category: "lockheld/relock", Site: "second-lock", Package: "m", Function: function, Message: "mu is locked again", Code: "mu.Lock()",
		Place: report.Place{File: "m.go", Line: line, Column: 2}, Confidence: "certain",
	}
}

// judged is f, in module m, with a verdict.
func judged(f report.Finding, word string) *record.Finding {
	r := foundIn(record.Finding{List: record.Modules, Split: record.SplitTuned, Source: "m", At: "v1"}, &f)
	r.Verdicts = []record.Verdict{{Reader: "first", Verdict: word, Reason: "why"}}
	return r
}

// Of several findings with one key, those that have not moved keep what was said of them; one with another key is known by its place.
func TestCompare(t *testing.T) {
	was := []*record.Finding{
		judged(reported("F", 10), verdict.Right), judged(reported("F", 20), verdict.Weak), judged(reported("F", 30), verdict.Wrong),
		judged(reported("G", 40), verdict.Right), judged(reported("Old", 60), verdict.Right), judged(reported("Gone", 80), verdict.Right),
	}
	was[5].Gone = true
	found := []report.Finding{reported("F", 15), reported("F", 20), reported("F", 35), reported("F", 50), reported("New", 61), reported("Gone", 80)}
	d := &record.Data{Findings: was}
	c := compare(d, *was[0], was, found)
	var got []string
	for _, p := range c.pairs {
		line := func(f *record.Finding) string {
			if f == nil {
				return "-"
			}
			return fmt.Sprintf("%d %s", f.Line, f.Counts())
		}
		got = append(got, strings.TrimSpace(line(p.was)+" "+line(p.is)+" "+p.kind(d)))
	}
	want := []string{
		"20 weak 20 weak", "80 right 80 right back", "10 right 15 right moved", "30 wrong 35 wrong moved", "60 right 61 right moved", "40 right - lost", "- 50  gained",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	c.apply(d)
	if again := compare(d, *was[0], d.Findings, found); again.print(new(strings.Builder), d) {
		t.Error("what was written down is not what the next run finds")
	}
	if g := d.Findings[3]; !g.Gone || g.Counts() != verdict.Right {
		t.Errorf("what is lost is %+v", g)
	}
	if n := d.Findings[len(d.Findings)-1]; n.Line != 50 || n.Judged() == nil {
		t.Errorf("what is gained is %+v", n)
	}
}

// What a user sees is a change, and another name for a check or a site is none.
func TestChanges(t *testing.T) {
	names := []*record.Name{{Kind: "check", Old: "lockheld/relock", New: "lockheld/again"}, {Kind: "site", Old: "second-lock", New: "twice"}}
	for name, test := range map[string]struct {
		edit  func(f *report.Finding)
		names []*record.Name
		want  string
	}{
		"nothing":    {func(*report.Finding) {}, nil, ""},
		"column":     {func(f *report.Finding) { f.Column++ }, nil, "place: m.go:10:3, was m.go:10:2"},
		"message":    {func(f *report.Finding) { f.Message = "mu is held" }, nil, "message: mu is held, was mu is locked again"},
		"confidence": {func(f *report.Finding) { f.Confidence = "possible" }, nil, "confidence: possible, was certain"},
		"site":       {func(f *report.Finding) { f.Site = "twice" }, nil, "site: twice, was second-lock"},
		"renamed":    {func(f *report.Finding) { f.Category, f.Site = "lockheld/again", "twice" }, names, ""},
		"not yet":    {func(*report.Finding) {}, names, "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			f := reported("F", 10)
			was := judged(f, verdict.Right)
			test.edit(&f)
			d := &record.Data{Names: test.names}
			p := compare(d, *was, []*record.Finding{was}, []report.Finding{f}).pairs[0]
			got := p.kind(d)
			if got == moved {
				got = strings.Join(p.changes(d), "; ")
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Where not all packages of fresh code could be analysed, what is not found may be in the rest.
func TestComparePlace(t *testing.T) {
	was := []*record.Finding{judged(reported("F", 10), verdict.Right)}
	d := &record.Data{}
	for failures, want := range map[string]bool{"": true, "m/a: cannot be loaded": false} {
		res := new(result)
		if failures != "" {
			res.failures = []string{failures}
		}
		if got := comparePlace(d, was, res).print(new(strings.Builder), d); got != want {
			t.Errorf("failures %q: differs %t", failures, got)
		}
	}
}

// compareTarget says what was analysed in another way, too.
func TestCompareTarget(t *testing.T) {
	target := &record.Target{List: record.Modules, Source: "m", At: "v1", Packages: 2, Failures: []string{"m/a: cannot be loaded"}}
	d := &record.Data{Targets: []*record.Target{target}}
	if c := compareTarget(d, target, &result{packages: 2, failures: target.Failures}); c.print(new(strings.Builder), d) {
		t.Errorf("the same differs: %q", c.changed)
	}
	var out strings.Builder
	if c := compareTarget(d, target, &result{packages: 3}); !c.print(&out, d) || !strings.Contains(out.String(), "packages: 3, were 2") || !strings.Contains(out.String(), "failures: []") {
		t.Errorf("got %s", out.String())
	}
	if k := (baseline.Key{}); k != (&record.Finding{}).Key {
		t.Error("a finding without a key has one")
	}
}
