// Package record has what is known of ctrllint's findings: those on real code with the verdicts of readers, and the bugs of other projects that it
// finds or misses. It reads and writes the files in eval/data.
//
// Findings come in lists. Those of published modules and of trees, which are repositories at a commit, are tuned: the rules were made by that code. Fresh
// ones come from measures: each time, operators were taken that were not in the data, ctrllint was run over their newest commit once, and two readers judged
// what it reported. Fixes come in lists of their own, each of which was collected before ctrllint was run on any of it.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/atomicfile"
	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// The files of findings, which are named NAME.jsonl, and what a target is of.
const (
	Modules = "modules"
	Trees   = "trees"
	Fresh   = "fresh" // all measures together
)

// The splits.
const (
	SplitTuned = "tuned"
	SplitFresh = "fresh"
)

// A Verdict is what one reader made of a finding.
type Verdict struct {
	Reader  string `json:"reader"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
}

// A Finding is one that was judged, or is to be. The order of the fields is that of the JSON.
type Finding struct {
	List       string       `json:"list"`             // Modules, Trees, or the measure of fresh code
	Split      string       `json:"split"`            // SplitTuned, SplitFresh
	Source     string       `json:"source"`           // the path of the module, or owner/name of the repository
	At         string       `json:"at"`               // its version, or the hash of the commit
	Folder     string       `json:"folder,omitempty"` // of the go.mod in the repository, unless at the root
	Check      string       `json:"check"`            // rule/check
	Site       string       `json:"site,omitempty"`   // the place in the source of the rule that produces the message; empty where that is not known
	File       string       `json:"file"`             // relative to the folder
	Line       int          `json:"line"`
	Column     int          `json:"column,omitempty"`
	Message    string       `json:"message"`
	Confidence string       `json:"confidence,omitempty"`
	Key        baseline.Key `json:"key"`
	Verdicts   []Verdict    `json:"verdicts"`
	Gone       bool         `json:"gone,omitempty"` // it is not found any more
}

// Counts is the verdict that counts: the lowest of the readers' ones, and verdict.Unjudged where there is none, or they cannot be put into an order.
func (f *Finding) Counts() string {
	if len(f.Verdicts) == 0 {
		return verdict.Unjudged
	}
	counts := f.Verdicts[0].Verdict
	for _, v := range f.Verdicts[1:] {
		if v.Verdict != counts {
			counts = verdict.Lower(counts, v.Verdict)
		}
	}
	return counts
}

// String is the finding in one line.
func (f *Finding) String() string {
	s := fmt.Sprintf("%s %s:%d %s", f.Source, path.Join(f.Folder, f.File), f.Line, f.Check)
	if f.Site != "" {
		s += " (" + f.Site + ")"
	}
	return s + ": " + f.Message
}

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// check is an error where f cannot be found again.
func (f *Finding) check() error {
	switch {
	case f.List == "" || f.Source == "" || f.At == "" || f.File == "" || f.Line == 0 || f.Message == "":
		return errors.New("a finding without list, source, version, place or message")
	case f.Split != SplitTuned && f.Split != SplitFresh:
		return fmt.Errorf("%s: split %q", f, f.Split)
	case f.List != Modules && !commit.MatchString(f.At):
		return fmt.Errorf("%s: %q is no commit", f, f.At)
	case !strings.Contains(f.Check, "/"):
		return fmt.Errorf("%s: %q is no check", f, f.Check)
	case f.Site == "" && !f.Gone:
		return fmt.Errorf("%s: no site", f)
	}
	return nil
}

// Judged is an error where a reader has still to say something of f.
func (f *Finding) Judged() error {
	counts := f.Counts()
	switch {
	case counts == verdict.Unjudged:
		return errors.New("nobody has judged it")
	case !slices.Contains(verdict.All, counts):
		return fmt.Errorf("%q is no verdict: want one of %q", counts, verdict.All)
	case !slices.ContainsFunc(f.Verdicts, func(v Verdict) bool { return v.Reason != "" }):
		return errors.New("the verdict has no reason")
	}
	return nil
}

func (f *Finding) compare(g *Finding) int {
	return cmp.Or(
		cmp.Compare(f.List, g.List), cmp.Compare(f.Source, g.Source), cmp.Compare(f.At, g.At), cmp.Compare(f.Folder, g.Folder),
		cmp.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line), cmp.Compare(f.Column, g.Column), cmp.Compare(f.Check, g.Check), cmp.Compare(f.Message, g.Message),
	)
}

// The outcomes of a run over the code of a bug.
const (
	Hit    = "hit"    // before the fix: a finding of the row's rules is at the bug
	Miss   = "miss"   // before the fix: none is
	Quiet  = "quiet"  // after the fix: what was found is gone
	Again  = "again"  // after the fix: it is still found
	Broken = "broken" // the package cannot be analysed there
)

// An Outcome is what runs before and after a fix gave. After is empty where nothing was found before, or nobody has looked.
type Outcome struct {
	Before string   `json:"before"`
	After  string   `json:"after,omitempty"`
	Checks []string `json:"checks,omitempty"` // of the findings at the bug, before the fix
	Sites  []string `json:"sites,omitempty"`  // of these; empty where nobody has looked since findings have sites
}

// String is o in a few words.
func (o Outcome) String() string {
	s := cmp.Or(o.Before, "not known")
	if o.After != "" {
		s += ", " + o.After
	}
	if len(o.Checks) > 0 {
		s += fmt.Sprintf(" (%s; %s)", strings.Join(o.Checks, " "), strings.Join(o.Sites, " "))
	}
	return s
}

// A Fix is a commit that fixed a bug in another project, with what ctrllint makes of the code before it.
type Fix struct {
	List      string   `json:"list"`
	ID        string   `json:"id"`
	Rules     []string `json:"rules"` // of which a finding counts
	Repo      string   `json:"repo"`  // owner/name
	Before    string   `json:"before"`
	After     string   `json:"after"`
	Module    string   `json:"module,omitempty"` // folder of the go.mod, where it is not the nearest one above the package
	Path      string   `json:"path,omitempty"`   // import path of a tree from before go.mod, which has all in its folder vendor
	Package   string   `json:"package"`          // folder
	Tests     bool     `json:"tests,omitempty"`  // the bug is in a test
	File      string   `json:"file"`
	Functions []string `json:"functions"`      // without receivers
	Line      int      `json:"line,omitempty"` // 0 where the function alone decides

	First Outcome `json:"first"` // of the first run; before is empty where that was not kept
	Today Outcome `json:"today"`
	Note  string  `json:"note,omitempty"` // what the bug was, or why it is missed, broken or found again
}

// check is an error where r cannot be run.
func (r *Fix) check() error {
	switch {
	case r.List == "" || r.ID == "" || len(r.Rules) == 0 || !strings.Contains(r.Repo, "/") || r.Before == "" || r.Package == "" || r.File == "":
		return fmt.Errorf("fix %q lacks a list, an id, rules, a repository, a commit, a package or a file", r.ID)
	case r.Line == 0 && len(r.Functions) == 0:
		return fmt.Errorf("fix %s has neither a line nor a function", r.ID)
	}
	return nil
}

// Explained is an error where somebody has still to say why r is as it is.
func (r *Fix) Explained() error {
	if r.Note == "" && (r.Today.Before == Miss || r.Today.Before == Broken || r.Today.After == Again || r.Today.After == Broken) {
		return fmt.Errorf("fix %s is %s before and %q after, and has no note that says why", r.ID, r.Today.Before, r.Today.After)
	}
	return nil
}

// A Target is a module that is analysed whole.
type Target struct {
	Name      string   `json:"name"`
	List      string   `json:"list"`   // Modules, Trees or Fresh
	Source    string   `json:"source"` // the path of the module, or owner/name of the repository
	At        string   `json:"at"`     // its version, or the hash of the commit
	Folder    string   `json:"folder,omitempty"`
	Patterns  []string `json:"patterns"`
	Published string   `json:"published,omitempty"` // the version of the modules that go.mod replaces by folders of the repository
	Refused   []string `json:"refused,omitempty"`   // modules that the proxy does not give
	Short     bool     `json:"short,omitempty"`     // it is part of the selection that takes minutes
	Note      string   `json:"note,omitempty"`

	Packages int      `json:"packages"` // that were analysed; 0 where nobody has counted them
	Failures []string `json:"failures"` // what could not be analysed, in ctrllint's words
}

func (t *Target) check() error {
	switch {
	case t.Name == "" || t.Source == "" || t.At == "" || len(t.Patterns) == 0:
		return fmt.Errorf("target %q lacks a name, source, version or patterns", t.Name)
	case t.List != Modules && t.List != Trees && t.List != Fresh:
		return fmt.Errorf("target %s: list %q", t.Name, t.List)
	case t.List != Modules && !commit.MatchString(t.At):
		return fmt.Errorf("target %s: %q is no commit", t.Name, t.At)
	}
	return nil
}

// Of reports whether f was found in t.
func (t *Target) Of(f *Finding) bool {
	return f.Kind() == t.List && f.Source == t.Source && f.At == t.At && f.Folder == t.Folder
}

// A Name says how a check or a site was called before.
type Name struct {
	Kind string `json:"kind"` // "check" or "site"
	Old  string `json:"old"`
	New  string `json:"new"`
}

func (n *Name) check() error {
	if n.Kind != "check" && n.Kind != "site" || n.Old == "" || n.New == "" || n.Old == n.New {
		return fmt.Errorf("%+v is no change of name", *n)
	}
	return nil
}

// A Seen is a repository whose code was looked at, so that it is not fresh any more.
type Seen struct {
	Repo string `json:"repo"`
}

func (s *Seen) check() error {
	if s.Repo == "" {
		return errors.New("a repository without a name")
	}
	return nil
}

// Data is all that is kept.
type Data struct {
	Targets  []*Target
	Findings []*Finding // of all lists
	Fixes    []*Fix
	Names    []*Name
	Seen     []*Seen

	read map[string][]byte // the files, as they were read
}

// A row is what a line of a file says.
type row[T any] interface {
	*T
	check() error
}

// Read reads the files in root, which is the folder eval/data. An error names the file and the line.
func Read(root fs.FS) (*Data, error) {
	d := &Data{read: make(map[string][]byte)}
	var errs []error
	for _, name := range []string{Modules, Trees, Fresh} {
		found, err := lines[Finding](d, root, name)
		d.Findings, errs = append(d.Findings, found...), append(errs, err)
	}
	var err [4]error
	d.Targets, err[0] = lines[Target](d, root, "targets")
	d.Fixes, err[1] = lines[Fix](d, root, "fixes")
	d.Names, err[2] = lines[Name](d, root, "names")
	d.Seen, err[3] = lines[Seen](d, root, "seen")
	if err := errors.Join(append(errs, err[:]...)...); err != nil {
		return nil, err
	}
	return d, d.whole()
}

// whole is an error where two rows contradict each other.
func (d *Data) whole() error {
	fixes := make(map[string]bool)
	for _, r := range d.Fixes {
		if id := r.List + "/" + r.ID; fixes[id] {
			return fmt.Errorf("fixes.jsonl: a second fix %s", id)
		} else {
			fixes[id] = true
		}
	}
	targets := make(map[string]bool)
	for _, t := range d.Targets {
		if id := t.List + "/" + t.Name; targets[id] {
			return fmt.Errorf("targets.jsonl: a second target %s", id)
		} else {
			targets[id] = true
		}
	}
	for _, f := range d.Findings {
		if !slices.ContainsFunc(d.Targets, func(t *Target) bool { return t.Of(f) }) {
			return fmt.Errorf("%s.jsonl: no target has %s", f.Kind(), f)
		}
	}
	olds := make(map[string]string)
	for _, n := range d.Names {
		if id := n.Kind + " " + n.Old; olds[id] != "" {
			return fmt.Errorf("names.jsonl: the %s got two other names", id)
		} else {
			olds[id] = n.Kind + " " + n.New
		}
	}
	for start := range olds {
		for name := olds[start]; name != ""; name = olds[name] {
			if name == start {
				return fmt.Errorf("names.jsonl: the names of the %s go round in a circle", start)
			}
		}
	}
	return nil
}

// lines reads a file with a row on each line, and keeps its text.
func lines[T any, P row[T]](d *Data, root fs.FS, name string) ([]*T, error) {
	name += ".jsonl"
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	d.read[name] = data
	var out []*T
	n := 0
	for text := range bytes.Lines(data) {
		n++
		r := new(T)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		err := dec.Decode(r)
		if err == nil && dec.More() {
			err = errors.New("there is more than one row")
		}
		if err == nil {
			err = P(r).check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Write writes what has changed since it was read into the folder dir, sorted, so that a change of one row is a change of one line. A file that somebody else
// has written meanwhile is an error, and stays.
func (d *Data) Write(dir string) error {
	slices.SortStableFunc(d.Findings, (*Finding).compare)
	of := func(file string) []*Finding {
		return slices.DeleteFunc(slices.Clone(d.Findings), func(f *Finding) bool { return f.Kind() != file })
	}
	return errors.Join(
		write(d, dir, Modules, of(Modules)), write(d, dir, Trees, of(Trees)), write(d, dir, Fresh, of(Fresh)),
		write(d, dir, "targets", d.Targets), write(d, dir, "fixes", d.Fixes), write(d, dir, "names", d.Names), write(d, dir, "seen", d.Seen),
	)
}

// Kind is what f was found in, Modules, Trees or Fresh, which is also the name of the file that has f.
func (f *Finding) Kind() string {
	if f.Split == SplitFresh {
		return Fresh
	}
	return f.List
}

func write[T any](d *Data, dir, name string, rows []*T) error {
	name += ".jsonl"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // people read it in reviews
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	was, known := d.read[name]
	if known && bytes.Equal(was, out.Bytes()) {
		return nil
	}
	if known {
		if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(now, was) {
			return fmt.Errorf("%s has been changed by somebody else: %w", name, cmp.Or(err, errors.New("it is left as it is")))
		}
	}
	if err := atomicfile.Write(filepath.Join(dir, name), out.Bytes()); err != nil {
		return err
	}
	if d.read == nil {
		d.read = make(map[string][]byte)
	}
	d.read[name] = slices.Clone(out.Bytes())
	return nil
}

// Renamed gives the name of today of a check or a site.
func (d *Data) Renamed(kind, name string) string {
	for { // a name may have changed more than once
		i := slices.IndexFunc(d.Names, func(n *Name) bool { return n.Kind == kind && n.Old == name })
		if i < 0 {
			return name
		}
		name = d.Names[i].New
	}
}
