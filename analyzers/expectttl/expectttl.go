package expectttl

import (
	_ "embed"
	"flag"
	"go/types"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// flags returns those of the analyzer.
func flags() flag.FlagSet {
	f := rule.Flags(
		rule.Sub{Name: "nowayout", Severity: rule.Error},
		rule.Sub{Name: "notlowered", Severity: rule.Error},
	)
	f.Var(&rule.Active.Stores, "types", "expectation stores with other method names, as path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,delete=Method;...")
	return f
}

// Analyzer reports expectations that nothing ends, or that are set and taken back out of step.
var Analyzer = &analysis.Analyzer{
	Name:      "expectttl",
	Doc:       rule.MustExtractDoc(doc, "expectttl"),
	URL:       rule.URLBase + "expectttl.md",
	Flags:     flags(),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(link.Summary[Known])},
	Run:       rule.Wrap("expectttl", nil, link.Phase[Known]{Summarize: summarize, Uncalled: true}.Run),
}

func summarize(u *link.Unit[Known]) any {
	pass := u.Pass
	graph := sync.OnceValue(func() *callGraph { return newCallGraph(pass, program.Of(pass)) })
	u.Part = Known{Analysed: true, Requests: requestsTold(pass, graph)}
	declared := declaredStores(pass.Pkg)
	for _, named := range declared {
		if graph().timeless(named) {
			u.Part.Timeless = append(u.Part.Timeless, named.Obj().Name())
		}
	}
	if len(declared) == 0 && !uses(pass) {
		return nil
	}
	g := graph()
	for _, fn := range g.pkg.Funcs {
		if g.ofStore(fn) {
			continue // the store's own business
		}
		for c := range flow.Calls(fn) {
			call, ok := c.(*ssa.Call)
			if !ok {
				continue
			}
			if q, ok := g.asQuery(call); ok {
				g.checkQuery(q)
			}
			if e, ok := asExpectation(call); ok {
				g.checkLowered(e)
			}
		}
	}
	return nil
}

// uses reports whether the package calls a method of an expectation store at all.
func uses(pass *analysis.Pass) bool {
	for _, sel := range pass.TypesInfo.Selections {
		if fn, ok := sel.Obj().(*types.Func); ok && roleOf(fn) != noRole && roleOf(fn) != asks || ok && isQuery(fn) {
			if isStore(sel.Recv()) {
				return true
			}
		}
	}
	return false
}
