package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mirrortest"
	"github.com/ctrllint/ctrllint/internal/report"
)

const (
	held = `package store

import "sync"

type Store struct {
	mu sync.Mutex
	n  int
}

func (s *Store) get() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func (s *Store) Twice() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 2 * s.get()
}
`
	line = 19 // of the second Lock's call
)

// write puts d into a folder for the flag -data.
func write(t *testing.T, d *record.Data) string {
	t.Helper()
	dir := t.TempDir()
	if err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestFixes runs fixes of every outcome.
func TestFixes(t *testing.T) {
	fixed := strings.Replace(held, "2 * s.get()", "2 * s.n", 1)
	dir, shas := mirrortest.Make(t, "o/r",
		map[string]string{"sub/go.mod": "module example.com/m\n\ngo 1.26\n", "sub/store/store.go": held, "sub/logo.png": "x"},
		map[string]string{"sub/store/store.go": strings.Replace(held, "package store", "// Package store is not better.\npackage store", 1)},
		map[string]string{"sub/store/store.go": fixed},
		map[string]string{"sub/store/store.go": "package store\n\nvar x int = \"\"\n"},
	)
	tool, err := gocommand.Tool(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	row := func(id, before, after, today, then, note string) *record.Fix {
		r := &record.Fix{
			List: "list1", ID: id, Rules: []string{"lockheld"}, Repo: "o/r", Before: before, After: after, Package: "sub/store",
			File: "sub/store/store.go", Functions: []string{"Twice"}, Today: record.Outcome{Before: today, After: then}, Note: note,
		}
		if today == record.Hit {
			r.Today.Checks, r.Today.Sites = []string{"lockheld/relock"}, []string{"second-lock"}
		}
		return r
	}
	good := []*record.Fix{
		row("quiet", shas[0], shas[2], record.Hit, record.Quiet, ""),
		row("again", shas[0], shas[1], record.Hit, record.Again, "the second commit fixes nothing"),
		row("alone", shas[0], "", record.Hit, "", ""),
		row("miss", shas[2], shas[0], record.Miss, "", "there is no bug"),
		row("broken", shas[3], shas[0], record.Broken, "", "it does not compile"),
		row("broken after", shas[0], shas[3], record.Hit, record.Broken, "the fix does not compile"),
	}
	changed := func(change func(*record.Fix)) []*record.Fix {
		r := row("changed", shas[0], shas[2], record.Hit, record.Quiet, "")
		change(r)
		return []*record.Fix{r}
	}
	renamed := []*record.Name{{Kind: "check", Old: "lockheld/twice", New: "lockheld/relock"}, {Kind: "site", Old: "twice", New: "second-lock"}}
	for _, test := range []struct {
		name    string
		rows    []*record.Fix
		names   []*record.Name
		differs bool
		text    string // in the output
		err     string // in the error
	}{
		{"as they were", good, nil, false, "", ""},
		{"lost", changed(func(r *record.Fix) { r.Before, r.After = r.After, "" }), nil, true, "list1/changed: miss, were hit, quiet", ""},
		{"found", changed(func(r *record.Fix) { r.Today, r.Note = record.Outcome{Before: record.Miss}, "nobody knows" }), nil, true, "list1/changed: hit, quiet (lockheld/relock; second-lock), were miss", ""},
		{"another check", changed(func(r *record.Fix) { r.Today.Checks = []string{"lockheld/leak"} }), nil, true, "were hit, quiet (lockheld/leak; second-lock)", ""},
		{"another site", changed(func(r *record.Fix) { r.Today.Sites = []string{"first-lock"} }), nil, true, "were hit, quiet (lockheld/relock; first-lock)", ""},
		{"no site yet", changed(func(r *record.Fix) { r.Today.Sites = nil }), nil, false, "", ""},
		{"renamed", changed(func(r *record.Fix) { r.Today.Checks, r.Today.Sites = []string{"lockheld/twice"}, []string{"twice"} }), renamed, false, "", ""},
		{"no note", changed(func(r *record.Fix) { r.Before, r.After, r.Today = r.After, "", record.Outcome{Before: record.Miss} }), nil, true, "has no note that says why", ""},
		{"now of another rule", changed(func(r *record.Fix) { r.Rules, r.Today.Checks = []string{"old"}, []string{"old/twice"} }), []*record.Name{{Kind: "check", Old: "old/twice", New: "lockheld/relock"}}, false, "", ""},
		{"another rule", changed(func(r *record.Fix) { r.Rules, r.Today.Checks = []string{"startctx"}, []string{"startctx/loop"} }), nil, true, "changed: miss", ""},
		{"another function", changed(func(r *record.Fix) { r.Functions = []string{"get"} }), nil, true, "changed: miss", ""},
		{"by line", changed(func(r *record.Fix) { r.Functions, r.Line = nil, line+reach }), nil, false, "", ""},
		{"too far", changed(func(r *record.Fix) { r.Functions, r.Line = nil, line+reach+1 }), nil, true, "changed: miss", ""},
		{"another file", changed(func(r *record.Fix) { r.File = "sub/store/other.go" }), nil, true, "changed: miss", ""},
		{"no mirror", changed(func(r *record.Fix) { r.Repo = "o/other" }), nil, false, "", "list1/changed: there is no mirror of o/other"},
		{"no commit", changed(func(r *record.Fix) { r.Before = strings.Repeat("0", 40) }), nil, false, "", "git ls-tree"},
		{"no rows", nil, nil, false, "", "chooses no fix"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := write(t, &record.Data{Fixes: test.rows, Names: test.names})
			var out strings.Builder
			differs, err := fixes(t.Context(), &out, &options{mirrors: dir, tool: tool, data: data})
			if differs != test.differs || !strings.Contains(out.String(), test.text) {
				t.Errorf("differs: %t, want %t; %q is wanted in\n%s", differs, test.differs, test.text, out.String())
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}

	// What is written down is what the next run finds.
	data := write(t, &record.Data{Fixes: changed(func(r *record.Fix) { r.Today = record.Outcome{} })})
	if _, err := fixes(t.Context(), new(strings.Builder), &options{mirrors: dir, tool: fake(t, "echo 'panic: boom' >&2; exit 2"), data: data, update: true}); err == nil {
		t.Error("a run that ended with a panic is an outcome")
	}
	if _, err := fixes(t.Context(), new(strings.Builder), &options{mirrors: dir, tool: tool, data: data, only: "lockheld,list2"}); err == nil {
		t.Error("a list that is not there is chosen")
	}
	for _, update := range []bool{true, false} {
		if differs, err := fixes(t.Context(), new(strings.Builder), &options{mirrors: dir, tool: tool, data: data, update: update, only: "lockheld"}); err != nil || differs {
			t.Errorf("update %t: differs: %t, %v", update, differs, err)
		}
	}

	edit(t, data, func(d *record.Data) {
		if r := d.Fixes[0]; !reflect.DeepEqual(r.First, r.Today) || r.First.String() != "hit, quiet (lockheld/relock; second-lock)" {
			t.Errorf("the first run is %s, today's is %s", r.First, r.Today)
		}
	})

	// A tree from before go.mod.
	dir, shas = mirrortest.Make(t, "o/r", map[string]string{
		"sub/store/store.go": strings.Replace(held, `import "sync"`, "import (\n\t\"sync\"\n\n\t_ \"example.com/v/w\"\n)", 1), "vendor/example.com/v/w/w.go": "package w\n",
	})
	for path, want := range map[string]string{"": "old: broken", "example.com/old": "old: hit"} {
		old := row("old", shas[0], "", "", "", "")
		old.Path = path
		var out strings.Builder
		if _, err := fixes(t.Context(), &out, &options{mirrors: dir, tool: tool, data: write(t, &record.Data{Fixes: []*record.Fix{old}})}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q: %v, %s", path, err, out.String())
		}
	}
}

// A finding counts where a place that it names is at the bug, too.
func TestMeets(t *testing.T) {
	r := &record.Fix{Rules: []string{"lockheld"}, File: "a/a.go", Line: 100, Functions: []string{"Run"}}
	at := func(file string, line int) report.Place { return report.Place{File: file, Line: line} }
	for _, test := range []struct {
		f    report.Finding
		want bool
	}{
		{report.Finding{Rule: "lockheld", Place: at("a/a.go", 95)}, true},
		{report.Finding{Rule: "lockheld", Place: at("a/a.go", 94)}, false},
		{report.Finding{Rule: "lockheld", Place: at("a/a.go", 1), Function: "(*T).Run"}, true},
		{report.Finding{Rule: "lockheld", Place: at("a/a.go", 1), Function: "(*T).run"}, false},
		{report.Finding{Rule: "lockheld", Place: at("b/a.go", 100), Function: "Run"}, false},
		{report.Finding{Rule: "lockheld", Place: at("b/b.go", 1), Related: []report.Related{{Place: at("a/a.go", 101)}}}, true},
		{report.Finding{Rule: "startctx", Place: at("a/a.go", 100)}, false},
	} {
		if got := meets(&record.Data{}, r, test.f); got != test.want {
			t.Errorf("%+v: %t", test.f, got)
		}
	}
}

func TestOutcome(t *testing.T) {
	r := &record.Fix{Rules: []string{"x"}, File: "a.go", Functions: []string{"Run"}}
	found := []report.Finding{
		{Rule: "x", Category: "x/b", Site: "s", Function: "Run", Place: report.Place{File: "a.go"}},
		{Rule: "x", Category: "x/a", Site: "s", Function: "Run", Place: report.Place{File: "a.go"}},
		{Rule: "x", Category: "x/c", Site: "t", Function: "Stop", Place: report.Place{File: "a.go"}},
	}
	o, hits := outcome(&record.Data{}, r, found)
	want := record.Outcome{Before: record.Hit, Checks: []string{"x/a", "x/b"}, Sites: []string{"s"}}
	if !reflect.DeepEqual(o, want) || len(hits) != 2 {
		t.Errorf("got %+v, %d hits, want %+v", o, len(hits), want)
	}
}
