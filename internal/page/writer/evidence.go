package writer

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
)

// Evidence is what other projects have fixed.
type Evidence struct {
	Fixes map[string][]Fix // that a check, named as in findings ("lockheld/leak"), finds in the code before, and not in that after; the best told ones first
}

// A Fix is a commit of a public project that fixed a bug.
type Fix struct {
	Repo   string // owner/name
	Commit string
	File   string // which had the bug
	Note   string // what the bug was, in a sentence; may be empty

	Functions []string // that the note is about
}

// ReadEvidence reads eval/data below the repository root.
func ReadEvidence(root fs.FS) (*Evidence, error) {
	data, err := fs.Sub(root, "eval/data")
	if err != nil {
		return nil, err
	}
	d, err := record.Read(data)
	if err != nil {
		return nil, err
	}
	e := &Evidence{Fixes: make(map[string][]Fix)}
	for _, corpus := range []bool{false, true} {
		for _, r := range d.Fixes {
			if inCorpus(r) == corpus {
				e.bug(d, r)
			}
		}
	}
	return e, nil
}

// inCorpus reports whether r is of one of the lists by which the rules were made. Their notes are about what is found
// there, and not about the bug.
func inCorpus(r *record.Fix) bool { return !strings.HasPrefix(r.List, "list") }

// bug notes a bug where the finding went with the fix: only there are the two about the same thing.
func (e *Evidence) bug(d *record.Data, r *record.Fix) {
	f := Fix{Repo: r.Repo, Commit: r.After, File: r.File, Note: r.Note, Functions: r.Functions}
	if inCorpus(r) {
		f.Note = ""
	}
	for _, check := range r.Today.Checks {
		sub := d.Renamed("check", check)
		if r.Today.After == record.Quiet && r.After != "" {
			e.Fixes[sub] = append(e.Fixes[sub], f)
		}
	}
}

// maxFixes is how many fixes a page names.
const maxFixes = 2

// fixes is the list of fixes for a page, from as many projects as there are. What the text above it links to is not
// told twice.
func fixes(all []Fix, told string) string {
	var b strings.Builder
	var repos []string
	for _, f := range all {
		if slices.Contains(repos, f.Repo) || len(repos) == maxFixes || strings.Contains(told, f.link()) {
			continue
		}
		repos = append(repos, f.Repo)
		fmt.Fprintf(&b, "- [%s@%.12s](%s), in `%s`", f.Repo, f.Commit, f.link(), f.File)
		if f.Note != "" {
			b.WriteString(": " + f.marked())
		}
		b.WriteString("\n")
	}
	if len(repos) == 0 {
		return ""
	}
	return fixedIn + "\n\n" + strings.TrimSpace(b.String())
}

// link is where the commit is to be seen.
func (f Fix) link() string { return "https://github.com/" + f.Repo + "/commit/" + f.Commit }

// identifier is a word that nobody writes in prose: with a dot inside, or a capital behind a small letter.
const identifier = `\*?[A-Za-z]\w*(?:\.[A-Za-z]\w*)+(?:\(\))?|\b\w*[a-z0-9][A-Z]\w*(?:\(\))?`

// marked is the note with its identifiers as code, those among them that look like words, too.
func (f Fix) marked() string {
	words := identifier
	for _, name := range f.Functions {
		words += `|\b` + regexp.QuoteMeta(name) + `\b`
	}
	return regexp.MustCompile(words).ReplaceAllString(f.Note, "`$0`")
}
