package main

import (
	"fmt"
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
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// A loader type-checks programs, and reads the standard library once for all of them.
type loader struct {
	fset *token.FileSet
	std  types.Importer
}

func newLoader() *loader {
	fset := token.NewFileSet()
	return &loader{fset, importer.ForCompiler(fset, "source", nil)}
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
	conf := types.Config{Importer: l.std}
	pkg, err := conf.Check("example.com/series", l.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	pass := &analysis.Pass{
		Fset: l.fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info,
		Module:           &analysis.Module{Path: "example.com/series"},
		ResultOf:         map[*analysis.Analyzer]any{},
		Report:           func(analysis.Diagnostic) {},
		ImportObjectFact: func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact: func(types.Object, analysis.Fact) {},
		AllObjectFacts:   func() []analysis.ObjectFact { return nil },
	}
	lazy, err := ssapkg.Analyzer.Run(pass)
	if err != nil {
		return nil, err
	}
	pass.ResultOf[ssapkg.Analyzer] = lazy
	ssapkg.Of(pass) // built here, before any clock runs
	return pass, nil
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
	var c cost
	delete(pass.ResultOf, lock.Analyzer) // of the run before
	pass.Report = func(d analysis.Diagnostic) { c.findings = append(c.findings, d) }
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, err := cpuTime()
	if err != nil {
		return c, err
	}

	pass.Analyzer = lock.Analyzer
	locks, err := lock.Analyzer.Run(pass)
	if err != nil {
		return c, err
	}
	res, ok := locks.(*lock.Result)
	if !ok {
		return c, fmt.Errorf("the lock analysis gave a %T", locks)
	}
	pass.ResultOf[lock.Analyzer] = res
	pass.Analyzer = lockheld.Analyzer
	if _, err := lockheld.Analyzer.Run(pass); err != nil {
		return c, err
	}

	end, err := cpuTime()
	if err != nil {
		return c, err
	}
	c.cpu = end - start
	runtime.ReadMemStats(&after)
	c.bytes, c.mallocs = after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	runtime.GC()
	runtime.ReadMemStats(&after)
	c.kept = after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	for _, fn := range res.Funcs {
		c.events += len(fn.Events)
	}
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
