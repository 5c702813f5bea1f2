package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// TestRun runs rows of every outcome.
func TestRun(t *testing.T) {
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
	row := func(id, before, after string, o Outcome, note string) *Row {
		r := &Row{
			ID: id, Rules: []string{"lockheld"}, Repo: "o/r", Before: before, After: after, Package: "sub/store",
			File: "sub/store/store.go", Functions: []string{"Twice"}, Want: o, Note: note,
		}
		if o.Before == hit {
			r.Found = []string{"lockheld/relock"}
		}
		return r
	}
	good := []*Row{
		row("quiet", shas[0], shas[2], Outcome{hit, quiet}, ""),
		row("again", shas[0], shas[1], Outcome{hit, again}, "the second commit fixes nothing"),
		row("alone", shas[0], "", Outcome{Before: hit}, ""),
		row("miss", shas[2], shas[0], Outcome{Before: miss}, "there is no bug"),
		row("broken", shas[3], shas[0], Outcome{Before: broken}, "it does not compile"),
		row("broken after", shas[0], shas[3], Outcome{hit, broken}, "the fix does not compile"),
	}
	changed := func(change func(*Row)) *Row {
		r := row("changed", shas[0], shas[2], Outcome{hit, quiet}, "")
		change(r)
		return r
	}
	for _, test := range []struct {
		name  string
		rows  []*Row
		moved bool
		text  string // in the output
		err   string // in the error
	}{
		{"as they were", good, false, "| lockheld | 6 | 1 | 1 | 1 | 1 | 1 | 1 |", ""},
		{"lost", []*Row{changed(func(r *Row) { r.Before, r.After = r.After, "" })}, true, "changed: miss [], where it was hit, quiet [lockheld/relock]: ", ""},
		{"found", []*Row{changed(func(r *Row) { r.Want, r.Found, r.Note = Outcome{Before: miss}, nil, "nobody knows" })}, true, "changed: hit, quiet [lockheld/relock], where it was miss []: lockheld/relock: ", ""},
		{"not known", []*Row{changed(func(r *Row) { r.Want = Outcome{} })}, true, "changed: hit, quiet [lockheld/relock], where it was not known", ""},
		{"another sub-rule", []*Row{changed(func(r *Row) { r.Found = []string{"lockheld/leak"} })}, true, "[lockheld/relock], where it was hit, quiet [lockheld/leak]", ""},
		{"no note", []*Row{row("miss", shas[2], "", Outcome{Before: miss}, "")}, true, "has no note", ""},
		{"another rule", []*Row{changed(func(r *Row) { r.Rules = []string{"startctx"} })}, true, "changed: miss", ""},
		{"another function", []*Row{changed(func(r *Row) { r.Functions = []string{"get"} })}, true, "changed: miss", ""},
		{"by line", []*Row{changed(func(r *Row) { r.Functions, r.Line = nil, line+near })}, false, "", ""},
		{"too far", []*Row{changed(func(r *Row) { r.Functions, r.Line = nil, line+near+1 })}, true, "changed: miss", ""},
		{"another file", []*Row{changed(func(r *Row) { r.File = "sub/store/other.go" })}, true, "changed: miss", ""},
		{"no mirror", []*Row{changed(func(r *Row) { r.Repo = "o/other" })}, false, "", "row changed: there is no mirror of o/other"},
		{"no commit", []*Row{changed(func(r *Row) { r.Before = strings.Repeat("0", 40) })}, false, "", "git ls-tree"},
		{"no rows", nil, false, "", "no row in "},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := t.TempDir()
			if err := writeRows(filepath.Join(data, "rows.jsonl"), test.rows); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			moved, err := run(t.Context(), &out, options{mirrors: dir, tool: tool, data: data})
			if moved != test.moved || !strings.Contains(out.String(), test.text) {
				t.Errorf("moved: %t, want %t; %q is wanted in\n%s", moved, test.moved, test.text, out.String())
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}

	// A tree from before go.mod.
	dir, shas = mirrortest.Make(t, "o/r", map[string]string{
		"sub/store/store.go": strings.Replace(held, `import "sync"`, "import (\n\t\"sync\"\n\n\t_ \"example.com/v/w\"\n)", 1), "vendor/example.com/v/w/w.go": "package w\n",
	})
	for path, want := range map[string]string{"": "old: broken", "example.com/old": "old: hit"} {
		data := t.TempDir()
		old := row("old", shas[0], "", Outcome{}, "")
		old.Path, old.Line = path, 0
		if err := writeRows(filepath.Join(data, "rows.jsonl"), []*Row{old}); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := run(t.Context(), &out, options{mirrors: dir, tool: tool, data: data}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q: %v, %s", path, err, out.String())
		}
	}
}

// What is written down is what the next run finds.
func TestUpdate(t *testing.T) {
	dir, shas := mirrortest.Make(t, "o/r", map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "store.go": held})
	data := t.TempDir()
	row := &Row{ID: "a", Rules: []string{"lockheld"}, Repo: "o/r", Before: shas[0], Package: ".", File: "store.go", Functions: []string{"Twice"}}
	if err := writeRows(filepath.Join(data, "rows.jsonl"), []*Row{row}); err != nil {
		t.Fatal(err)
	}
	for _, wants := range []bool{true, false} {
		moved, err := run(t.Context(), new(strings.Builder), options{mirrors: dir, data: data, update: wants, only: "lockheld"})
		if err != nil || moved != wants {
			t.Errorf("moved: %t (%v), want %t", moved, err, wants)
		}
	}
}

// The rows of the project are complete, and docs/field-notes.md has them.
func TestRows(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "field-notes.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tables strings.Builder
	if err := printTables(&tables, "."); err != nil {
		t.Fatal(err)
	}
	for table := range strings.SplitSeq(tables.String(), "\n\n") {
		if !strings.Contains(string(doc), table) {
			t.Errorf("docs/field-notes.md has not this table:\n%s", table)
		}
	}
	files, err := rowFiles(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		rows, err := readRows(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := r.check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if known := []string{hit, miss, broken}; !slices.Contains(known, r.Want.Before) {
				t.Errorf("%s: row %s is %q before its fix", name, r.ID, r.Want.Before)
			}
		}
	}
}

func TestReadRows(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"id":"a"}` + "\n" + `{"id":"a"}`, "rows.jsonl:2: a second row a"},
		{`{"ids":"a"}`, "rows.jsonl:1: json: unknown field"},
		{`{`, "rows.jsonl:1: unexpected EOF"},
	} {
		name := filepath.Join(t.TempDir(), "rows.jsonl")
		if err := os.WriteFile(name, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readRows(name); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.text, err, test.want)
		}
	}
}

// A finding counts where a place that it names is at the bug, too.
func TestMeets(t *testing.T) {
	r := &Row{Rules: []string{"lockheld"}, File: "sub/a/a.go", Line: 100, Functions: []string{"Run"}}
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
		if got := r.meets(test.f); got != test.want {
			t.Errorf("%+v: %t", test.f, got)
		}
	}
}
