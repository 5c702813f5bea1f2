package losterror

import (
	_ "embed"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer reports functions that return success although their own write has failed.
var Analyzer = &analysis.Analyzer{
	Name: "losterror",
	Doc:  rule.MustExtractDoc(doc, "losterror"),
	URL:  rule.URLBase + "losterror.md",
	Flags: rule.Flags(
		rule.Sub{Name: "unhandled", Severity: rule.Error},
		rule.Sub{Name: "nilreturned", Severity: rule.Error},
		rule.Sub{Name: "result", Severity: rule.Error},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(WriteError)},
	Run:       rule.Wrap("losterror", nil, run),
}

// A checker looks at one package.
type checker struct {
	pass   *analysis.Pass
	pkg    *program.Program
	writes program.Answers[*ssa.Function, string]
}

func run(pass *analysis.Pass) (any, error) {
	// Code that sends requests to the API server, or tests the kind of an error, imports its libraries.
	if !kubeapi.Imports(pass.Pkg, kubeapi.IsLibrary) {
		return nil, nil
	}
	c := &checker{pass: pass, pkg: program.Of(pass)}
	for _, fn := range c.pkg.Funcs {
		if obj, ok := fn.Object().(*types.Func); ok {
			if written := c.writeReturnedBy(fn); written != "" {
				pass.ExportObjectFact(obj, &WriteError{written})
			}
		}
	}
	if rule.IsDependency(pass) || rule.InTestFolder(pass) {
		return nil, nil
	}
	for _, fn := range c.pkg.Funcs {
		c.nilReturned(fn)
		if pass.Pkg.Name() != "main" {
			c.unhandled(fn)
			c.droppedResult(fn)
		}
	}
	return nil, nil
}

// saysOnlySuccess reports whether functions of that signature return an error and nothing else, or a Result besides:
// where these are zero, callers take it that all is well, and that nobody has to come back.
func saysOnlySuccess(sig *types.Signature) bool {
	n := sig.Results().Len()
	return flow.ErrorResult(sig) == n-1 && (n == 1 || n == 2 && kubeapi.IsResult(flow.Pointee(sig.Results().At(0).Type())))
}
