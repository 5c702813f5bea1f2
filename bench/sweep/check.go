package main

import (
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// checker counts what is analysed, and asks what the rules made of each function. Several packages are analysed at once.
type checker struct{ packages, functions atomic.Int64 }

// analyzers are all rules, and the checker behind them.
func (c *checker) analyzers() []*analysis.Analyzer {
	return append(analyzers.All(), &analysis.Analyzer{
		Name:     "sweep",
		Doc:      "ask what the rules made of each function",
		Requires: []*analysis.Analyzer{ssapkg.Analyzer, lock.Analyzer, lockheld.Analyzer},
		Run:      func(pass *analysis.Pass) (any, error) { return nil, c.check(pass) },
	})
}

// check counts the package, and asks what was made of it.
func (c *checker) check(pass *analysis.Pass) error {
	c.packages.Add(1)
	pkg := ssapkg.Of(pass)
	c.functions.Add(int64(len(pkg.Funcs)))
	return complete(pkg.Funcs, pass.ResultOf[lock.Analyzer].(*lock.Result))
}

// complete is an error where one of fns has no result though the lock analysis looked at the package.
func complete(fns []*ssa.Function, res *lock.Result) error {
	if len(res.Funcs) == 0 {
		return nil // nothing locks or waits there
	}
	var errs []error
	known := make(map[*ssa.Function]bool, len(res.Funcs))
	for _, f := range res.Funcs {
		known[f.Fn] = true
	}
	for _, fn := range fns {
		if !known[fn] {
			errs = append(errs, fmt.Errorf("%s has no result", flow.FuncName(fn)))
		}
	}
	return errors.Join(errs...)
}
