package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/graph"
	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// Somebody has judged each finding, and fixes and sites are those that there are.
func TestData(t *testing.T) {
	d, _ := committed(t)
	for _, f := range d.Findings {
		if err := f.Judged(); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, r := range d.Fixes {
		switch r.Today.Before {
		case record.Hit, record.Miss, record.Broken:
		default:
			t.Errorf("fix %s/%s is %q before its commit", r.List, r.ID, r.Today.Before)
		}
		if err := r.Explained(); err != nil {
			t.Error(err)
		}
	}
	seen := make(map[string]bool)
	for _, s := range d.Seen {
		seen[strings.ToLower(path.Base(s.Repo))] = true
	}
	for _, f := range d.Findings {
		if f.Split == record.SplitFresh && !seen[strings.ToLower(path.Base(f.Source))] {
			t.Errorf("seen.jsonl lacks %s", f.Source)
		}
	}
	dir := t.TempDir()
	anew := &record.Data{Targets: d.Targets, Findings: d.Findings, Fixes: d.Fixes, Names: d.Names, Seen: d.Seen}
	if err := anew.Write(dir); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("data/*.jsonl")
	if err != nil || len(files) != 7 {
		t.Fatalf("the files of data are %q (%v)", files, err)
	}
	for _, name := range files {
		was, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if now, err := os.ReadFile(filepath.Join(dir, filepath.Base(name))); err != nil || string(now) != string(was) {
			t.Errorf("%s is written in another way (%v)", name, err)
		}
	}
}

// TestSites holds the sites of the source to the data and to internal/rule/sites.tsv: each is written once, has a row there with the level that its figures give it, and those of findings that are still
// found are in the source.
func TestSites(t *testing.T) {
	g, err := graph.Load("..")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := committed(t)
	sites := g.Sites(checksOf)
	known := map[string]bool{}
	for _, s := range sites {
		if known[s.ID] {
			t.Errorf("site %s is written twice: the second time in %s, line %d", s.ID, s.Node.File, s.Node.Line)
		}
		known[s.ID] = true
		if !plainSite.MatchString(s.ID) {
			t.Errorf("site %q is not of small letters and hyphens", s.ID)
		}
	}
	if len(known) < 2 {
		t.Fatalf("the source has %d sites", len(known))
	}
	for _, f := range d.Findings {
		if !f.Gone && !known[d.Renamed("site", f.Site)] {
			t.Errorf("no source has the site of %s", f)
		}
	}
	for _, r := range d.Fixes {
		for _, s := range renamed(d, "site", r.Today.Sites) {
			if r.Today.Before == record.Hit && !known[s] {
				t.Errorf("no source has the site %s of fix %s/%s", s, r.List, r.ID)
			}
		}
	}
	for _, n := range d.Names {
		if n.Kind == "site" && (known[n.Old] || !known[d.Renamed("site", n.New)]) {
			t.Errorf("names.jsonl: the site %s is in the source, or %s is not", n.Old, n.New)
		}
		if rule, check, _ := strings.Cut(d.Renamed("check", n.New), "/"); n.Kind == "check" && !slices.Contains(checksOf(rule), check) {
			t.Errorf("names.jsonl: there is no check %s", n.New)
		}
	}
	if text, err := os.ReadFile(filepath.Join("..", pageName)); err != nil || string(text) != page(d, nil) {
		t.Errorf("%s is not what the data says (%v): run go run ./eval table -update", pageName, err)
	}
	if text, err := os.ReadFile(filepath.Join("..", sitesName)); err != nil || string(text) != siteText(siteRows(d, sites, rule.SiteTable())) {
		t.Errorf("%s is not what the source and the data say (%v): run go run ./eval table -update", sitesName, err)
	}
	for _, r := range rule.SiteTable() {
		if !slices.Contains([]string{"", "seed", "comment", "opt-in"}, r.Ground) {
			t.Errorf("the level of %s has the unknown ground %q", r.Site, r.Ground)
		}
	}
	if lines := g.Lines(); lines < 10_000 {
		t.Errorf("%d lines ship", lines)
	}
}

var plainSite = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

var (
	// A link to a line of a file on GitHub: repository, commit or release, file and line.
	placeLink = regexp.MustCompile(`\(https://github\.com/([^/]+/[^/]+)/blob/([^/]+)/([^#)]+)#L(\d+)\)`)

	// What stands behind the link of an entry of docs/found.md.
	entryCheck = regexp.MustCompile("^,\\s+`([a-z]+/[a-z]+)`")

	// What README says of the entries that it does not have.
	moreEntries = regexp.MustCompile(`\[(\d+) more\]\(docs/found\.md\)`)
)

// TestFound holds docs/found.md to the findings: each of its links leads to one whose verdict is right, and has its check. The
// links of README are of that page, and it counts the others.
func TestFound(t *testing.T) {
	d, _ := committed(t)
	right := make(map[string]bool)
	for _, f := range d.Findings {
		if f.Split == record.SplitTuned && !f.Gone && f.Counts() == verdict.Right {
			right[fmt.Sprintf("(https://github.com/%s/blob/%s/%s#L%d) %s", repository(f), f.At, path.Join(f.Folder, f.File), f.Line, d.Renamed("check", f.Check))] = true
		}
	}
	page := text(t, "found.md")
	entries := make(map[string]bool)
	for _, m := range placeLink.FindAllStringSubmatchIndex(page, -1) {
		place := page[m[0]:m[1]]
		check := entryCheck.FindStringSubmatch(page[m[1]:])
		switch {
		case check == nil:
			t.Errorf("found.md: no check behind %s", place)
		case !right[place+" "+check[1]]:
			t.Errorf("found.md: no finding of %s with the verdict right at %s", check[1], place)
		case entries[place]:
			t.Errorf("found.md: %s is there twice", place)
		}
		entries[place] = true
	}
	if len(entries) == 0 {
		t.Fatal("found.md has no link to a line of a file on GitHub")
	}

	readme := text(t, "../README.md")
	some := placeLink.FindAllString(readme, -1)
	for _, place := range some {
		if !entries[place] {
			t.Errorf("README.md: found.md has no entry %s", place)
		}
	}
	want := fmt.Sprint(len(entries) - len(some))
	if more := moreEntries.FindStringSubmatch(readme); more == nil || more[1] != want {
		t.Errorf("README.md says %q of the other entries of found.md, want [%s more](docs/found.md)", more, want)
	}
}

// repository is the owner and the name of the repository of f on GitHub, or its path where that does not tell.
func repository(f *record.Finding) string {
	if f.List == record.Trees {
		return f.Source
	}
	host, rest, _ := strings.Cut(f.Source, "/")
	names := strings.Split(rest, "/")
	switch {
	case host == "github.com" && len(names) > 1:
		return names[0] + "/" + names[1]
	case host == "k8s.io":
		return "kubernetes/" + names[0]
	case host == "sigs.k8s.io":
		return "kubernetes-sigs/" + names[0]
	}
	return f.Source
}

// text is what is in the file, whose name is relative to docs.
func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
