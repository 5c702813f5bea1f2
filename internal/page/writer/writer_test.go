package writer

import (
	"errors"
	"flag"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/example"
	"github.com/ctrllint/ctrllint/internal/page"
)

var update = flag.Bool("update", false, "write the pages")

const (
	root = "../../.."
	dir  = root + "/docs/rules"
)

// pages are the pages that there have to be, by their names below dir.
func pages(t *testing.T) map[string]string {
	t.Helper()
	evidence, err := ReadEvidence(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"README.md": Index(analyzers.All())}
	for _, a := range analyzers.All() {
		want[a.Name+".md"] = Overview(a)
		for _, s := range page.Subs(a) {
			name := a.Name + "/" + s.Name + ".md"
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Errorf("%s/%s has no text: %v", a.Name, s.Name, err)
				continue
			}
			if want[name], err = Page(a, s, string(text), evidence); err != nil {
				t.Errorf("docs/rules/%s: %v", name, err)
			}
		}
	}
	return want
}

// The pages in the repository are those of the rules and their sub-rules, no more and no less. `make docs` writes them.
func TestPages(t *testing.T) {
	want := pages(t)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || want[filepath.ToSlash(rel)] != "" {
			return err
		}
		if *update {
			return os.Remove(name)
		}
		t.Errorf("%s is the page of no rule: run make docs", name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		same(t, filepath.Join(dir, name), text)
	}
}

// The list of pages for the site is that of the pages.
func TestNavigation(t *testing.T) {
	name := root + "/mkdocs.yml"
	settings, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(settings), "\nnav:\n")
	if !found {
		t.Fatal("mkdocs.yml has no nav")
	}
	same(t, name, before+"\n"+Navigation(analyzers.All()))
}

// same writes text into the file, or says that it is not what the file has.
func same(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got, err := os.ReadFile(name); err != nil || string(got) != text {
		t.Errorf("%s is not what its source says (%v): run make docs", name, err)
	}
}

// Go code on the pages is Go: a file, declarations, or statements.
func TestCode(t *testing.T) {
	for name, text := range pages(t) {
		if strings.Contains(name, "/") && len(Blocks(text)) < 2 {
			t.Errorf("%s has %d pieces of Go code", name, len(Blocks(text)))
		}
		for _, block := range Blocks(text) {
			if err := parses(block); err != nil {
				t.Errorf("%s: %v in\n%s", name, err, block)
			}
			if strings.Contains(block, "\n    ") {
				t.Errorf("%s: Go code that is not indented with tabs:\n%s", name, block)
			}
		}
	}
}

// parses gives the error of the form that comes closest.
func parses(code string) error {
	var err error
	for _, form := range []string{code, "package p\n" + code, "package p\nfunc _() {\n" + code + "\n}"} {
		if _, err = parser.ParseFile(token.NewFileSet(), "", form, parser.SkipObjectResolution); err == nil {
			return nil
		}
	}
	return err
}

var (
	target = regexp.MustCompile(`\]\(([^)]+)\)`)
	// lasting is what stands in a repository for good: a commit by its whole hash, or a file at a version.
	lasting = regexp.MustCompile(`^https://github\.com/[\w.-]+/[\w.-]+/(commit/[0-9a-f]{40}|blob/v\d+\.\d+\.\d+/[\w./-]+)$`)
)

// Links lead to pages and files that are there. Those to other projects lead to commits that the benchmarks name, or,
// in texts that somebody has written, to what stays where it is: a page is read for years, and a branch moves on.
func TestLinks(t *testing.T) {
	evidence, err := ReadEvidence(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	commits := make(map[string]bool)
	for _, fixes := range evidence.Fixes {
		for _, f := range fixes {
			commits[f.link()] = true
		}
	}
	links := 0
	for name, text := range pages(t) {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			links++
			to := m[1]
			if commits[to] || lasting.MatchString(to) && !strings.HasPrefix(to, repository) {
				continue
			}
			file := filepath.Join(dir, filepath.Dir(name), to)
			if ours, ok := strings.CutPrefix(to, repository); ok {
				ours, _, _ = strings.Cut(ours, "#")
				file = filepath.Join(root, ours)
			} else if strings.Contains(to, "://") {
				t.Errorf("%s links to %s, which is no commit of the benchmarks, no commit or file that stays, and no file of the repository", name, to)
				continue
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s has a dead link: %v", name, err)
			}
		}
	}
	if links < 40 {
		t.Errorf("only %d links were looked at", links)
	}
}

// The rule that docs/new-rule.md builds is written about as those of the suite are.
func TestExample(t *testing.T) {
	subs := page.Subs(example.Analyzer)
	if len(subs) != 1 {
		t.Fatalf("got %+v", subs)
	}
	text, err := os.ReadFile(root + "/internal/example/" + subs[0].Name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(string(text)); err != nil {
		t.Error(err)
	}
}

func TestParse(t *testing.T) {
	const full = "# x/a\n\n<!-- mark -->\n\nSum.\n\n## What it reports\n\nA.\n\n## Why it hurts\n\nB.\n\n## Bad code\n\n```go\na()\n```\n\n## Good code\n\n```go\nb()\n```\n\n" +
		"## How it works\n\nW.\n\n## What is left alone\n\n- C.\n"
	got, err := parse(full + "\n## How sure it is\n\nD.\n")
	if err != nil || got[reports] != "A." || got[bad] != "```go\na()\n```" || got[leaves] != "- C." || got[sure] != "D." || got[works] != "W." {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := parse(full); err != nil || got[sure] != "" {
		t.Errorf("without what may be missing: %q, %v", got, err)
	}
	added := strings.Replace(full, "B.", "B.\n\n"+fixedIn+"\n\n- one", 1) + "\n## How sure it is\n\n" + consequent + "x.\n\nD.\n\n## How it was measured\n\nM.\n\n## How to turn it off\n\nT.\n"
	if got, err := parse(added); err != nil || got[hurts] != "B." || got[sure] != "D." {
		t.Errorf("with what was added: %q, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                                       `no text below "## What it reports"`,
		full + "\n## More\n\ntext":               "none of the sections",
		strings.Replace(full, "B.", "", 1):       `no text below "## Why it hurts"`,
		strings.Replace(full, "Why it", "It", 1): `"It hurts" is none of the sections`,
		strings.Replace(full, "```go\nb()\n```", "b()", 1):                    `section "Good code" has no code`,
		strings.Replace(full, "W.", "", 1):                                    `no text below "## How it works"`,
		strings.Replace(full, "- C.", "- C."+strings.Repeat("\n- C.", 12), 1): "13 items of what is left alone",
		full + "\n## Bad code\n\nagain\n":                                     "out of order",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", text, err, want)
		}
	}
}

func TestEvidence(t *testing.T) {
	fix := func(list, id, repo, after, file, then, note string) *record.Fix {
		return &record.Fix{
			List: list, ID: id, Rules: []string{"x"}, Repo: repo, Before: "b", After: after, Package: "p", File: file, Functions: []string{"get"}, Note: note,
			Today: record.Outcome{Before: record.Hit, After: then, Checks: []string{"x/a"}},
		}
	}
	d := &record.Data{
		Names: []*record.Name{{Kind: "check", Old: "x/old", New: "x/a"}},
		Fixes: []*record.Fix{
			fix("locks", "c", "o/m", "fedcba9876543210", "p/g.go", record.Quiet, "of the finding"), fix("locks", "d", "o/k", "00", "p/h.go", record.Again, "why"),
			fix("list1", "c", "o/n", "0123456789abcdef", "p/f.go", record.Quiet, "newThing waits forever in get, as do2Things and ctx.Done() do."),
		},
	}
	temp := t.TempDir()
	data := filepath.Join(temp, "eval", "data")
	if err := errors.Join(os.MkdirAll(data, 0o755), d.Write(data)); err != nil {
		t.Fatal(err)
	}
	e, err := ReadEvidence(os.DirFS(temp))
	if err != nil {
		t.Fatal(err)
	}
	want := "Fixed in real projects:\n\n- [o/n@0123456789ab](https://github.com/o/n/commit/0123456789abcdef), in `p/f.go`: `newThing` waits forever in `get`, as `do2Things` and `ctx.Done()` do.\n" +
		"- [o/m@fedcba987654](https://github.com/o/m/commit/fedcba9876543210), in `p/g.go`"
	if got := fixes(e.Fixes["x/a"], "as in [another one](https://github.com/o/x/commit/0123456789abcdef)"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	first, _, _ := strings.Cut(want, "\n- [o/m")
	if got := fixes(e.Fixes["x/a"], "as in [o/m](https://github.com/o/m/commit/fedcba9876543210)"); got != first {
		t.Errorf("with a text that tells of the second one: got\n%s\nwant\n%s", got, first)
	}
	if got := fixes(e.Fixes["x/b"], ""); got != "" {
		t.Errorf("fixes of x/b: %q", got)
	}
}

// What go vet, help and the pages show first is one short line, and so is what is said of a sub-rule in a list.
func TestSummaries(t *testing.T) {
	for _, a := range analyzers.All() {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		if summary == "" || len(summary) > 60 || strings.HasSuffix(summary, ".") || strings.ToLower(summary[:1]) != summary[:1] {
			t.Errorf("%s: %q (%d letters) is not at most 60 letters, lower case, without a period", a.Name, summary, len(summary))
		}
		for _, s := range page.Subs(a) {
			if s.Summary == "" || len(s.Summary) > 120 || strings.HasSuffix(s.Summary, ".") {
				t.Errorf("%s/%s: %q (%d letters) is not one line without a period", a.Name, s.Name, s.Summary, len(s.Summary))
			}
		}
	}
}

// The table in the README lists every rule as it describes itself.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
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

func TestOverviewCode(t *testing.T) {
	if got, want := coded("a \\`<-chan \\*T\\` and \\*b"), "a `<-chan *T` and \\*b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
