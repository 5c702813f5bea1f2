package link

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Phase is the link phase of an analyzer whose packages contribute an S each. Its Run is that of the analyzer,
// which requires program.Analyzer and has new(Summary[S]) among its fact types.
type Phase[S any] struct {
	// Summarize analyses a package, and returns the result of the analyzer. It fills in the summary of the package.
	Summarize func(u *Unit[S]) any

	// Uncalled makes the findings in functions that their package does not call wait for a program that calls them.
	Uncalled bool

	// Whole makes findings wait for [Modules] instead of for programs. They are about what no package of the modules does,
	// which includes those of other programs. Drivers without such a pass, and runs in which a package could not be
	// analysed, report none of them.
	Whole bool

	// Harmless returns whether a call of the package does not make [Called] hold for what it calls. It may be nil.
	Harmless func(pass *analysis.Pass) func(ssa.CallInstruction) bool

	// Unused reports whether c holds in a program without uses of c. Nil means that it does not.
	Unused func(p *Program[S], c Condition) bool

	// Join does what more is to be done in a program. It may be nil.
	Join func(p *Program[S])
}

// A Summary is what a package contributes to the programs that it becomes a part of: a package fact.
type Summary[S any] struct {
	Path, Dir string // of the package
	Part      S      // what only the rule knows
	Deferred  []Deferred
	Uses      []Use

	// Below are the summaries of the packages below if the driver passes on the facts of direct imports only.
	Below []*Summary[S]
}

// AFact marks Summary as a fact.
func (*Summary[S]) AFact() {}

// String is for the tests of facts.
func (s *Summary[S]) String() string {
	var parts []string
	for _, d := range s.Deferred {
		parts = append(parts, fmt.Sprintf("defers %s at %s", d.Sub, d.At))
	}
	if part, ok := any(&s.Part).(fmt.Stringer); ok {
		parts = append(parts, part.String())
	}
	return strings.Join(parts, "; ")
}

// Rename replaces the names of folders.
func (s *Summary[S]) Rename(name func(string) string) {
	s.Dir = name(s.Dir)
	for _, b := range s.Below {
		b.Rename(name)
	}
}

// empty reports whether other packages learn nothing from s.
func (s *Summary[S]) empty() bool {
	return len(s.Deferred)+len(s.Uses)+len(s.Below) == 0 && reflect.ValueOf(&s.Part).Elem().IsZero()
}

// A Unit is a package that is summarized.
type Unit[S any] struct {
	*Summary[S]
	Pass  *analysis.Pass
	Below []*Summary[S] // of all packages below that have one, by path
}

// NewUnit returns the unit of pass, whose summary is still empty.
func NewUnit[S any](pass *analysis.Pass) *Unit[S] {
	all := map[string]*Summary[S]{}
	for _, f := range pass.AllPackageFacts() {
		if s, ok := f.Fact.(*Summary[S]); ok && f.Package != pass.Pkg {
			for _, s := range append(s.Below, s) {
				all[s.Path] = s
			}
		}
	}
	below := slices.SortedFunc(maps.Values(all), func(a, b *Summary[S]) int { return strings.Compare(a.Path, b.Path) })
	return &Unit[S]{Summary: &Summary[S]{Path: pass.Pkg.Path(), Dir: Dir(pass)}, Pass: pass, Below: below}
}

// Awaited returns the conditions of these kinds that packages below wait for.
func (u *Unit[S]) Awaited(kinds ...string) map[Condition]bool {
	all := map[Condition]bool{}
	for _, s := range u.Below {
		maps.Copy(all, s.Awaits(kinds...))
	}
	return all
}

// Awaits returns the conditions of these kinds that the package waits for.
func (s *Summary[S]) Awaits(kinds ...string) map[Condition]bool {
	all := map[Condition]bool{}
	add := func(cs []Condition) {
		for _, c := range cs {
			if slices.Contains(kinds, c.Kind) {
				all[c] = true
			}
		}
	}
	for _, d := range s.Deferred {
		add(d.If)
	}
	for _, u := range s.Uses {
		add(u.If)
	}
	return all
}

// Run returns the Run function of the analyzer.
func (ph Phase[S]) Run(pass *analysis.Pass) (any, error) {
	u := NewUnit[S](pass)
	if ph.Uncalled && rule.Active.Programs && !rule.IsDependency(pass) {
		graph := sync.OnceValue(func() *mentionGraph { return newMentionGraph(pass) }) // most packages have no findings
		late := *pass
		late.Report = func(d analysis.Diagnostic) {
			if d.Category == rule.InternalError || !u.deferUncalled(graph(), d) {
				pass.Report(d)
			}
		}
		u.Pass = &late
	}
	result := ph.Summarize(u)
	u.Pass = pass
	u.addCalls(ph.Harmless)
	u.Uses = merged(u.Uses)
	if rule.Active.DirectFacts {
		for _, b := range u.Below {
			alone := *b
			alone.Below = nil
			u.Summary.Below = append(u.Summary.Below, &alone)
		}
	}
	if !u.empty() {
		pass.ExportPackageFact(u.Summary)
	}
	if ph.linked(pass) {
		p := newProgram(ph, u, result)
		p.report()
		if ph.Join != nil {
			ph.Join(p)
		}
	}
	return result, nil
}

func (ph Phase[S]) linked(pass *analysis.Pass) bool {
	if ph.Whole {
		return pass.Pkg.Path() == Modules && len(pass.TypeErrors) == 0
	}
	return Linked(pass)
}

// A Program is linked in the pass of its main package. With Whole, it is all packages of the run.
type Program[S any] struct {
	Pass     *analysis.Pass
	Packages []*Summary[S] // that of the main package last
	Library  bool          // others may call its packages: see [Libraries]
	Result   any           // of the analyzer for the main package

	dirs   Dirs
	uses   map[Condition][]Use
	unused func(Condition) bool
}

func newProgram[S any](ph Phase[S], u *Unit[S], result any) *Program[S] {
	p := &Program[S]{
		Pass: u.Pass, Packages: append(slices.Clip(u.Below), u.Summary), Library: u.Pass.Pkg.Path() == Libraries, Result: result,
		dirs: Dirs{}, uses: map[Condition][]Use{},
	}
	p.unused = func(c Condition) bool { return ph.Unused != nil && ph.Unused(p, c) }
	for _, s := range p.Packages {
		p.dirs[s.Path] = s.Dir
		for _, use := range s.Uses {
			p.uses[use.Of] = append(p.uses[use.Of], use)
		}
	}
	return p
}

// report reports the deferred findings whose conditions hold, each once.
func (p *Program[S]) report() {
	type key struct {
		at           At
		sub, message string
	}
	reported := map[key]bool{}
	for _, s := range p.Packages {
		for _, d := range s.Deferred {
			if k := (key{d.At, d.Sub, d.Message}); !reported[k] && p.judges(s.Path) && p.holds(&d) {
				reported[k] = true
				f := d.finding(p.Pass, p.dirs)
				if !f.Pos.IsValid() {
					continue
				}
				if v, ok := p.Result.(*rule.Verdicts); ok {
					v.Note(f, f.Confidence)
				}
				rule.Report(p.Pass, f)
			}
		}
	}
}

// judges reports whether p decides about the findings of the package with that path. Libraries does so only for those
// that no program imports.
func (p *Program[S]) judges(path string) bool {
	return !p.Library || imports(p.Pass.Pkg, path)
}

// Alone reports whether no program imports the package with that path, for p of a phase with Whole.
func (p *Program[S]) Alone(path string) bool { return imports(p.Pass.Pkg, path) }

// Holds reports whether c holds in p.
func (p *Program[S]) Holds(c Condition) bool {
	return holds(p.uses, c, p.unused, map[Condition]bool{})
}

// holds reports whether d is to be reported in p. It is not known who calls the functions of a library.
func (p *Program[S]) holds(d *Deferred) bool {
	return p.Library && len(d.If) == 0 || slices.ContainsFunc(d.If, func(c Condition) bool {
		return p.Library && c.Kind == Called || holds(p.uses, c, p.unused, map[Condition]bool{})
	})
}
