package cachemutation

import (
	_ "embed"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
	"github.com/ctrllint/ctrllint/internal/ways"
)

//go:embed doc.go
var doc string

// Analyzer is the rule cachemutation.
var Analyzer = &analysis.Analyzer{
	Name: "cachemutation",
	Doc:  rule.MustExtractDoc(doc, "cachemutation"),
	URL:  rule.URLBase + "cachemutation.md",
	Flags: rule.Flags(
		rule.Sub{Name: "write", Severity: rule.Error},
		rule.Sub{Name: "callee", Severity: rule.Error},
		rule.Sub{Name: "returned", Severity: rule.Error},
		rule.Sub{Name: "shallow", Severity: rule.Error},
		rule.Sub{Name: "deep", Severity: rule.Error},
		rule.Sub{Name: "alias", Severity: rule.Error},
		rule.Sub{Name: "param", Severity: rule.Error},
		rule.Sub{Name: "writeback", Severity: rule.Error},
		rule.Sub{Name: "disabled", Severity: rule.Error},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("cachemutation", nil, run),
	FactTypes: []analysis.Fact{(*Shares)(nil)},
}

func run(pass *analysis.Pass) (any, error) {
	if !kube.Imports(pass.Pkg, func(path string) bool { return kube.Under(path, "k8s.io") || kube.Under(path, "sigs.k8s.io") }) {
		return nil, nil
	}
	p := program.Of(pass)
	a := &mutations{
		pass: pass, p: p, calls: ways.NewCalls(p), sums: map[*ssa.Function]*Shares{}, cached: map[types.Type]bool{},
		stores: map[ssa.Value][]*ssa.Store{},
	}
	a.summarise()
	a.export()
	if !rule.IsDependency(pass) {
		a.report()
	}
	return nil, nil
}

// mutations are the writes of one package to what caches keep.
type mutations struct {
	pass   *analysis.Pass
	p      *program.Program
	calls  *ways.Calls
	sums   map[*ssa.Function]*Shares
	cached map[types.Type]bool // what mayBeCached has found
	stores map[ssa.Value][]*ssa.Store
	own    map[*types.Var]bool // fields with stores that the package fills itself; nil until they are asked for
}
