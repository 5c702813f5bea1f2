package graph

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// Three sites: one that shares its declaration with another one, and one that alone reads a fact.
func TestSites(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"go.mod":                "module github.com/ctrllint/ctrllint\n\ngo 1.26\n",
		"internal/rule/rule.go": "package rule\n\ntype Site string\n\nfunc Report(Site) {}\n",
		"cmd/ctrllint/main.go":  "package main\n\nimport \"github.com/ctrllint/ctrllint/analyzers/r\"\n\nfunc main() { r.Run(r.Pass{}) }\n",
		"analyzers/r/r.go": `package r

import "github.com/ctrllint/ctrllint/internal/rule"

type Fact struct{}

type Pass struct{}

func (Pass) ExportObjectFact(o any, f *Fact) {}

func (Pass) ImportObjectFact(o any, f *Fact) bool { return true }

func Run(p Pass) {
	both(len("a") == 1)
	alone(p)
	export(p)
}

// both is about one check,
// and words two sites.
func both(x bool) {
	site := rule.Site("one-site")
	if x {
		site = "other-site"
	}
	shared()
	_ = "sub"
	rule.Report(site)
}

func alone(p Pass) {
	shared()
	needed()
	if p.ImportObjectFact(nil, new(Fact)) {
		rule.Report("lone-site")
	}
}

func shared() {}

func needed() {}

func export(p Pass) {
	p.ExportObjectFact(nil, new(Fact))
}

func dead() {}
`,
	})
	g, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range g.Sites(func(string) []string { return []string{"sub", "other"} }) {
		got = append(got, fmt.Sprintf("%s %s %v %s %d %v", s.ID, s.Rule, s.Subs, s.Node.Name, s.Lines, s.With))
	}
	// The function both, its comment and an empty line are 12 lines; alone (8), needed, export (4), and the fact that nobody reads then with its two methods.
	want := []string{"lone-site r [] alone 20 []", "one-site r [sub] both 12 [other-site]", "other-site r [sub] both 12 [one-site]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := g.Lines(); n < 40 || n > 60 {
		t.Errorf("%d lines ship", n)
	}

	filetest.Write(t, dir, map[string]string{"analyzers/r/r.go": "package r\n\nvar x int = \"\"\n"})
	if _, err := Load(dir); err == nil {
		t.Error("a program that does not compile is no error")
	}
}
