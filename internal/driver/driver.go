// Package driver runs rules over packages without the go command's vet: it loads, analyses, and gathers what was found
// and what could not be analysed.
//
// Dependencies are read as export data, never type-checked from source: the cost follows the user's own code.
package driver

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
	"github.com/ctrllint/ctrllint/internal/workspace"
)

// Options say what to analyse.
type Options struct {
	Dir      string   // the working directory; empty for that of the process
	Base     string   // what the names of files in findings are relative to; empty for Dir
	Patterns []string // as go list takes them; none is ./...
	Tags     string   // build tags, separated by commas
	Tests    bool     // load the packages' tests, too
	Build    []string // what the environment of the go command has in addition, as GOOS=windows

	// Phase, unless it is nil, is told what the run does now, by several goroutines at once.
	Phase func(what string)
}

// env is the environment of the go command.
func (o *Options) env() []string { return append(os.Environ(), o.Build...) }

// Result is the outcome of a run. With Failures, the Findings are what could be computed in spite of them.
type Result struct {
	Findings []report.Finding
	Failures []Failure

	// Suppressed is what comments in the code keep back, with their reasons.
	Suppressed []report.Finding

	Warnings []Failure // what is wrong with a package that was analysed all the same
	Notes    []Failure // where the analysis of a package was cut short
	Left     []string  // folders of modules below the patterns that are not analysed

	files    map[string]bool // what was analysed, named as in Findings
	analysed analysed
}

// Failure says that something could not be analysed.
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
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return Result{Failures: []Failure{{Message: err.Error()}}}
	}
	base := dir
	if o.Base != "" {
		if base, err = filepath.Abs(o.Base); err != nil {
			return Result{Failures: []Failure{{Message: err.Error()}}}
		}
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	if info, err := os.Stat(dir); err != nil {
		return Result{Failures: []Failure{{Message: err.Error()}}}
	} else if !info.IsDir() {
		return Result{Failures: []Failure{{Message: dir + " is not a directory"}}}
	}
	phase := func(what string) {
		if o.Phase != nil {
			o.Phase(what)
		}
	}
	phase("loading packages")
	x, err := workspace.Expand(dir, o.env(), o.Patterns)
	if err != nil {
		return Result{Failures: []Failure{{Message: err.Error()}}}
	}
	pkgs, failures, warnings := load(dir, o, x)
	r := Result{Failures: failures, Warnings: warnings, Left: x.Left, files: filesOf(base, pkgs)}
	// The checker keeps the results of those that it was asked for only.
	counter := counting(analyzers, len(pkgs), phase)
	graph, err := checker.Analyze(append(slices.Clone(analyzers), suppress.Analyzer, counter), pkgs, nil)
	if err != nil {
		r.Failures = append(r.Failures, Failure{Message: err.Error()})
		return r
	}
	for _, act := range graph.Roots {
		if act.Analyzer == counter {
			continue
		}
		if act.Err != nil {
			r.Failures = append(r.Failures, Failure{act.Package.PkgPath, act.Analyzer.Name + ": " + act.Err.Error()})
		}
		if v, ok := act.Result.(*rule.Verdicts); ok {
			for _, n := range v.Notes {
				r.Notes = append(r.Notes, Failure{act.Package.PkgPath, act.Analyzer.Name + ": " + n})
			}
		}
		if x, ok := act.Result.(*suppress.Index); ok && act.Analyzer == suppress.Analyzer {
			r.Suppressed = append(r.Suppressed, suppressed(base, act, x)...)
		}
		for _, d := range act.Diagnostics {
			if d.Category == rule.InternalError {
				r.Failures = append(r.Failures, Failure{act.Package.PkgPath, d.Message})
			} else {
				r.Findings = append(r.Findings, finding(base, act, d))
			}
		}
	}
	r.Suppressed = report.Sort(r.Suppressed)
	r.Findings = report.Sort(r.Findings)
	slices.SortStableFunc(r.Failures, func(a, b Failure) int { return cmp.Compare(a.Package, b.Package) })
	r.Failures = slices.Compact(r.Failures)
	r.analysed = newAnalysed(pkgs, r.Failures)
	return r
}

// counting is an analyzer that the checker runs behind all of the others, for each of n packages, and that tells phase
// of it.
func counting(analyzers []*analysis.Analyzer, n int, phase func(string)) *analysis.Analyzer {
	var done atomic.Int64
	tell := func(done int64) { phase(fmt.Sprintf("%d of %d packages analysed", done, n)) }
	tell(0)
	return &analysis.Analyzer{
		Name:     "ctrllintcount",
		Doc:      "count packages",
		Requires: analyzers,
		Run: func(*analysis.Pass) (any, error) {
			tell(done.Add(1))
			return nil, nil
		},
	}
}
