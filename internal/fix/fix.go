// Package fix applies the fixes that findings suggest: to all of the files that a fix touches, or to none.
package fix

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/report"
)

// A Plan is what the fixes of some findings change, before anything is written.
type Plan struct {
	Fixed     []report.Finding // in the order in which they came
	Left      []report.Finding // without a fix, or with one that cannot be applied
	Conflicts []report.Finding // those of Left whose fix contradicts that of another finding
	Files     []File           // sorted by name
}

// A File is one that changes.
type File struct {
	Name          string // relative to the working directory, with slashes
	Before, After []byte

	path string
}

// Make plans the first fix of each finding. The names of files are relative to dir. Of two fixes that contradict each
// other the one that comes first is taken, and the other one left for the next run. Files that are generated or vendored
// stay as they are. It is an error when a file cannot be read, or would not parse afterwards.
func Make(dir string, findings []report.Finding) (Plan, error) {
	var p Plan
	m := maker{dir: dir, sources: map[string][]byte{}, edits: map[string][]report.Edit{}}
	for _, f := range findings {
		applied, conflict, err := m.add(f)
		if err != nil {
			return Plan{}, err
		}
		switch {
		case applied:
			p.Fixed = append(p.Fixed, f)
		case conflict:
			p.Conflicts = append(p.Conflicts, f)
			fallthrough
		default:
			p.Left = append(p.Left, f)
		}
	}
	for name, edits := range m.edits {
		after, err := Apply(m.sources[name], edits)
		if err != nil {
			return Plan{}, fmt.Errorf("%s: %w", name, err)
		}
		p.Files = append(p.Files, File{Name: name, Before: m.sources[name], After: after, path: m.path(name)})
	}
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return p, nil
}

type maker struct {
	dir     string
	sources map[string][]byte // nil for a file that is not to be touched
	edits   map[string][]report.Edit
}

func (m *maker) path(name string) string {
	if p := filepath.FromSlash(name); filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(m.dir, filepath.FromSlash(name))
}

// add takes the first fix of f into the plan, and reports whether it could, or else whether another fix is in its way.
func (m *maker) add(f report.Finding) (applied, conflict bool, err error) {
	if len(f.Fixes) == 0 {
		return false, false, nil
	}
	edits := f.Fixes[0].Edits
	for _, e := range edits {
		if _, read := m.sources[e.File]; !read {
			if m.sources[e.File], err = m.source(e.File); err != nil {
				return false, false, err
			}
		}
		if m.sources[e.File] == nil {
			return false, false, nil
		}
		if slices.ContainsFunc(m.edits[e.File], func(o report.Edit) bool { return contradict(e, o) }) {
			return false, true, nil
		}
	}
	for _, e := range edits {
		if !slices.Contains(m.edits[e.File], e) { // two fixes can need the same import
			m.edits[e.File] = append(m.edits[e.File], e)
		}
	}
	return true, false, nil
}

// source reads the file named so; nil where it is generated or vendored.
func (m *maker) source(name string) ([]byte, error) {
	if slices.Contains(strings.Split(name, "/"), "vendor") {
		return nil, nil
	}
	src, err := os.ReadFile(m.path(name))
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	return src, nil
}

// contradict reports whether two edits of one file cannot both be made: they change the same bytes, or insert different
// texts at one place.
func contradict(a, b report.Edit) bool {
	if a == b {
		return false
	}
	if a.Start == b.Start {
		return true
	}
	return a.Start < b.End && b.Start < a.End
}

// Apply makes edits, which do not contradict each other, to a Go file, and formats it. It is an error when an edit lies
// outside of src, as when the file was changed meanwhile, or when the result does not parse.
func Apply(src []byte, edits []report.Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b report.Edit) int { return a.Start - b.Start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("no room for the edit of the bytes %d to %d", e.Start, e.End)
		}
		out.Write(src[at:e.Start])
		out.WriteString(e.NewText)
		at = e.End
	}
	out.Write(src[at:])
	after, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the fixed file does not parse: %w", err)
	}
	return after, nil
}

// Diff writes the changes as a unified diff.
func (p Plan) Diff(w io.Writer) error {
	for _, f := range p.Files {
		text := udiff.Unified("a/"+f.Name, "b/"+f.Name, string(f.Before), string(f.After))
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// Write puts the changed files in the place of the old ones, each at once. What could not be written is in the error;
// the other files are written all the same.
func (p Plan) Write() error {
	var errs []error
	for _, f := range p.Files {
		errs = append(errs, f.write())
	}
	return errors.Join(errs...)
}

// write replaces the file, unless it is not the one any more that the fixes were made for.
func (f File) write() error {
	now, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, f.Before) {
		return &fs.PathError{Op: "fix", Path: f.Name, Err: errors.New("the file has changed meanwhile")}
	}
	return atomicfile.Write(f.path, f.After)
}
