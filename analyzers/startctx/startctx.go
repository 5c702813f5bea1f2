package startctx

import (
	_ "embed"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule startctx.
var Analyzer = &analysis.Analyzer{
	Name: "startctx",
	Doc:  rule.MustExtractDoc(doc, "startctx"),
	URL:  rule.URLBase + "startctx.md",
	Flags: rule.Flags(
		rule.Sub{Name: "ignored", Severity: rule.Error},
		rule.Sub{Name: "replaced", Severity: rule.Warning},
		rule.Sub{Name: "loop", Severity: rule.Warning},
		rule.Sub{Name: "detached", Severity: rule.Warning},
		rule.Sub{Name: "leaderonly", Severity: rule.Error},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("startctx", nil, link.Phase[Elections]{Summarize: summarize, Harmless: lastsWithProcess, Unused: elected}.Run),
	FactTypes: []analysis.Fact{new(Lasting), new(link.Summary[Elections])},
}

func summarize(u *link.Unit[Elections]) any {
	if kubeapi.Imports(u.Pass.Pkg, relevant) && promising(u.Pass) {
		c := newChecker(u.Pass)
		c.unit = u
		c.check()
	}
	return nil
}

func (c *checker) check() {
	deaf := map[*ssa.Function]bool{}
	for _, r := range c.runnables {
		deaf[r.Fn] = c.ignored(r)
	}
	for _, fn := range c.pkg.Funcs {
		c.fallsBack(fn)
	}
	c.replaced()
	for _, r := range c.runnables {
		if !deaf[r.Fn] {
			c.endless(r)
		}
	}
	c.lastOut()
	c.deferStarts()
	c.handed()
	if c.managed {
		c.noteManagers()
		c.constructors(c.untilElected())
		c.leaderOnly(c.untilElected())
	}
}

// checker is one run of the rule over a package.
type checker struct {
	pass      *analysis.Pass
	pkg       *program.Program
	table     blocking.Table
	bounds    *blocking.Bounds
	managed   bool // the package imports controller-runtime
	adds      []kubeapi.AddedRunnable
	runnables []kubeapi.Runnable
	told      map[token.Pos]bool      // places already reported, whatever the sub-rule
	dead      map[*ssa.Parameter]bool // nil where the contexts that callees are given are not followed
	keep      func(rule.Finding)      // gets the findings in place of the driver, unless it is nil
	unit      *link.Unit[Elections]
	waits     program.Answers[*ssa.Parameter, contextWait]
}

func newChecker(pass *analysis.Pass) *checker {
	pkg := program.Of(pass)
	c := &checker{
		pass: pass, pkg: pkg, table: blocking.Table(rule.Active.Blocks), bounds: blocking.BoundsOf(pkg),
		managed: kubeapi.ImportsManager(pass.Pkg), told: map[token.Pos]bool{},
	}
	c.adds, c.runnables = kubeapi.Runnables(pkg)
	return c
}

func (c *checker) report(f rule.Finding) {
	if c.told[f.Pos] || rule.InTestFolder(c.pass) { // there, who runs the tests ends it
		return
	}
	c.told[f.Pos] = true
	if c.keep != nil {
		c.keep(f)
		return
	}
	rule.Report(c.pass, f)
}

func (c *checker) line(pos token.Pos) int { return rule.Line(c.pass, pos) }

func relevant(path string) bool {
	return path == "context" || kubeapi.OfKubernetes(path)
}

// promising is the cheap look at the syntax that decides whether SSA is worth building: there is a select, a go
// statement, a method Start, Run or Reconcile, a RunnableFunc or a manager, or the package imports what comes with Runnables and queues.
func promising(pass *analysis.Pass) bool {
	// A type can have its Start from one that it embeds, and a loop over a queue have a package of its own.
	found := kubeapi.Imports(pass.Pkg, func(path string) bool {
		return path == kubeapi.Manager || path == kubeapi.CRCache || path == kubeapi.Workqueue
	})
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt, *ast.GoStmt:
				found = true
			case *ast.FuncDecl:
				found = found || n.Recv != nil && (kubeapi.Starts(n.Name.Name) || n.Name.Name == kubeapi.ReconcileName)
			case *ast.Ident:
				found = found || n.Name == kubeapi.RunnableFuncName || n.Name == kubeapi.NewManager
			}
			return !found
		})
	}
	return found
}
