package main

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// A loader type-checks programs, and reads the standard library once for all of them.
type loader struct {
	fset *token.FileSet
	std  types.Importer
}

func newLoader() *loader {
	fset := token.NewFileSet()
	return &loader{fset, &stubImporter{fset, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}}}
}

// load is a pass over p with everything that the analyzers get from a driver, the SSA form included. Facts have nowhere
// to go, for there is one package.
func (l *loader) load(p program) (*analysis.Pass, error) {
	file, err := parser.ParseFile(l.fset, "series.go", p.src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: l.std, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check("example.com/series", l.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	pass := &analysis.Pass{
		Fset: l.fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info, TypesSizes: conf.Sizes,
		Module:            &analysis.Module{Path: "example.com/series"},
		ResultOf:          map[*analysis.Analyzer]any{},
		Report:            func(analysis.Diagnostic) {},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		ExportPackageFact: func(analysis.Fact) {},
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
	if err := run(ssapkg.Analyzer, pass); err != nil {
		return nil, err
	}
	ssapkg.Of(pass) // built here, before any clock runs
	return pass, nil
}

// run runs a after what it requires, unless it has run.
func run(a *analysis.Analyzer, pass *analysis.Pass) error {
	if _, done := pass.ResultOf[a]; done {
		return nil
	}
	for _, r := range a.Requires {
		if err := run(r, pass); err != nil {
			return err
		}
	}
	pass.Analyzer = a
	result, err := a.Run(pass)
	pass.ResultOf[a] = result
	return err
}

// cost is what the lock analysis of one program took, and came to.
type cost struct {
	cpu      time.Duration // of all threads: the garbage collector's count, other processes do not
	bytes    uint64        // allocated, whether or not they were freed
	mallocs  uint64
	kept     uint64 // bytes of the result
	events   int    // acquisitions and waits, of all functions, their callees' included
	findings []analysis.Diagnostic
}

// analyse runs the lock analysis, which is the held sets and summaries, and the rule lockheld, which reads them.
func analyse(pass *analysis.Pass) (cost, error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := measured(pass, lockheld.Analyzer)
	if err != nil {
		return c, err
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	c.kept = after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	res, ok := pass.ResultOf[lock.Analyzer].(*lock.Result)
	if !ok {
		return c, errors.New("lockheld does not use the lock analysis")
	}
	for _, fn := range res.Funcs {
		c.events += len(fn.Events)
	}
	return c, nil
}

// measured runs the rules, and what they require, once more.
func measured(pass *analysis.Pass, rules ...*analysis.Analyzer) (cost, error) {
	var c cost
	pass.ResultOf = map[*analysis.Analyzer]any{ssapkg.Analyzer: pass.ResultOf[ssapkg.Analyzer]} // no results of a run before
	var failed error
	pass.Report = func(d analysis.Diagnostic) {
		c.findings = append(c.findings, d)
		if d.Category == rule.InternalError {
			failed = errors.New(d.Message)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, err := cpuTime()
	if err != nil {
		return c, err
	}

	for _, a := range rules {
		if err := errors.Join(run(a, pass), failed); err != nil {
			return c, err
		}
	}

	end, err := cpuTime()
	if err != nil {
		return c, err
	}
	c.cpu = end - start
	runtime.ReadMemStats(&after)
	c.bytes, c.mallocs = after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	return c, nil
}

// cpuTime is what the process has used so far.
func cpuTime() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
