package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/verdict"
)

var (
	// A link to a line of a file on GitHub: repository, commit or release, file and line.
	placeLink = regexp.MustCompile(`\(https://github\.com/([^/]+/[^/]+)/blob/([^/]+)/([^#)]+)#L(\d+)\)`)

	// What stands behind the link of an entry of docs/found.md.
	entrySubRule = regexp.MustCompile("^, `([a-z]+/[a-z]+)`")

	// What README says of the entries that it does not have.
	moreEntries = regexp.MustCompile(`\[(\d+) more\]\(docs/found\.md\)`)
)

// TestFound holds docs/found.md to the findings: each of its links leads to one whose verdict is right, and has its sub-rule. The
// links of README are of that page, and it counts the others.
func TestFound(t *testing.T) {
	right := rightFindings(t)
	page := text(t, "found.md")
	entries := make(map[string]bool)
	for _, m := range placeLink.FindAllStringSubmatchIndex(page, -1) {
		place := page[m[0]:m[1]]
		rule := entrySubRule.FindStringSubmatch(page[m[1]:])
		switch {
		case rule == nil:
			t.Errorf("found.md: no sub-rule behind %s", place)
		case !right[place+" "+rule[1]]:
			t.Errorf("found.md: no finding of %s with the verdict right at %s", rule[1], place)
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

// rightFindings are the links to the places of all findings with the verdict right, each with a space and the sub-rule.
func rightFindings(t *testing.T) map[string]bool {
	t.Helper()
	right := make(map[string]bool)
	for _, dir := range []string{".", "trees"} {
		modules, err := readModules(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modules {
			g, err := read(m.fileName(dir))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range g.Findings {
				if f.Verdict == verdict.Right {
					place := fmt.Sprintf("(https://github.com/%s/blob/%s/%s#L%d)", repository(m), m.Version, path.Join(m.Folder, f.File), f.Line)
					right[place+" "+f.Category] = true
				}
			}
		}
	}
	return right
}

// repository is the owner and the name of the module's repository on GitHub, or its path where that does not tell.
func repository(m *Module) string {
	if m.Repo != "" {
		return m.Repo
	}
	host, rest, _ := strings.Cut(m.Path, "/")
	names := strings.Split(rest, "/")
	switch {
	case host == "github.com" && len(names) > 1:
		return names[0] + "/" + names[1]
	case host == "k8s.io":
		return "kubernetes/" + names[0]
	case host == "sigs.k8s.io":
		return "kubernetes-sigs/" + names[0]
	}
	return m.Path
}

// text is what is in the file, whose name is relative to docs.
func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
