package expectttl

import (
	_ "embed"
	"flag"
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/callers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// flags are those of the analyzer.
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
	FactTypes: []analysis.Fact{new(Known), new(Uncalled)},
	Run:       rule.Wrap("expectttl", nil, callers.Delaying[Uncalled](run)),
}

// Uncalled is the fact of a package: findings in functions that nobody may call, and what it does with those of packages below.
type Uncalled struct{ callers.Unit[Uncalled] }

func run(pass *analysis.Pass) (any, error) {
	graph := sync.OnceValue(func() *callGraph { return newCallGraph(pass, program.Of(pass)) })
	fact := &Known{Requests: requestsTold(pass, graph)}
	declared := declaredStores(pass.Pkg)
	for _, named := range declared {
		if graph().timeless(named) {
			fact.Timeless = append(fact.Timeless, named.Obj().Name())
		}
	}
	pass.ExportPackageFact(fact)
	if len(declared) == 0 && !uses(pass) {
		return nil, nil
	}
	g := graph()
	for _, fn := range g.pkg.Funcs {
		if g.ofStore(fn) {
			continue // the store's own business
		}
		flow.Calls(fn, func(c ssa.CallInstruction) {
			call, ok := c.(*ssa.Call)
			if !ok {
				return
			}
			if q, ok := g.asQuery(call); ok {
				g.checkQuery(q)
			}
			if e, ok := asExpectation(call); ok {
				g.checkLowered(e)
			}
		})
	}
	return nil, nil
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

// returnStmt is the statement at pos, for its end.
func returnStmt(pass *analysis.Pass, pos token.Pos) (found ast.Node) {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			ast.Inspect(f, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok && r.Pos() == pos {
					found = r
				}
				return found == nil && (n == nil || n.Pos() <= pos && pos < n.End())
			})
		}
	}
	return found
}
