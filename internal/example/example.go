package example

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

// Analyzer reports assertions of tombstones that never come.
var Analyzer = &analysis.Analyzer{
	Name:     "example",
	Doc:      rule.MustExtractDoc(doc, "example"),
	URL:      rule.URLBase + "example.md",
	Requires: []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("example", nil, run),
}

func run(pass *analysis.Pass) (any, error) {
	// The cheap question first: most packages never have their SSA form built.
	if !kubeapi.Imports(pass.Pkg, func(path string) bool { return kubeapi.SamePackage(path, kubeapi.Cache) }) {
		return nil, nil
	}
	for _, fn := range program.Of(pass).Funcs {
		var pointers []*ssa.TypeAssert
		for assert := range flow.InstrsOf[*ssa.TypeAssert](fn) {
			if !kubeapi.Tombstone.Is(assert.AssertedType) {
				continue
			}
			if _, pointer := types.Unalias(assert.AssertedType).(*types.Pointer); !pointer {
				pointers = nil
				break
			}
			pointers = append(pointers, assert)
		}
		for _, assert := range pointers {
			rule.Report(pass, rule.Finding{Pos: assert.Pos(), Sub: "pointer", Site: "pointer-assertion", Message: "the informer sends a cache.DeletedFinalStateUnknown, never a pointer to one: " +
				flow.FuncName(fn) + " does not see a missed deletion"})
		}
	}
	return nil, nil
}
