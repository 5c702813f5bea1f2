package writer

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// Evidence is what was measured of the sub-rules, which are named as in findings: "lockheld/leak".
type Evidence struct {
	Modules  int                 // published modules that were analysed
	Trees    int                 // trees of repositories that were
	Packages int                 // in all of them
	Verdicts map[string]Verdicts // on these
	Fresh    map[string]Verdicts // on operators to which no rule had been tuned, of the findings that are still there; the lower verdict of two readers. Without the last measure
	Fixes    map[string][]Fix    // by which a bug of the past went away; the best told ones first
	Past     map[string]int      // how many bugs of the past were found in the code before their fix
}

// Verdicts counts what readers said of findings.
type Verdicts struct{ Right, Weak, Wrong, Unclear int }

// short has the three that count, in a cell of a table.
func (v Verdicts) short() string { return fmt.Sprintf("%d, %d, %d", v.Right, v.Weak, v.Wrong) }

// add counts a verdict, and is an error for a word that is none.
func (v *Verdicts) add(word string) error {
	switch word {
	case verdict.Right:
		v.Right++
	case verdict.Weak:
		v.Weak++
	case verdict.Wrong:
		v.Wrong++
	case verdict.CannotTell:
		v.Unclear++
	default:
		return fmt.Errorf("verdict %q", word)
	}
	return nil
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
	e := &Evidence{Verdicts: make(map[string]Verdicts), Fresh: make(map[string]Verdicts), Fixes: make(map[string][]Fix), Past: make(map[string]int)}
	for _, t := range d.Targets {
		switch t.List {
		case record.Modules:
			e.Modules++
			e.Packages += t.Packages
		case record.Trees:
			e.Trees++
			e.Packages += t.Packages
		}
	}
	for _, f := range d.Findings {
		if f.Split == record.SplitTuned && !f.Gone {
			if err := count(e.Verdicts, d.Renamed("check", f.Check), f.Counts()); err != nil {
				return nil, err
			}
		}
	}
	if err := e.countFresh(d); err != nil {
		return nil, err
	}
	for _, corpus := range []bool{false, true} {
		for _, r := range d.Fixes {
			if inCorpus(r) == corpus {
				e.bug(d, r)
			}
		}
	}
	return e, nil
}

// count adds a verdict about a sub-rule.
func count(verdicts map[string]Verdicts, sub, verdict string) error {
	v := verdicts[sub]
	if err := v.add(verdict); err != nil {
		return fmt.Errorf("%w of a finding of %s", err, sub)
	}
	verdicts[sub] = v
	return nil
}

// countFresh counts the findings of all measures but the last. That one shows what the choices are worth that were made by the others, and so has no part in them:
// it counts from the next one on, when what it has taught is in the rules. Of a sub-rule that nobody had judged before, it is what there is to choose by.
func (e *Evidence) countFresh(d *record.Data) error {
	last := 0
	for _, f := range d.Findings {
		if f.Split == record.SplitFresh {
			last = max(last, measure(f))
		}
	}
	judged := make(map[string]bool) // also where what was judged is gone
	newest := make(map[string]Verdicts)
	for _, f := range d.Findings {
		if f.Split != record.SplitFresh {
			continue
		}
		into, sub := e.Fresh, d.Renamed("check", f.Check)
		if measure(f) == last {
			into = newest
		} else {
			judged[sub] = true
		}
		if f.Gone {
			continue
		}
		if err := count(into, sub, f.Counts()); err != nil {
			return err
		}
	}
	for sub, v := range newest {
		if e.Verdicts[sub] == (Verdicts{}) && !judged[sub] {
			e.Fresh[sub] = v
		}
	}
	return nil
}

// measure is the number of the measure of f, a finding on fresh code.
func measure(f *record.Finding) int {
	n, err := strconv.Atoi(strings.TrimPrefix(f.List, "measure"))
	if err != nil {
		return 0
	}
	return n
}

// bar is how many of ten findings of a sub-rule have to be right for it to be on by default.
const bar = 8

// Right counts what has been right of a sub-rule, of how much there is a word: a reader's, or that of those who have fixed what it finds.
func (e *Evidence) Right(sub string) (right, all int) {
	v, f := e.Verdicts[sub], e.Fresh[sub]
	right = v.Right + f.Right + e.Past[sub]
	return right, right + v.Weak + v.Wrong + f.Weak + f.Wrong
}

// Doubted reports whether what sub has said so far was right too seldom for it to be on by default.
func (e *Evidence) Doubted(sub string) bool {
	right, all := e.Right(sub)
	return right*10 < all*bar
}

// inCorpus reports whether r is of one of the lists by which the rules were made. Their notes are about what is found there, and not about the bug.
func inCorpus(r *record.Fix) bool { return !strings.HasPrefix(r.List, "list") }

// bug notes what is found of a bug.
func (e *Evidence) bug(d *record.Data, r *record.Fix) {
	f := Fix{Repo: r.Repo, Commit: r.After, File: r.File, Note: r.Note, Functions: r.Functions}
	if inCorpus(r) {
		f.Note = ""
	}
	for _, check := range r.Today.Checks {
		sub := d.Renamed("check", check)
		e.Past[sub]++
		// Only where the finding went with the fix are the two about the same thing.
		if r.Today.After == record.Quiet && r.After != "" {
			e.Fixes[sub] = append(e.Fixes[sub], f)
		}
	}
}

// maxFixes is how many fixes a page names.
const maxFixes = 3

// fixes is the list of fixes for a page, from as many projects as there are. What the text above it links to is not told twice.
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
	return "Fixed in real projects:\n\n" + strings.TrimSpace(b.String())
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
