package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
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
	r := foundIn(&record.Target{List: record.Modules, Source: "m", At: "v1"}, &f)
	r.Verdicts = []record.Verdict{{Reader: "first", Verdict: word, Reason: "why"}}
	return r
}

// compared are the pairs of was with a run that found found, a line each.
func compared(d *record.Data, was []*record.Finding, found ...report.Finding) (c *comparison, lines []string) {
	var is []*record.Finding
	for _, f := range found {
		is = append(is, foundIn(&record.Target{List: record.Modules, Source: "m", At: "v1"}, &f))
	}
	c = compare(d, was, is)
	line := func(f *record.Finding) string {
		if f == nil {
			return "-"
		}
		return strings.TrimSpace(fmt.Sprintf("%d %s", f.Line, f.Counts()))
	}
	for _, p := range c.pairs {
		lines = append(lines, strings.TrimSpace(line(p.was)+", "+line(p.is)+" "+p.kind(d)))
	}
	return c, lines
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
	c, got := compared(d, was, found...)
	want := []string{
		"20 weak, 20 weak", "10 right, 15 right moved", "30 wrong, 35 wrong moved", "60 right, 61 right moved", "80 right, 80 right back", "40 right, - lost", "-, 50 gained",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	c.apply(d)
	if again, _ := compared(d, d.Findings, found...); again.print(new(strings.Builder), d) {
		t.Error("what was written down is not what the next run finds")
	}
	if g := d.Findings[3]; !g.Gone || g.Counts() != verdict.Right {
		t.Errorf("what is lost is %+v", g)
	}
	if n := d.Findings[len(d.Findings)-1]; n.Line != 50 || n.Judged() == nil {
		t.Errorf("what is gained is %+v", n)
	}
	// What nobody has judged leaves nothing when it is lost again.
	c, _ = compared(d, d.Findings, found[:3]...)
	c.apply(d)
	for _, f := range d.Findings {
		if f.Line == 50 {
			t.Errorf("%s is still there", f)
		}
	}
}

// The verdict of a finding does not go to another one beside it: not from one that was gone, of another site, or of the other of two on one line.
func TestCompareBeside(t *testing.T) {
	other := func(f report.Finding, site string, column int) report.Finding {
		f.Site, f.Column = site, column
		return f
	}
	gone := judged(reported("Gone", 10), verdict.Wrong)
	gone.Gone = true
	twice := reported("F", 10)
	for name, test := range map[string]struct {
		was   []*record.Finding
		found report.Finding
		want  []string
	}{
		"gone":  {[]*record.Finding{gone, judged(reported("F", 11), verdict.Right)}, reported("New", 11), []string{"11 right, 11 right moved"}},
		"site":  {[]*record.Finding{judged(reported("F", 10), verdict.Right)}, other(reported("New", 11), "nested-once", 2), []string{"10 right, - lost", "-, 11 gained"}},
		"line":  {[]*record.Finding{judged(other(twice, "second-lock", 9), verdict.Wrong), judged(twice, verdict.Right)}, twice, []string{"10 right, 10 right", "10 wrong, - lost"}},
		"exact": {[]*record.Finding{judged(reported("F", 10), verdict.Wrong), judged(reported("G", 11), verdict.Right)}, reported("New", 11), []string{"11 right, 11 right moved", "10 wrong, - lost"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := compared(&record.Data{}, test.was, test.found)
			got = slices.DeleteFunc(got, func(s string) bool { return strings.HasSuffix(s, ", -") }) // it was gone, and is
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
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
		"key":        {func(f *report.Finding) { f.Function = "G" }, nil, "key: {m lockheld/relock G mu.Lock()}, was {m lockheld/relock F mu.Lock()}"},
		"site":       {func(f *report.Finding) { f.Site = "twice" }, nil, "site: twice, was second-lock"},
		"renamed":    {func(f *report.Finding) { f.Category, f.Site = "lockheld/again", "twice" }, names, ""},
		"not yet":    {func(*report.Finding) {}, names, "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			f := reported("F", 10)
			was := judged(f, verdict.Right)
			test.edit(&f)
			d := &record.Data{Names: test.names}
			c, _ := compared(d, []*record.Finding{was}, f)
			p := c.pairs[0]
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
	// Nobody has counted the packages of a target that was never run, and what was found in it before may be in those that cannot be analysed.
	target.Packages = 0
	d.Findings = []*record.Finding{judged(reported("F", 10), verdict.Right)}
	if c := compareTarget(d, target, &result{packages: 3, failures: target.Failures}); c.print(new(strings.Builder), d) {
		t.Errorf("the first run differs: %q", c.changed)
	}
	if c := compareTarget(d, target, &result{packages: 3}); !c.print(new(strings.Builder), d) {
		t.Error("a loss where all was analysed is none")
	}
}
