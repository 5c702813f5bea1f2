package page

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
)

var update = flag.Bool("update", false, "write the pages")

const dir = "../../docs/rules"

// The pages in the repository are those of the rules, no more and no less. `make docs` writes them.
func TestPages(t *testing.T) {
	left := make(map[string]bool)
	have, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range have {
		left[name] = true
	}
	for _, a := range analyzers.All() {
		name := filepath.Join(dir, a.Name+".md")
		delete(left, name)
		want := Markdown(a)
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the page of %s differs from its doc.go (%v): run make docs", a.Name, err)
		}
	}
	for name := range left {
		if *update {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		} else {
			t.Errorf("%s is the page of no rule: run make docs", name)
		}
	}
}

// What go vet, help and the pages show first is one short line.
func TestSummaries(t *testing.T) {
	for _, a := range analyzers.All() {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		if summary == "" || len(summary) > 60 || strings.HasSuffix(summary, ".") || strings.ToLower(summary[:1]) != summary[:1] {
			t.Errorf("%s: %q (%d letters) is not at most 60 letters, lower case, without a period", a.Name, summary, len(summary))
		}
	}
}

// The table in the README lists every rule as it describes itself.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range analyzers.All() {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		row := "| [" + a.Name + "](docs/rules/" + a.Name + ".md) | " + summary + " |\n"
		if !strings.Contains(string(readme), row) {
			t.Errorf("the README has no row %q", row)
		}
	}
}

func TestMarkdown(t *testing.T) {
	got := string(Markdown(&analysis.Analyzer{Name: "x", Doc: "find x\n\nMore of it.\n\n# part\n\n\tcode\n"}))
	want := "# x\n\n<!-- Made from analyzers/x/doc.go by `make docs`. -->\n\nfind x\n\nMore of it.\n\n## part\n\n\tcode\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubs(t *testing.T) {
	got := Subs(&analysis.Analyzer{Name: "x", Doc: `find x

Of x.

# What it reports

# one-two

A thing is
there: why. More.

# three

Off by default; -x.three turns it on. A rare thing, this.

	code

# Bad

Very.
`})
	want := []Sub{
		{"one-two", "A thing is there", "A thing is there: why. More.", "Of x.\n\n## What it reports\n\n## one-two\n\nA thing is there: why. More.\n\n## Bad\n\nVery."},
		{"three", "A rare thing, this", "Off by default; -x.three turns it on. A rare thing, this.\n\n\tcode", "Of x.\n\n## What it reports\n\n## three\n\nOff by default; -x.three turns it on. A rare thing, this.\n\n\tcode\n\n## Bad\n\nVery."},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got\n%+q\nwant\n%+q", got[i], want[i])
		}
	}
	for _, a := range analyzers.All() {
		subs := Subs(a)
		if len(subs) == 0 {
			t.Errorf("the page of %s has no sub-rule", a.Name)
		}
		for _, s := range subs {
			if s.Summary == "" || len(s.Summary) > 250 {
				t.Errorf("%s/%s: the summary is %q", a.Name, s.Name, s.Summary)
			}
		}
	}
}
