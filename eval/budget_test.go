package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/eval/graph"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An exception is what may be larger than its kind, and why.
type exception struct {
	Name  string `json:"name"`
	Lines int    `json:"lines"`
	Facts int    `json:"facts"`
	Why   string `json:"why"`
}

// A bound is what each of a kind has to keep to, but for exceptions.
type bound struct {
	Lines      int         `json:"lines"`
	Facts      int         `json:"facts"`
	Exceptions []exception `json:"exceptions"`
}

// budget is budget.json.
type budget struct {
	Why      string `json:"why"`
	Shipped  int    `json:"shipped"` // lines
	Checks   int    `json:"checks"`
	Facts    int    `json:"facts"` // kinds of them, of all analyzers
	Analyzer bound  `json:"analyzer"`
	Site     bound  `json:"site"`
	File     bound  `json:"file"`
}

// of is the bound of the one with that name.
func (b bound) of(name string) exception {
	for _, e := range b.Exceptions {
		if e.Name == name {
			return e
		}
	}
	return exception{Lines: b.Lines, Facts: b.Facts}
}

// TestBudget holds the program to budget.json. An exception that is not needed, or has no reason, is an error, too.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile("budget.json")
	if err != nil {
		t.Fatal(err)
	}
	var b budget
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	needed := map[string]bool{} // the names whose bound is an exception that they need
	check := func(kind bound, name string, lines, facts int) {
		limit := kind.of(name)
		if lines > limit.Lines || facts > limit.Facts {
			t.Errorf("%s has %d lines and %d kinds of facts: at most %d and %d", name, lines, facts, limit.Lines, limit.Facts)
		}
		needed[name] = needed[name] || lines > kind.Lines || facts > kind.Facts
	}

	if lines := g.Lines(); lines > b.Shipped {
		t.Errorf("%d lines ship: at most %d", lines, b.Shipped)
	}
	byPackage := g.ByPackage()
	checks, facts, own := 0, 0, map[string]bool{}
	for _, a := range analyzers.All() {
		lines := 0
		for pkg, n := range byPackage {
			if pkg == "analyzers/"+a.Name || strings.HasPrefix(pkg, "analyzers/"+a.Name+"/") {
				lines += n
			}
		}
		if lines == 0 {
			t.Errorf("%s has no lines", a.Name)
		}
		checks += len(rule.Subs(a))
		check(b.Analyzer, a.Name, lines, len(a.FactTypes))
		for _, r := range append(a.Requires, a) {
			if !own[r.Name] {
				own[r.Name] = true
				facts += len(r.FactTypes)
			}
		}
	}
	if checks > b.Checks {
		t.Errorf("%d checks: at most %d", checks, b.Checks)
	}
	if facts > b.Facts {
		t.Errorf("%d kinds of facts: at most %d", facts, b.Facts)
	}
	// Those that one function words together are one check, and the first of them stands for the others.
	for _, s := range g.Sites(checksOf) {
		if s.ID == s.Node.Sites[0] {
			check(b.Site, s.ID, s.Lines, 0)
		}
	}
	err = filepath.WalkDir("../analyzers", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(name)
		check(b.File, strings.TrimPrefix(filepath.ToSlash(name), "../"), bytes.Count(src, []byte("\n")), 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []bound{b.Analyzer, b.Site, b.File} {
		for _, e := range kind.Exceptions {
			if !needed[e.Name] {
				t.Errorf("%s needs no exception", e.Name)
			}
			if len(e.Why) < 20 {
				t.Errorf("the exception %s has no reason", e.Name)
			}
		}
	}
}
