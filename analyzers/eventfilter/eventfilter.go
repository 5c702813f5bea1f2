package eventfilter

import (
	_ "embed"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers/eventfilter/filter"
	"github.com/ctrllint/ctrllint/analyzers/eventfilter/siblings"
	"github.com/ctrllint/ctrllint/analyzers/eventfilter/tombstone"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule eventfilter.
var Analyzer = &analysis.Analyzer{
	Name: "eventfilter",
	Doc:  rule.MustExtractDoc(doc, "eventfilter"),
	URL:  rule.URLBase + "eventfilter.md",
	Flags: rule.Flags(
		rule.Sub{Name: "siblings", Severity: rule.Error},
		rule.Sub{Name: "deletion", Severity: rule.Error},
		rule.Sub{Name: "metadata", Severity: rule.Warning},
		rule.Sub{Name: "status", Severity: rule.Warning},
		rule.Sub{Name: "nogeneration", Severity: rule.Error},
		rule.Sub{Name: "constant", Severity: rule.Error},
		rule.Sub{Name: "mutates", Severity: rule.Error},
		rule.Sub{Name: "tombstone", Severity: rule.Error},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, sharing.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("eventfilter", nil, link.Phase[tombstone.Part]{Summarize: summarize, Uncalled: true, Unused: tombstone.Unused}.Run),
	FactTypes: append(filter.Facts(), tombstone.Facts()...),
}

func summarize(u *link.Unit[tombstone.Part]) any {
	pass := u.Pass
	of := func(p *types.Package) bool {
		return kubeapi.Imports(p, kubeapi.OfKubernetes)
	}
	if !of(pass.Pkg) {
		if slices.ContainsFunc(pass.Pkg.Imports(), of) {
			filter.RunBeside(pass)
		}
		tombstone.RunBeside(u)
		return nil
	}
	handlers := kubeapi.Handlers(program.Of(pass))
	siblings.Run(pass)
	tombstone.Run(u, handlers)
	filter.Run(pass, handlers, pass.ResultOf[sharing.Analyzer].(*sharing.Sharing))
	return nil
}
