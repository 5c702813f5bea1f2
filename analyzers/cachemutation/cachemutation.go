package cachemutation

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/link"
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
	Run:      rule.Wrap("cachemutation", nil, link.Phase[Part]{Summarize: summarize, Uncalled: true}.Run),

	FactTypes: []analysis.Fact{new(link.Summary[Part])},
}

// Part is what the rule adds to the summary of a package: nothing.
type Part struct{}

func summarize(u *link.Unit[Part]) any {
	pass := u.Pass
	shared := pass.ResultOf[sharing.Analyzer].(*sharing.Sharing)
	if shared != nil && !rule.IsDependency(pass) {
		a := &mutations{pass, program.Of(pass), shared}
		a.report()
	}
	return nil
}

// mutations are the writes of one package to what caches keep.
type mutations struct {
	pass   *analysis.Pass
	p      *program.Program
	shared *sharing.Sharing
}
