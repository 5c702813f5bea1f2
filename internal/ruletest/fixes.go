package ruletest

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/fix"
	"github.com/ctrllint/ctrllint/internal/report"
)

// UpdateGolden is the environment variable that makes RunFixes write the golden files instead of comparing them.
const UpdateGolden = "UPDATE_GOLDEN"

// RunFixes applies the first suggested fix of each diagnostic that a has in the packages that patterns name below
// testdata, and compares each file that changes, formatted, with FILE.go.golden beside it. It fails t where they differ,
// where a file that changes has no golden file or the other way round, where two fixes contradict each other, where the
// fixed packages do not type-check, and where a, run on them, has other findings than those that had no fix.
//
// Set UPDATE_GOLDEN=1 to write the golden files, and read them before they are committed.
func RunFixes(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	withNursery(t)
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	runFixes(t, filepath.Join(root, "testdata"), a, os.Getenv(UpdateGolden) != "", patterns...)
}

func runFixes(t reporter, dir string, a *analysis.Analyzer, update bool, patterns ...string) {
	t.Helper()
	before, err := findingsOf(dir, a, nil, patterns)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	fixed := make(map[string][]byte)
	for name, edits := range before.edits {
		if fixed[name], err = apply(name, edits); err != nil {
			t.Errorf("%v", err)
			return
		}
	}
	for _, name := range before.files {
		compareGolden(t, dir, name, fixed[name], update)
	}
	after, err := findingsOf(dir, a, fixed, patterns)
	if err != nil {
		t.Errorf("after the fixes: %v", err)
		return
	}
	if left, want := after.all(), before.unfixed; !slices.Equal(left, want) {
		t.Errorf("after the fixes the findings are\n\t%q\nwant those that had no fix:\n\t%q", left, want)
	}
}

// findings are the diagnostics of some packages, apart by whether they bring a fix. Messages have their numbers taken
// out: a fix moves lines.
type findings struct {
	files          []string // of the packages
	edits          map[string][]report.Edit
	fixed, unfixed []string
}

func (f findings) all() []string {
	all := append(slices.Clone(f.fixed), f.unfixed...)
	sort.Strings(all)
	return all
}

var number = regexp.MustCompile(`\d+`)

// findingsOf runs a over the packages, with the contents of overlay in the place of the files that it names.
func findingsOf(dir string, a *analysis.Analyzer, overlay map[string][]byte, patterns []string) (findings, error) {
	f := findings{edits: make(map[string][]report.Edit)}
	l, err := list(dir, overlay, patterns)
	if err != nil {
		return f, err
	}
	seen, err := l.analyze(a, nil)
	if err != nil {
		return f, err
	}
	for _, one := range seen {
		f.files = append(f.files, one.listed.GoFiles...)
		for _, d := range one.found {
			text := filepath.Base(one.fset.Position(d.Pos).Filename) + ": " + number.ReplaceAllString(d.Message, "N")
			if len(d.SuggestedFixes) == 0 {
				f.unfixed = append(f.unfixed, text)
				continue
			}
			f.fixed = append(f.fixed, text)
			for _, e := range d.SuggestedFixes[0].TextEdits {
				name, edit := place(one.fset, e)
				if !slices.Contains(f.edits[name], edit) { // two fixes can need the same import
					f.edits[name] = append(f.edits[name], edit)
				}
			}
		}
	}
	sort.Strings(f.unfixed)
	return f, nil
}

func place(fset *token.FileSet, e analysis.TextEdit) (string, report.Edit) {
	file := fset.File(e.Pos)
	end := e.End
	if !end.IsValid() {
		end = e.Pos
	}
	return file.Name(), report.Edit{Start: file.Offset(e.Pos), End: file.Offset(end), NewText: string(e.NewText)}
}

// apply returns the formatted contents of the file name after the edits.
func apply(name string, edits []report.Edit) ([]byte, error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	fixed, err := fix.Apply(source, edits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return fixed, nil
}

// compareGolden compares fixed, nil for a file that no fix changes, with the golden file beside name.
func compareGolden(t reporter, dir, name string, fixed []byte, update bool) {
	t.Helper()
	golden := name + ".golden"
	short := golden
	if rel, err := filepath.Rel(dir, golden); err == nil {
		short = filepath.ToSlash(rel)
	}
	if update && fixed != nil {
		if err := os.WriteFile(golden, fixed, 0o644); err != nil {
			t.Errorf("%v", err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	switch {
	case errors.Is(err, os.ErrNotExist) && fixed == nil:
	case err != nil:
		t.Errorf("%s: %v", short, err)
	case fixed == nil:
		t.Errorf("%s: no fix changes the file", short)
	case !bytes.Equal(fixed, want):
		t.Errorf("%s: the fixed file differs from line %d on; it is\n%s", short, firstDifference(fixed, want), fixed)
	}
}

// firstDifference returns the number of the first line in which a and b differ.
func firstDifference(a, b []byte) int {
	line := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			break
		}
		if a[i] == '\n' {
			line++
		}
	}
	return line
}
