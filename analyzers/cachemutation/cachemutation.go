package cachemutation

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/callers"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
	"github.com/ctrllint/ctrllint/internal/suppress"
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
		rule.Sub{Name: "returned", Severity: rule.Error},
	),
	Requires: []*analysis.Analyzer{program.Analyzer, sharing.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("cachemutation", nil, callers.Delaying[Uncalled](run)),

	FactTypes: []analysis.Fact{new(Uncalled)},
}

// Uncalled is the fact of a package: findings in functions that nobody may call, and what it does with those of packages below.
type Uncalled struct{ callers.Unit[Uncalled] }

func run(pass *analysis.Pass) (any, error) {
	shared := pass.ResultOf[sharing.Analyzer].(*sharing.Sharing)
	if shared != nil && !rule.IsDependency(pass) {
		a := &mutations{pass, program.Of(pass), shared}
		a.report()
	}
	return nil, nil
}

// mutations are the writes of one package to what caches keep.
type mutations struct {
	pass   *analysis.Pass
	p      *program.Program
	shared *sharing.Sharing
}
