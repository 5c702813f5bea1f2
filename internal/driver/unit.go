package driver

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/store"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// unit is the result for one package, as it is stored. Files have portable names.
type unit struct {
	Findings, Suppressed []report.Finding
	Failures, Notes      []string         // of the rules
	Joined               []string         // of the link phase
	Errors               []packages.Error // for which it could not be analysed
	Missing              []missing        // imports that it was analysed without
	Facts                []byte
	Inventory            []byte // of a program

	times   map[string]time.Duration // by analyzer
	sumOnce sync.Once
	factSum [sha256.Size]byte
}

// missing is a package of a dependency that could not be imported, and the error.
type missing struct {
	Path, Pos, Message string
	Absent             bool // there is no source of it
}

// sum returns the hash of the facts of u, which may be nil.
func (u *unit) sum() (none [sha256.Size]byte) {
	if u == nil {
		return none
	}
	u.sumOnce.Do(func() { u.factSum = sha256.Sum256(u.Facts) })
	return u.factSum
}

func decodeUnit(data []byte) (*unit, bool) {
	u := new(unit)
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(u); err != nil {
		return nil, false
	}
	return u, true
}

// storable reports whether u depends on nothing that its key leaves out. Errors of imports, of cgo and of the go
// command may go away without a change of the key.
func (u *unit) storable() bool {
	return len(u.Missing) == 0 && !slices.ContainsFunc(u.Errors, func(e packages.Error) bool {
		return e.Kind != packages.TypeError && e.Kind != packages.ParseError || strings.HasPrefix(e.Msg, "could not import ")
	})
}

func (u *unit) encode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(u)
	return b.Bytes(), err
}

// one fills r.units for p, from the store or by analysis, after the packages that p reaches. mu guards the maps of r.
func (r *run) one(p *packages.Package, mu *sync.Mutex) {
	mu.Lock()
	below := make(map[*packages.Package]*unit, len(r.reach[p]))
	for _, i := range r.reach[p] {
		below[i] = r.units[i]
	}
	mu.Unlock()
	u := r.result(p, below, func() *load.Source { return r.graph.Source(p, len(r.without(p, below)) > 0) })
	mu.Lock()
	r.units[p] = u
	r.cost.add(p, u, u.times != nil)
	mu.Unlock()
}

// without returns the packages that p reaches which could not be analysed.
func (r *run) without(p *packages.Package, units map[*packages.Package]*unit) (out []*packages.Package) {
	for _, i := range r.reach[p] {
		if u := units[i]; u != nil && len(u.Errors) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// whole reports whether p and all that it reaches were analysed completely.
func (r *run) whole(p *packages.Package, u *unit, below map[*packages.Package]*unit) bool {
	return len(u.Missing) == 0 && !slices.ContainsFunc(r.reach[p], func(i *packages.Package) bool {
		u := below[i]
		return u != nil && len(u.Errors)+len(u.Missing) > 0
	})
}

// result returns the unit of p, from the store or by analysis. Below are the units of the packages that it reaches.
func (r *run) result(p *packages.Package, below map[*packages.Package]*unit, source func() *load.Source) *unit {
	var id store.Key
	stored := false
	if r.keys != nil {
		var err error
		id, err = r.keys.unit(p, r.reach[p], below)
		stored = err == nil
	}
	if stored {
		if data, ok := r.o.Store.Get(id); ok {
			if u, ok := decodeUnit(data); ok {
				return u
			}
		}
	}
	u := r.analyse(p, below, source)
	storable := u.storable() && !slices.ContainsFunc(r.reach[p], func(i *packages.Package) bool { return below[i] != nil && !below[i].storable() })
	if r.graph.IsPart(p) {
		u.asPart()
	}
	if stored && storable {
		if data, err := u.encode(); err == nil {
			r.o.Store.Put(id, data)
		}
	}
	return u
}

// asPart replaces the failures of u, of a dependency, by a note.
func (u *unit) asPart() {
	if len(u.Errors)+len(u.Failures)+len(u.Missing) == 0 {
		return
	}
	said := slices.Clone(u.Failures)
	for _, e := range u.Errors {
		said = append(said, e.Msg)
	}
	for _, m := range u.Missing {
		said = append(said, m.Message)
	}
	*u = unit{Notes: []string{"this dependency could not be analysed: " + said[0]}, times: u.times}
}

// analyse runs the rules over p, unless it has errors. Below are the units of the packages that it reaches.
func (r *run) analyse(p *packages.Package, below map[*packages.Package]*unit, source func() *load.Source) *unit {
	u := &unit{times: make(map[string]time.Duration)}
	start := time.Now()
	src := source()
	u.times[loading] = time.Since(start)
	if len(src.Errors) > 0 {
		for _, e := range src.Errors {
			e.Pos = r.names.encode(e.Pos)
			u.Errors = append(u.Errors, e)
		}
		return u
	}
	for _, m := range src.Missing {
		message := m.Err.Error()
		if len(m.Package.Errors) > 0 {
			message = m.Package.Errors[0].Msg
		}
		absent := len(m.Package.GoFiles)+len(m.Package.OtherFiles)+len(m.Package.IgnoredFiles) == 0
		u.Missing = append(u.Missing, missing{m.Package.PkgPath, r.names.encode(m.Pos), message, absent})
	}
	pass := &passes.Package{
		Fset: r.graph.Fset, Files: src.Files, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles,
		Types: src.Types, Info: src.Info, Sizes: r.graph.Sizes, Module: r.module(p), ReadFile: r.graph.Read,
		Partial: p.PkgPath != link.Libraries && !r.whole(p, u, below), // the callers of libraries are not known anyway
	}
	for _, i := range r.reach[p] {
		if len(below[i].Facts) == 0 {
			continue
		}
		t, _ := r.graph.Types(i) // with errors, there are those types that can be known
		if t == nil {
			continue
		}
		r.runner.Facts.Provide(t, below[i].Facts, r.names.decode)
		pass.Imports = append(pass.Imports, t)
	}
	actions, exported := r.runner.Run(pass)
	for _, act := range actions {
		u.times[act.Analyzer.Name] += act.Time
		if lazy, ok := act.Result.(*ssapkg.Lazy); ok {
			by, t := lazy.Cost()
			u.times[building] += t
			u.times[by] -= t
		}
		u.add(r, p, src, act)
	}
	kept, err := exported.Encode(r.names.encode)
	if err != nil {
		u.Failures = append(u.Failures, "facts for importing packages could not be encoded: "+err.Error())
	}
	u.Facts = kept
	return u
}

// other finds the own package with the file of that name, and parses the file.
func (r *run) other(name string) (string, *token.FileSet, *ast.File) {
	for _, p := range r.graph.Own {
		if p.ForTest != "" || !slices.Contains(p.GoFiles, name) {
			continue
		}
		data, err := r.graph.Read(name)
		if err != nil {
			return "", nil, nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution)
		if err != nil {
			return "", nil, nil
		}
		return p.PkgPath, fset, f
	}
	return "", nil, nil
}

// module returns the module of p for the rules, for which one without a version is the user's own.
func (r *run) module(p *packages.Package) *packages.Module {
	if !r.foreign || !r.graph.IsOwn(p) {
		return p.Module
	}
	if p.Module == nil {
		return &packages.Module{Path: "std"}
	}
	return &packages.Module{Path: p.Module.Path, GoVersion: p.Module.GoVersion}
}

// add adds the result of one analyzer for p.
func (u *unit) add(r *run, p *packages.Package, src *load.Source, act *passes.Action) {
	// Rules that were not asked for run if another one requires them.
	asked := slices.Contains(r.analyzers, act.Analyzer)
	if act.Err != nil && asked {
		u.Failures = append(u.Failures, act.Analyzer.Name+": "+act.Err.Error())
	}
	if l, ok := act.Result.(*program.Lazy); ok {
		wanted := func(note string) bool {
			by, _, _ := strings.Cut(note, ": ")
			return by == act.Analyzer.Name || slices.ContainsFunc(r.analyzers, func(a *analysis.Analyzer) bool { return a.Name == by })
		}
		u.Notes = append(u.Notes, keep(l.Notes(), wanted)...)
		u.Joined = append(u.Joined, keep(l.Joined(), wanted)...)
	}
	if i, ok := act.Result.(inventory); ok && asked {
		u.Inventory = i.Inventory()
	}
	verdicts, _ := act.Result.(*rule.Verdicts)
	of := &origin{fset: r.graph.Fset, files: src.Files, pkg: p.PkgPath, analyzer: act.Analyzer, verdicts: verdicts, other: r.other, read: r.graph.Read}
	if index, ok := act.Result.(*suppress.Index); ok && act.Analyzer == suppress.Analyzer {
		u.Suppressed = files(of.suppressed(index), r.names.encode)
	}
	for _, d := range act.Diagnostics {
		if d.Category == rule.InternalError {
			u.Failures = append(u.Failures, d.Message)
		} else if asked {
			u.Findings = append(u.Findings, files([]report.Finding{of.finding(d)}, r.names.encode)...)
		}
	}
}

// keep returns those of all for which wanted holds.
func keep(all []string, wanted func(string) bool) (out []string) {
	for _, s := range all {
		if wanted(s) {
			out = append(out, s)
		}
	}
	return out
}

// Names for what comes before the analyzers, among their times.
const (
	loading  = "parse and type-check"
	building = "build the SSA form"
)
