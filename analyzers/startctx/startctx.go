package startctx

import (
	_ "embed"
	"flag"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule startctx.
var Analyzer = &analysis.Analyzer{
	Name:     "startctx",
	Doc:      rule.MustExtractDoc(doc, "startctx"),
	URL:      rule.URLBase + "startctx.md",
	Flags:    flags(),
	Requires: []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("startctx", nil, run),
}

// flags are those of the analyzer.
func flags() flag.FlagSet {
	var f flag.FlagSet
	f.Bool("entry", false, "report runnables that act before they look at their context, too (category startctx/entry)")
	return f
}

func run(pass *analysis.Pass) (any, error) {
	if !kube.Imports(pass.Pkg, relevant) || !promising(pass) {
		return nil, nil
	}
	pkg := program.Of(pass)
	c := &checker{pass: pass, pkg: pkg, stops: findStops(pkg), seen: map[ssa.Instruction]bool{}, told: map[token.Pos]bool{}}
	c.managed = kube.Imports(pass.Pkg, isControllerRuntime)
	c.adds = c.findAdds()
	runnables := c.findRunnables()

	deaf := map[*ssa.Function]bool{}
	for _, r := range runnables {
		deaf[r.fn] = c.ignored(r)
	}
	for _, fn := range pkg.Funcs {
		c.fallsBack(fn)
	}
	c.replaced(runnables)
	for _, r := range runnables {
		if !deaf[r.fn] {
			c.detached(r)
			c.endless(r)
			if rule.FlagSet(pass.Analyzer, "entry") {
				c.entry(r)
			}
		}
	}
	c.neverClosed()
	c.constructors()
	c.leading()
	if c.managed {
		c.leaderOnly()
		c.unmanaged()
	}
	return nil, nil
}

// checker is one run of the rule over a package.
type checker struct {
	pass    *analysis.Pass
	pkg     *program.Program
	stops   stops
	managed bool // the package imports controller-runtime
	adds    []add
	seen    map[ssa.Instruction]bool // operations already reported by endless or detached
	told    map[token.Pos]bool       // places already reported, whatever the sub-rule
	waits   program.Answers[handed, string]
}

func (c *checker) report(f rule.Finding) {
	if !c.told[f.Pos] {
		c.told[f.Pos] = true
		rule.Report(c.pass, f)
	}
}

func (c *checker) line(pos token.Pos) int { return rule.Line(c.pass, pos) }

func relevant(path string) bool {
	return path == "context" || strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
}

func isControllerRuntime(path string) bool {
	return path == kube.ControllerRuntime || strings.HasPrefix(path, kube.ControllerRuntime+"/")
}

// promising is the cheap look at the syntax that decides whether SSA is worth building: there is a select, a go
// statement, a method Start, Run or Reconcile, or one of the names that a manager or a leader elector comes with.
func promising(pass *analysis.Pass) bool {
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt, *ast.GoStmt:
				found = true
			case *ast.FuncDecl:
				found = found || n.Recv != nil && (n.Name.Name == "Start" || n.Name.Name == "Run" || n.Name.Name == "Reconcile")
			case *ast.Ident:
				found = found || n.Name == "RunnableFunc" || n.Name == "LeaderCallbacks" || n.Name == "NewManager"
			}
			return !found
		})
	}
	// A type can have its Start from one that it embeds.
	return found || kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Manager || path == kube.CRCache })
}

func onlyError(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && flow.IsError(sig.Results().At(0).Type())
}

// isStopType reports whether t is <-chan struct{}.
func isStopType(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok || ch.Dir() != types.RecvOnly {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}
