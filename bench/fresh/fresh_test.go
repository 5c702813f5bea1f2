package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// TestMeasures holds docs/trust.md to the verdicts: it has the tables that -table prints.
func TestMeasures(t *testing.T) {
	measures, err := readAll(".")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := tables(&out, measures); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "trust.md"))
	if err != nil {
		t.Fatal(err)
	}
	for table := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n\n") {
		if !strings.Contains(string(page), table) {
			t.Errorf("docs/trust.md lacks this table:\n%s", table)
		}
	}
}

// What is read and written again is the same, so that -update changes what has changed.
func TestWriteAll(t *testing.T) {
	measures, err := readAll(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeAll(dir, measures); err != nil {
		t.Fatal(err)
	}
	for _, m := range measures {
		was, err := os.ReadFile(m.name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		now, err := os.ReadFile(filepath.Join(dir, m.name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if string(was) != string(now) {
			t.Errorf("%s is written in another way", m.name)
		}
	}
}

func TestReadAll(t *testing.T) {
	const good = `{"repo":"o/n","commit":"0123456789012345678901234567890123456789","file":"a.go","line":3,"category":"r/s","message":"m","first":"right","second":"weak","reason":"w"}`
	for _, test := range []struct{ name, text, want string }{
		{"good", good, ""},
		{"unknown key", strings.Replace(good, `"line"`, `"row":1,"line"`, 1), "m.jsonl:1: "},
		{"no verdict", strings.Replace(good, `"first":"right"`, `"first":"fine"`, 1), "a.go:3 lacks a verdict"},
		{"no reason", strings.Replace(good, `"reason":"w"`, `"reason":""`, 1), "lacks a verdict or a reason"},
		{"short commit", strings.Replace(good, "0123456789", "", 1), "lacks its repository, commit"},
		{"no sub-rule", strings.Replace(good, "r/s", "r", 1), `"r" is no sub-rule`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "m.jsonl"), []byte(test.text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			measures, err := readAll(dir)
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want == "" && measures[0].findings[0].counts() != verdict.Weak:
				t.Errorf("right and weak count as %s", measures[0].findings[0].counts())
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := readAll(t.TempDir()); err == nil {
		t.Error("a folder without measures is no error")
	}
}

func TestCompare(t *testing.T) {
	at := func(file string, line int, first string) *Finding {
		return &Finding{Repo: "o/n", File: file, Line: line, Category: "r/s", First: first, Second: verdict.Right}
	}
	gone := func(f *Finding) *Finding {
		f.Gone = true
		return f
	}
	of := func(file string, line int) report.Finding {
		return report.Finding{Category: "r/s", Place: report.Place{File: file, Line: line}, Message: "m"}
	}
	for _, test := range []struct {
		name  string
		was   []*Finding
		now   []report.Finding
		part  bool // not the whole was analysed
		moved bool
		left  int    // right ones that are still there
		said  string // nothing at all where it is empty
	}{
		{"as it was", []*Finding{at("a.go", 3, verdict.Right)}, []report.Finding{of("a.go", 4)}, false, false, 1, ""},
		{"right and gone", []*Finding{at("a.go", 3, verdict.Right)}, nil, false, true, 0, "gone, and right: o/n a.go:3"},
		{"right and not analysed", []*Finding{at("a.go", 3, verdict.Right)}, nil, true, false, 0, "gone or not analysed, and right: o/n a.go:3"},
		{"weak and gone", []*Finding{at("a.go", 3, verdict.Weak)}, nil, false, false, 0, "gone, and weak: o/n a.go:3"},
		{"gone before", []*Finding{gone(at("a.go", 3, verdict.Right))}, nil, false, false, 0, ""},
		{"elsewhere", []*Finding{at("a.go", 3, verdict.Weak)}, []report.Finding{of("a.go", 5)}, false, true, 0, "new: o/n a.go:5 r/s: m"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			r := &rerun{w: &out, left: sums{}, came: sums{}}
			r.compare(&tree{repo: "o/n", findings: test.was}, "", test.now, !test.part)
			if r.moved != test.moved || !strings.Contains(out.String(), test.said) || test.said == "" && out.Len() > 0 {
				t.Errorf("moved %v, said %q; want %v, %q", r.moved, out.String(), test.moved, test.said)
			}
			if left := r.left["r/s"][verdict.Right]; left != test.left || r.came["r/s"][verdict.Right] != left {
				t.Errorf("%d right ones are left, %d as the tool comes, want %d", left, r.came["r/s"][verdict.Right], test.left)
			}
		})
	}
}
