// Package driver runs rules over packages: it loads and analyses them, and gathers findings and failures.
//
// Packages are analysed in import order, each from source, and dropped: importing packages need only its declarations and
// facts. The result for a package is stored under a key of all that it depends on.
package driver

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/load"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
	"github.com/ctrllint/ctrllint/internal/suppress"
	"github.com/ctrllint/ctrllint/internal/workspace"
)

// Options say what to analyse.
type Options struct {
	Context  context.Context // ends the run when it is done; nil for none
	Dir      string          // the working directory; empty for that of the process
	Base     string          // what the names of files in findings are relative to; empty for Dir
	Patterns []string        // as go list takes them; none is ./...
	Tags     string          // build tags, separated by commas
	Tests    bool            // load the packages' tests, too
	Build    []string        // what the environment of the go command has in addition, as GOOS=windows

	Store *store.Store // of results; nil for none

	// Phase, unless it is nil, is called at the start of each phase. Until the next one, what returns its progress, to
	// any goroutine.
	Phase func(what func() string)
}

// env returns the environment of the go command.
func (o *Options) env() []string { return append(os.Environ(), o.Build...) }

// Result is the result of a run. With Failures, the Findings are incomplete.
type Result struct {
	Findings []report.Finding
	Failures []Failure

	// Suppressed are the findings that comments in the code silence, with their reasons.
	Suppressed []report.Finding

	Notes  []Failure // on limits that the analysis of a package reached
	Joined []Failure // what was joined in the link phase, by main package

	Inventories [][]byte // of programs, as JSON, in the order of import paths
	Others      []string // the import paths of programs without an inventory

	Left []string // folders of modules below the patterns that are not analysed

	// Remarks name what was not analysed, against expectation, each in a line.
	Remarks []string

	Costs []Cost // of each build and module

	files    map[string]bool // analysed ones, named as in Findings
	sums     sums
	analysed analysed
}

// Failure is something that could not be analysed.
type Failure struct {
	Package string // import path; empty when no package could be loaded
	Message string
}

func (f Failure) String() string {
	if f.Package == "" {
		return f.Message
	}
	return f.Package + ": " + f.Message
}

// Run applies the analyzers to the packages that o names. Findings and failures are sorted, and free of duplicates.
func Run(analyzers []*analysis.Analyzer, o Options) Result {
	failed := func(err error) Result { return Result{Failures: []Failure{{Message: loadError(err)}}} }
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return failed(err)
	}
	base := dir
	if o.Base != "" {
		if base, err = filepath.Abs(o.Base); err != nil {
			return failed(err)
		}
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Phase == nil {
		o.Phase = func(func() string) {}
	}
	if info, err := os.Stat(dir); err != nil {
		return failed(err)
	} else if !info.IsDir() {
		return failed(fmt.Errorf("%s is not a directory", dir))
	}
	r := &run{analyzers: analyzers, o: o, dir: dir}
	r.cost.begin()
	o.Phase(func() string { return "asking go list for the packages (which downloads modules that are missing)" })
	x, err := workspace.Expand(o.Context, dir, o.env(), o.Patterns)
	if err != nil {
		return failed(err)
	}
	c := load.Config{Context: o.Context, Dir: dir, Env: o.env(), Tags: o.Tags, Tests: o.Tests, Patterns: x.Patterns(), Deps: rule.Active.Deps}
	if r.graph, err = load.List(c); err != nil {
		return failed(err)
	}
	r.foreign = slices.ContainsFunc(r.graph.Roots, r.graph.OfDependency)
	unmatched := c.Unmatched(o.Patterns, x.Groups, len(r.graph.Roots))
	r.include(c)
	r.cost.phase("list packages")
	result := Result{Left: x.Left}
	for _, m := range unmatched {
		result.Failures = append(result.Failures, Failure{Message: plainLoad(m)})
	}
	if err := r.all(); err != nil {
		return failed(err)
	}
	r.gather(&result, base)
	r.cost.phase("gather findings")
	result.Costs = []Cost{r.cost.sum(r)}
	return result
}

type run struct {
	analyzers []*analysis.Analyzer
	o         Options
	dir       string
	graph     *load.Graph
	foreign   bool // the patterns name a package of a dependency: all named packages count as the user's own, and nothing is stored
	names     *portable
	keys      *keys
	runner    *passes.Runner
	cost      meter

	reach  map[*packages.Package][]*packages.Package // the own packages that one imports, directly or not, imports first
	units  map[*packages.Package]*unit
	named  map[string]bool  // the packages that the patterns name, by their IDs
	joined map[string]*unit // of the imaginary packages link.Libraries and link.Modules, if there are any
}

// all fills r.units. An error means that nothing could be analysed.
func (r *run) all() error {
	var err error
	if r.runner, err = passes.New(append(slices.Clone(r.analyzers), suppress.Analyzer)); err != nil {
		return err
	}
	r.names = newPortable(r.graph)
	r.reach = r.graph.Reach()
	r.units = make(map[*packages.Package]*unit)
	if r.o.Store != nil && !r.foreign {
		if r.keys, err = newKeys(r.graph, r.names, r.analyzers); err != nil {
			r.keys = nil // the store can be done without
		}
	}
	roots := make(map[*packages.Package]bool)
	for _, p := range r.graph.Roots {
		roots[p] = r.graph.IsOwn(p) && r.named[p.ID]
	}
	var done atomic.Int64
	imported := r.graph.Dependencies() + len(r.graph.Own) // an upper bound: many are never read
	r.o.Phase(func() string {
		return fmt.Sprintf("%d of %d packages analysed; %d of at most %d imported ones read", done.Load(), len(roots), r.graph.Signatures(), imported)
	})

	var mu sync.Mutex // of the maps of r
	finished := make(map[*packages.Package]chan struct{})
	for _, p := range r.graph.Own {
		finished[p] = make(chan struct{})
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, p := range r.graph.Own {
		wg.Go(func() {
			defer close(finished[p])
			for _, i := range r.reach[p] {
				<-finished[i]
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			if r.o.Context.Err() != nil {
				return
			}
			r.one(p, &mu)
			if roots[p] {
				done.Add(1)
			}
		})
	}
	wg.Wait()
	r.cost.phase("analyse packages")
	if r.o.Context.Err() == nil {
		r.linkAll()
		r.cost.phase("link libraries and modules")
	}
	return context.Cause(r.o.Context)
}

// gather fills result from the units of the roots, with names relative to base.
func (r *run) gather(result *Result, base string) {
	shown := relativeTo(base)
	relative := func(name string) string { return shown(r.names.decode(name)) }
	var analysed []*packages.Package
	failed := r.failed(result)
	for _, p := range r.graph.Roots {
		u := r.units[p]
		if u == nil || !r.named[p.ID] || len(u.Errors) > 0 {
			continue // one of these is the main package that go test makes up
		}
		analysed = append(analysed, p)
		result.Suppressed = append(result.Suppressed, files(u.Suppressed, relative)...)
		u.said(result, p.PkgPath)
	}
	for _, name := range slices.Sorted(maps.Keys(r.joined)) {
		r.joined[name].said(result, name)
	}
	result.Notes = append(result.Notes, r.notesOfParts()...)
	result.Remarks = append(result.Remarks, r.onlyTests()...)
	findings, remark := r.withoutTests(r.ofNamed())
	if remark != "" {
		result.Remarks = append(result.Remarks, remark)
	}
	result.Findings = append(result.Findings, files(findings, relative)...)
	result.files = filesOf(base, analysed)
	r.inventories(result, shown)
	r.leaveDependencies(result.Findings)
	result.sums = r.sumsOf(result.Findings, base)
	result.Suppressed = report.Sort(result.Suppressed)
	result.Findings = report.Grouped(report.Sort(result.Findings))
	slices.SortStableFunc(result.Failures, func(a, b Failure) int { return cmp.Compare(a.Package, b.Package) })
	result.Failures = slices.Compact(result.Failures)
	result.analysed = newAnalysed(analysed, result.Failures)
	for p := range failed {
		result.analysed.packages[p] = false
	}
}

// notesOfParts returns the notes of dependencies; those with a count are added up over all.
func (r *run) notesOfParts() (out []Failure) {
	type kind struct{ by, text string }
	times := make(map[kind]int)
	for _, p := range r.graph.Own {
		u := r.units[p]
		if u == nil || !r.graph.IsPart(p) {
			continue
		}
		for _, note := range u.Notes {
			by, what, _ := strings.Cut(note, ": ")
			count, text, _ := strings.Cut(what, " ")
			if n, err := strconv.Atoi(count); err == nil {
				times[kind{by, text}] += n
			} else {
				out = append(out, Failure{p.PkgPath, note})
			}
		}
	}
	for k, n := range times {
		out = append(out, Failure{"dependencies", fmt.Sprintf("%s: %d %s", k.by, n, k.text)})
	}
	slices.SortFunc(out, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Message, b.Message))
	})
	return out
}

// said adds to result the failures and notes of u, the unit of the package pkg.
func (u *unit) said(result *Result, pkg string) {
	of := func(to *[]Failure, messages []string) {
		for _, m := range messages {
			*to = append(*to, Failure{pkg, m})
		}
	}
	of(&result.Failures, u.Failures)
	of(&result.Notes, u.Notes)
	of(&result.Joined, u.Joined)
}
