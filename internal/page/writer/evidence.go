package writer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

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
	Repo   string `json:"repo"` // owner/name
	Commit string `json:"after"`
	File   string `json:"file"` // which had the bug
	Note   string `json:"note"` // what the bug was, in a sentence; may be empty

	Functions []string `json:"functions"` // that the note is about
}

// ReadEvidence reads what bench has in the repository root.
func ReadEvidence(root fs.FS) (*Evidence, error) {
	e := &Evidence{Verdicts: make(map[string]Verdicts), Fresh: make(map[string]Verdicts), Fixes: make(map[string][]Fix), Past: make(map[string]int)}
	for _, golden := range []struct {
		pattern string
		count   *int
	}{{"bench/golden/*.jsonl", &e.Modules}, {"bench/golden/trees/*.jsonl", &e.Trees}} {
		n, err := eachLine(root, golden.pattern, func(_ string, line []byte) error { return e.finding(line) })
		if err != nil {
			return nil, err
		}
		*golden.count = n
	}
	if err := e.readFresh(root); err != nil {
		return nil, err
	}
	for _, bugs := range []string{"bench/past*/fixes.jsonl", "bench/corpus/*.jsonl"} {
		if _, err := eachLine(root, bugs, e.bug); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// eachLine hands the lines of all files that match to f, and gives the number of files. That there are none is an error.
func eachLine(root fs.FS, pattern string, f func(name string, line []byte) error) (int, error) {
	names, err := fs.Glob(root, pattern)
	if err != nil {
		return 0, err
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("there are no files %s", pattern)
	}
	for _, name := range names {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return 0, err
		}
		for line := range bytes.Lines(data) {
			if err := f(name, line); err != nil {
				return 0, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return len(names), nil
}

// finding counts a line of a file of findings: one of these, or the head of the file, which has the number of packages.
func (e *Evidence) finding(line []byte) error {
	var f struct {
		Packages          int
		Category, Verdict string
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return err
	}
	e.Packages += f.Packages
	if f.Category == "" {
		return nil
	}
	return count(e.Verdicts, f.Category, f.Verdict)
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

// readFresh counts the findings of all measures but the last. That one shows what the choices are worth that were made by the others, and so has no part in them:
// it counts from the next one on, when what it has taught is in the rules. Of a sub-rule that nobody had judged before, it is what there is to choose by.
func (e *Evidence) readFresh(root fs.FS) error {
	last := ""
	names, err := fs.Glob(root, freshFiles)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		last = slices.Max(names)
	}
	judged := make(map[string]bool) // also where what was judged is gone
	_, err = eachLine(root, freshFiles, func(name string, line []byte) error {
		if name == last {
			return nil
		}
		sub, err := fresh(e.Fresh, line)
		judged[sub] = true
		return err
	})
	if err != nil || last == "" {
		return err
	}
	newest := make(map[string]Verdicts)
	if _, err := eachLine(root, last, func(_ string, line []byte) error { _, err := fresh(newest, line); return err }); err != nil {
		return err
	}
	for sub, v := range newest {
		if e.Verdicts[sub] == (Verdicts{}) && !judged[sub] {
			e.Fresh[sub] = v
		}
	}
	return nil
}

// freshFiles are the measures, which are numbered.
const freshFiles = "bench/fresh/measure*.jsonl"

// fresh counts a line of a file of findings that two readers have judged, and gives its sub-rule.
func fresh(verdicts map[string]Verdicts, line []byte) (sub string, err error) {
	var f struct {
		Category, First, Second string
		Gone                    bool
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return "", err
	}
	if f.Gone {
		return f.Category, nil
	}
	return f.Category, count(verdicts, f.Category, verdict.Lower(f.First, f.Second))
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

// bug notes a line of a file of bugs.
func (e *Evidence) bug(name string, line []byte) error {
	var b struct {
		Fix
		Found []string
		Want  struct{ Before, After string }
	}
	if err := json.Unmarshal(line, &b); err != nil {
		return err
	}
	// The notes of the corpus are about what is found there, and not about the bug.
	if strings.HasPrefix(name, "bench/corpus/") {
		b.Note = ""
	}
	for _, sub := range b.Found {
		e.Past[sub]++
		// Only where the finding went with the fix are the two about the same thing.
		if b.Want.After == "quiet" && b.Commit != "" {
			e.Fixes[sub] = append(e.Fixes[sub], b.Fix)
		}
	}
	return nil
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
