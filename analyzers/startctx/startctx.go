package startctx

import (
	_ "embed"
	"flag"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/callers"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule startctx.
var Analyzer = &analysis.Analyzer{
	Name:      "startctx",
	Doc:       rule.MustExtractDoc(doc, "startctx"),
	URL:       rule.URLBase + "startctx.md",
	Flags:     flags(),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("startctx", nil, run),
	FactTypes: []analysis.Fact{new(Deaf), new(Lasting), new(Startable), new(Elected), new(Fails), new(Shared), new(Signalled), new(Elections), new(Uncalled), new(Closes), new(Elects), new(InPlace), new(UntilTold)},
}

// flags are those of the analyzer.
func flags() flag.FlagSet {
	f := rule.Flags(
		rule.Sub{Name: "ignored", Severity: rule.Error},
		rule.Sub{Name: "replaced", Severity: rule.Warning},
		rule.Sub{Name: "pilesup", Severity: rule.Error},
		rule.Sub{Name: "loop", Severity: rule.Warning},
		rule.Sub{Name: "spins", Severity: rule.Warning},
		rule.Sub{Name: "detached", Severity: rule.Warning},
		rule.Sub{Name: "leaderonly", Severity: rule.Error},
		rule.Sub{Name: "unmanaged", Severity: rule.Warning},
	)
	f.Bool("goroutines", false, "report loops that nothing but the end of the process ends, and for whose end nobody in sight waits, too (category startctx/loop)")
	f.Bool("requests", false, "report single requests of reconcilers and Runnables to a server that get a context which never ends, too (startctx/replaced and startctx/ignored)")
	return f
}

func run(pass *analysis.Pass) (any, error) {
	own, uncalled := &Elections{}, &Uncalled{}
	switch {
	case !kube.Imports(pass.Pkg, relevant):
	case promising(pass):
		c := newChecker(pass)
		c.uncalled = &uncalled.Waiting
		c.check(own)
	case kube.Imports(pass.Pkg, asksServers):
		newChecker(pass).exportFails()
	}
	own.elect(pass)
	uncalled.together(pass)
	return nil, nil
}

// check looks at the package, and notes in own what programs have to say.
func (c *checker) check(own *Elections) {
	deaf := map[*ssa.Function]bool{}
	for _, r := range c.runnables {
		deaf[r.Fn] = c.ignored(r)
	}
	c.exportCloses()
	for _, fn := range c.pkg.Funcs {
		c.fallsBack(fn)
		c.pilesUp(fn)
		c.periodicPiles(fn)
		c.lostCancels(fn)
		c.beside(fn)
		c.unreadSignals(fn)
		c.unheardSignals(fn)
		c.doneAlone(fn)
		c.startedBriefly(fn)
		c.grouped(fn)
	}
	c.replaced()
	for _, r := range c.runnables {
		if !deaf[r.Fn] {
			c.detached(r)
			c.endless(r)
		}
	}
	c.retries()
	c.neverClosed()
	c.closedUnread()
	c.sentOnce()
	c.lastOut()
	c.exportDeaf()
	c.exportUntilTold()
	c.exportSignalled()
	c.exportFails()
	c.deafCalls()
	c.exportStartables()
	c.handed()
	c.leases()
	if c.managed {
		own.Managers = c.managers()
		c.constructors(own.toKeep(c.pass))
		c.leaderOnly(own.toKeep(c.pass))
		c.unmanaged()
		for _, fn := range c.pkg.Funcs {
			c.together(fn)
		}
	}
}

// checker is one run of the rule over a package.
type checker struct {
	pass      *analysis.Pass
	pkg       *program.Program
	table     blocking.Table
	bounds    *blocking.Bounds
	managed   bool // the package imports controller-runtime
	adds      []controllers.Add
	runnables []controllers.Runnable
	seen      map[ssa.Instruction]bool // operations already reported by endless or detached
	piled     map[*ssa.Function]bool   // what leaves goroutines behind in each run, and is reported
	kept      map[*ssa.Function]bool   // see spinOf; nil until somebody asks
	told      map[token.Pos]bool       // places already reported, whatever the sub-rule
	dead      map[*ssa.Parameter]bool  // nil where the contexts that callees are given are not followed
	// goroutines: report loops for whose end nobody waits, too.
	goroutines bool
	requests   bool               // report single requests to a server, too
	keep       func(rule.Finding) // gets the findings in place of the driver, unless it is nil
	uncalled   *callers.Waiting   // gets those that wait for who calls their functions
	waits      program.Answers[handed, string]
	failing    program.Answers[*ssa.Parameter, bool]
	commands   map[*ssa.Function]string // what cobra runs for commands of the package; nil until somebody asks
}

func newChecker(pass *analysis.Pass) *checker {
	pkg := program.Of(pass)
	c := &checker{
		pass: pass, pkg: pkg, table: blocking.Table(rule.Active.Blocks), bounds: blocking.BoundsOf(pkg),
		managed: controllers.Managed(pass.Pkg), seen: map[ssa.Instruction]bool{}, told: map[token.Pos]bool{}, piled: map[*ssa.Function]bool{},
		goroutines: rule.FlagSet(pass.Analyzer, "goroutines"), requests: rule.FlagSet(pass.Analyzer, "requests"),
	}
	c.adds, c.runnables = controllers.Runnables(pkg)
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
	return path == "context" || kube.Under(path, "k8s.io") || kube.Under(path, "sigs.k8s.io")
}

// asksServers reports whether a package that imports path may wrap the clients of an API server.
func asksServers(path string) bool {
	return kube.Under(path, "k8s.io/client-go") || kube.Under(path, kube.ControllerRuntime) || path == kube.MetaV1
}

// promising is the cheap look at the syntax that decides whether SSA is worth building: there is a select, a go
// statement, a method Start, Run or Reconcile, or one of the names that a manager or a leader elector comes with; or it sets a timeout and waits
// for caches.
func promising(pass *analysis.Pass) bool {
	found, limits, syncs := false, false, false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt, *ast.GoStmt:
				found = true
			case *ast.FuncDecl:
				found = found || n.Recv != nil && (n.Name.Name == "Start" || n.Name.Name == "Run" || n.Name.Name == "Reconcile")
			case *ast.Ident:
				found = found || n.Name == "RunnableFunc" || n.Name == "LeaderCallbacks" || n.Name == "NewManager"
				limits = limits || blocking.SetsDeadline(n.Name)
				syncs = syncs || blocking.NamesCacheSync(n.Name)
				found = found || limits && syncs
			}
			return !found
		})
	}
	// A type can have its Start from one that it embeds, and a loop over a queue have a package of its own.
	return found || kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Manager || path == kube.CRCache || path == kube.Workqueue })
}
