// Package fix applies the fixes that findings suggest: to all of the files that a fix touches, or to none. What is in a
// file that was edited since it was analysed is not what the fix is for: such a file is left alone.
package fix

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/report"
)

// A Plan is what the fixes of some findings change, before anything is written.
type Plan struct {
	Fixed     []report.Finding // in the order in which they came
	Left      []report.Finding // without a fix, or with one that cannot be applied
	Conflicts []report.Finding // those of Left whose fix contradicts that of another finding
	Unfixable int              // the number of those of Left for which there is no fix, or one in a file that is generated or vendored
	Refused   []Refusal        // the files that are left alone, sorted by name
	Files     []File           // sorted by name
}

// A Refusal is a file that a fix would change, and why it does not.
type Refusal struct {
	Name string // relative to the working directory, with slashes
	Err  error
}

// A File is one that changes.
type File struct {
	Name          string // relative to the working directory, with slashes
	Before, After []byte

	path string
}

// ErrChanged is the error of a file that is not the one any more that was analysed, or that the fixes were made for.
var ErrChanged = errors.New("the file has changed since it was analysed: run again")

// Make plans the first fix of each finding. The names of files are relative to dir; analysed reports whether a file
// had that content when it was analysed. Of two fixes that contradict each other the one that comes first is taken,
// and the other one left for the next run. Files that are generated or vendored stay as they are. A file that cannot
// be read, has changed, or would not parse afterwards is refused, with all fixes that touch it.
func Make(dir string, findings []report.Finding, analysed func(name string, content []byte) bool) Plan {
	var p Plan
	m := maker{dir: dir, analysed: analysed, sources: map[string][]byte{}, edits: map[string][]report.Edit{}, refused: map[string]error{}}
	for _, f := range findings {
		switch m.add(f) {
		case taken:
			p.Fixed = append(p.Fixed, f)
			continue
		case contradicted:
			p.Conflicts = append(p.Conflicts, f)
		case unfixable:
			p.Unfixable++
		}
		p.Left = append(p.Left, f)
	}
	for name, edits := range m.edits {
		after, err := Apply(m.sources[name], edits)
		if err != nil {
			m.refused[name] = err
			continue
		}
		p.Files = append(p.Files, File{Name: name, Before: m.sources[name], After: after, path: m.path(name)})
	}
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	p.refuse(m.refused)
	return p
}

type maker struct {
	dir      string
	analysed func(name string, content []byte) bool
	sources  map[string][]byte // nil for a file that is not to be touched
	edits    map[string][]report.Edit
	refused  map[string]error
}

func (m *maker) path(name string) string {
	if p := filepath.FromSlash(name); filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(m.dir, filepath.FromSlash(name))
}

// outcome is what becomes of the fix of a finding.
type outcome int

const (
	taken outcome = iota
	contradicted
	unfixable
	refused
)

// add takes the first fix of f into the plan where it can.
func (m *maker) add(f report.Finding) outcome {
	if len(f.Fixes) == 0 {
		return unfixable
	}
	edits := f.Fixes[0].Edits
	for _, e := range edits {
		if _, read := m.sources[e.File]; !read {
			src, err := m.source(e.File)
			if m.sources[e.File] = src; err != nil {
				m.refused[e.File] = err
			}
		}
		switch {
		case m.refused[e.File] != nil:
			return refused
		case m.sources[e.File] == nil:
			return unfixable
		case slices.ContainsFunc(m.edits[e.File], func(o report.Edit) bool { return contradict(e, o) }):
			return contradicted
		}
	}
	for _, e := range edits {
		if !slices.Contains(m.edits[e.File], e) { // two fixes can need the same import
			m.edits[e.File] = append(m.edits[e.File], e)
		}
	}
	return taken
}

// source reads the file named so; nil if it is generated or vendored.
func (m *maker) source(name string) ([]byte, error) {
	if slices.Contains(strings.Split(name, "/"), "vendor") {
		return nil, nil
	}
	src, err := os.ReadFile(m.path(name))
	if err != nil {
		return nil, reason(err)
	}
	if !m.analysed(name, src) {
		return nil, ErrChanged
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
// texts at one place, other than imports, whose order is that of [Apply].
func contradict(a, b report.Edit) bool {
	if a == b {
		return false
	}
	if a.Start == b.Start {
		return a.Start < a.End || b.Start < b.End || !importText.MatchString(a.NewText) || !importText.MatchString(b.NewText)
	}
	return a.Start < b.End && b.Start < a.End
}

// refuse takes the files out of the plan, and with each all other files that share a fix with it: to make half of a
// fix is worse than to make none.
func (p *Plan) refuse(files map[string]error) {
	if len(files) == 0 {
		return
	}
	for more := true; more; {
		more = false
		for _, f := range p.Fixed {
			all := f.Fixes[0].Edits
			i := slices.IndexFunc(all, func(e report.Edit) bool { return files[e.File] != nil })
			for _, e := range all {
				if i >= 0 && files[e.File] == nil {
					files[e.File], more = fmt.Errorf("a fix changes %s, too, which is not possible", all[i].File), true
				}
			}
		}
	}
	p.Files = slices.DeleteFunc(p.Files, func(f File) bool { return files[f.Name] != nil })
	var fixed []report.Finding
	for _, f := range p.Fixed {
		if edits := f.Fixes[0].Edits; len(edits) > 0 && files[edits[0].File] != nil {
			p.Left = append(p.Left, f)
		} else {
			fixed = append(fixed, f)
		}
	}
	p.Fixed, p.Left = fixed, report.Sort(p.Left)
	for name, err := range files {
		p.Refused = append(p.Refused, Refusal{name, err})
	}
	slices.SortFunc(p.Refused, func(a, b Refusal) int { return strings.Compare(a.Name, b.Name) })
}

// Write puts the changed files in the place of the old ones, each at once, when all are ready. A file that is
// read-only, lies in such a folder, is being written by another run or has changed is refused. Afterwards, p says
// what was done.
func (p *Plan) Write() {
	var ready []*pending
	defer func() {
		for _, w := range ready {
			w.end()
		}
	}()
	refused := make(map[string]error)
	for _, f := range p.Files {
		w, err := f.stage()
		if err != nil {
			refused[f.Name] = reason(err)
			continue
		}
		ready = append(ready, w)
	}
	p.refuse(refused)
	refused = make(map[string]error)
	for _, w := range ready {
		if slices.ContainsFunc(p.Files, func(f File) bool { return f.Name == w.file.Name }) {
			if err := w.commit(); err != nil {
				refused[w.file.Name] = reason(err)
			}
		}
	}
	p.refuse(refused)
}

// pending is a file that is ready to be written.
type pending struct {
	file   File
	staged *atomicfile.Staged // nil when that has happened
	unlock func()
}

// stage makes everything ready, or returns an error and leaves nothing behind.
func (f File) stage() (*pending, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return nil, errors.New("the file is read-only")
	}
	// A rename needs no permission of the file itself, and its owner may have taken that away on purpose.
	writable, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := writable.Close(); err != nil {
		return nil, err
	}
	unlock, err := lock(f.path)
	if err != nil {
		return nil, err
	}
	w := &pending{file: f, unlock: unlock}
	if err = f.unchanged(); err == nil {
		w.staged, err = atomicfile.Stage(f.path, f.After)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return w, nil
}

// unchanged returns an error where the file is not the one any more that the fixes were made for.
func (f File) unchanged() error {
	now, err := os.ReadFile(f.path)
	if err == nil && !bytes.Equal(now, f.Before) {
		err = ErrChanged
	}
	return err
}

func (w *pending) commit() error {
	if err := w.file.unchanged(); err != nil {
		return err
	}
	staged := w.staged
	w.staged = nil
	return staged.Commit()
}

// end takes back what is not done, and lets others write the file.
func (w *pending) end() {
	if w.staged != nil {
		w.staged.Discard()
	}
	w.unlock()
}

// reason is err without the name of the file, which stands in front of it anyway.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
