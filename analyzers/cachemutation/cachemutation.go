package cachemutation

import (
	_ "embed"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/callers"
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
		rule.Sub{Name: "callee", Severity: rule.Error},
		rule.Sub{Name: "returned", Severity: rule.Error},
		rule.Sub{Name: "shallow", Severity: rule.Error},
		rule.Sub{Name: "deep", Severity: rule.Error},
		rule.Sub{Name: "alias", Severity: rule.Error},
		rule.Sub{Name: "half", Severity: rule.Warning},
		rule.Sub{Name: "param", Severity: rule.Error},
		rule.Sub{Name: "writeback", Severity: rule.Error},
		rule.Sub{Name: "disabled", Severity: rule.Error},
	),
	Requires: []*analysis.Analyzer{program.Analyzer, sharing.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("cachemutation", nil, callers.Delaying[Uncalled](run)),

	FactTypes: []analysis.Fact{new(Linked), new(Uncalled)},
}

// Uncalled is the fact of a package: findings in functions that nobody may call, and what it does with those of packages below.
type Uncalled struct{ callers.Unit[Uncalled] }

func run(pass *analysis.Pass) (any, error) {
	shared := pass.ResultOf[sharing.Analyzer].(*sharing.Sharing)
	if rule.IsDependency(pass) {
		return nil, nil
	}
	linked, below := &Linked{}, link.Gather[Linked](pass)
	if shared != nil {
		linked.Transforms, linked.Readers = shared.Transforms(), shared.Readers()
		a := &mutations{pass: pass, p: program.Of(pass), shared: shared, linked: linked, readers: linked.Readers}
		for _, b := range below {
			a.readers = slices.Concat(a.readers, b.Readers)
		}
		a.report()
	}
	linked.together(pass, shared, below)
	return nil, nil
}

// mutations are the writes of one package to what caches keep.
type mutations struct {
	pass   *analysis.Pass
	p      *program.Program
	shared *sharing.Sharing
	linked *Linked
	// readers are those of the package, and of the packages below.
	readers []sharing.Reader
	// decisions are what its conditions depend on; nil until they are asked for.
	decisions *decisions
}
