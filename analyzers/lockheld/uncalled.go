package lockheld

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// What a function does with a lock held keeps nobody where nobody calls it. A function that is there for other packages, and that its own does not call, is
// called where a program says so; of what is in no program, nobody knows who calls it.

// An uncalled is a finding in a function that its own package does not call.
type uncalled struct {
	Func string
	link.Kept
}

// wait puts off the finding f, in the function fn, where programs say whether anybody calls that, and are there to say it.
func (f *Failures) wait(pass *analysis.Pass, fn *ssa.Function, finding rule.Finding) bool {
	fn = flow.Decl(fn)
	obj := flow.Object(fn)
	if !rule.Active.Programs || rule.IsDependency(pass) || obj == nil || !obj.Exported() || pass.Pkg.Name() == "main" || len(program.Of(pass).Callers(fn)) > 0 {
		return false
	}
	if k, ok := link.Keep(pass, finding); ok {
		f.Uncalled = append(f.Uncalled, uncalled{obj.FullName(), k})
	}
	return true
}

// come says in the program of pass what f has put off in functions that are called there, or may be.
func (f *Failures) come(pass *analysis.Pass, dirs link.Dirs, called func(fn string) bool, say func(rule.Finding)) {
	for _, k := range f.Uncalled {
		if !link.Judges(pass, f.Path) || called != nil && !called(k.Func) {
			continue
		}
		if finding := k.Finding(pass, dirs); finding.Pos.IsValid() {
			say(finding)
		}
	}
}
