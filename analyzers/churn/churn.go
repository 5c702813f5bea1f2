package churn

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule churn.
var Analyzer = &analysis.Analyzer{
	Name: "churn",
	Doc:  rule.MustExtractDoc(doc, "churn"),
	URL:  rule.URLBase + "churn.md",
	Flags: rule.Flags(
		rule.Sub{Name: "maporder", Severity: rule.Warning},
		rule.Sub{Name: "pointer", Severity: rule.Warning},
		rule.Sub{Name: "loop", Severity: rule.Error},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("churn", nil, run),
	FactTypes: []analysis.Fact{new(link.Summary[Part])},
}

// Part is what the rule adds to the summary of a package: nothing.
type Part struct{}

func run(pass *analysis.Pass) (any, error) {
	return link.Phase[Part]{Summarize: summarize, Uncalled: true}.Run(pass)
}

func summarize(u *link.Unit[Part]) any {
	if rule.IsDependency(u.Pass) {
		return nil
	}
	compared := pointers(u.Pass)
	if !kubeapi.Imports(u.Pass.Pkg, kubeapi.OfKubernetes) && len(u.Below) == 0 && len(compared) == 0 {
		return nil
	}
	p := program.Of(u.Pass)
	reportPointers(u, p, compared)
	(&mapOrder{unit: u, p: p}).run()
	loops(u.Pass, p)
	return nil
}
