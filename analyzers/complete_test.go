package analyzers_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
)

// All rules come through code that nobody wrote for them, packages of the standard library: none panics, each finding has a
// place, and the lock analysis has a result for each function.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses large packages")
	}
	var functions atomic.Int64
	complete := &analysis.Analyzer{
		Name:     "complete",
		Doc:      "ask what the lock analysis made of each function",
		Requires: []*analysis.Analyzer{ssapkg.Analyzer, lock.Analyzer, lockheld.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			fns, res := ssapkg.Of(pass).Funcs, pass.ResultOf[lock.Analyzer].(*lock.Result)
			functions.Add(int64(len(fns)))
			known := map[*ssa.Function]bool{}
			for _, f := range res.Funcs {
				known[f.Fn] = true
			}
			for _, fn := range fns {
				if len(res.Funcs) > 0 && !known[fn] { // else nothing locks or waits there
					return nil, fmt.Errorf("%s has no result", flow.FuncName(fn))
				}
			}
			return nil, nil
		},
	}
	res := driver.Run(append(analyzers.All(), complete), driver.Options{
		Context: t.Context(), Dir: filetest.Module(t, map[string]string{"go.mod": "module m\n\ngo 1.24\n"}),
		Patterns: []string{"context", "database/sql", "go/types", "internal/poll", "log/slog/...", "net/http", "os/...", "reflect", "runtime", "sync/...", "testing", "time"},
		Build:    []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64"},
	})
	for _, f := range res.Failures {
		t.Error(f)
	}
	for _, f := range res.Findings {
		if f.File == "" || f.Line <= 0 || f.Column <= 0 || f.Message == "" {
			t.Errorf("a finding of %s in %s has no place: %s:%d:%d: %s", f.Category, f.Package, f.File, f.Line, f.Column, f.Message)
		}
	}
	if n := functions.Load(); n < 5000 {
		t.Errorf("%d functions are not those of the packages", n)
	}
}
