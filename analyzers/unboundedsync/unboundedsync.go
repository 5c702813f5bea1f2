package unboundedsync

import (
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule unboundedsync: waits for caches, and operations on channels, that nothing can end.
var Analyzer = &analysis.Analyzer{
	Name:      "unboundedsync",
	Doc:       rule.MustExtractDoc(doc, "unboundedsync"),
	URL:       rule.URLBase + "unboundedsync.md",
	Flags:     flags(),
	Run:       rule.Wrap("unboundedsync", nil, link.Phase[Part]{Summarize: summarize, Uncalled: true, Unused: unused}.Run),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(Waits), new(link.Summary[Part])},
}

// flags are those of the analyzer.
func flags() flag.FlagSet {
	return rule.Flags(
		rule.Sub{Name: "neverstops", Severity: rule.Error},
		rule.Sub{Name: "abandoned", Severity: rule.Error},
		rule.Sub{Name: "neverstarted", Severity: rule.Error},
	)
}

// A checker looks at one package.
type checker struct {
	pass      *analysis.Pass
	pkg       *program.Program
	table     blocking.Table
	bounds    *blocking.Bounds
	summaries map[*ssa.Function][]ParamWait
	where     map[string]token.Pos // the waits of this package, by file name and line
	unit      *link.Unit[Part]
	repeated  map[*ssa.Function]bool       // what reconcilers and handlers of events run; nil until somebody asks
	elsewhere map[*types.Func]bool         // functions of other packages that are given to be run like that; nil until somebody asks for those of this one
	byField   map[*types.Var]*fieldChan    // see fieldChans
	besides   map[ssa.CallInstruction]bool // waits that findings about others name, as the same would end both
}

// newChecker has looked at nothing yet.
func newChecker(u *link.Unit[Part]) *checker {
	pass, pkg := u.Pass, program.Of(u.Pass)
	return &checker{
		unit: u, pass: pass, pkg: pkg, table: blocking.Table(rule.Active.Blocks), bounds: blocking.BoundsOf(pkg),
		where: map[string]token.Pos{}, besides: map[ssa.CallInstruction]bool{},
	}
}

func summarize(u *link.Unit[Part]) any {
	pass := u.Pass
	if len(u.Awaited(doors...)) == 0 && !interesting(pass) {
		return nil
	}
	c := newChecker(u)
	for _, fn := range c.pkg.Funcs {
		if obj, ok := fn.Object().(*types.Func); ok {
			if s := c.summary(fn); len(s) > 0 {
				pass.ExportObjectFact(obj, &Waits{s})
			}
		}
	}
	for _, fn := range c.pkg.Funcs {
		for call := range flow.Calls(fn) {
			c.call(call)
		}
		for call := range flow.Calls(fn) {
			c.droppedDeadline(call)
		}
		c.spins(fn)
		c.sourceStart(fn)
		c.pipes(fn)
		c.neverStarted(fn)
		c.abandoned(fn)
		c.leftReceiving(fn)
		c.unheard(fn)
	}
	c.neverStartedFields()
	c.closedReaders()
	c.neverMade()
	c.tooEarly()
	c.noteUses()
	c.unit.Part.Signals = !rule.IsDependency(pass) && c.asksForSignals()
	c.unit.Part.Endless = pass.Pkg.Name() == "main" && c.givesNeverStop()
	return nil
}

// interesting is the cheap test: the package works with informers or polls, imports one that does, asks for signals, runs commands, or sends on channels.
func interesting(pass *analysis.Pass) bool {
	table := blocking.Table(rule.Active.Blocks)
	if kubeapi.Imports(pass.Pkg, func(p string) bool {
		return kubeapi.IsLibrary(p) || table.Declares(p) || p == "os/signal" || p == "os/exec"
	}) {
		return true
	}
	return slices.ContainsFunc(pass.AllObjectFacts(), func(f analysis.ObjectFact) bool { _, ok := f.Fact.(*Waits); return ok }) ||
		!rule.IsDependency(pass) && slices.ContainsFunc(pass.Files, sends)
}

// sends reports whether f sends on a channel.
func sends(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		_, send := n.(*ast.SendStmt)
		found = found || send
		return !found
	})
	return found
}

// call looks at the waits of one call, and reports one of them.
func (c *checker) call(call ssa.CallInstruction) {
	ws := c.waits(call)
	if len(ws) == 0 || c.besides[call] || !c.wanted(flow.Pos(call)) {
		return
	}
	for _, w := range ws {
		if end := c.endOfWait(call, w); end.Limit == blocking.Never {
			if !c.overAtOnce(call) && !c.harmless(call, w, end) {
				c.reportEndless(call, w, end)
			}
			return
		}
	}
}

// sameEnd are the other calls in the function of call that wait for the same, as w does, with the same channel, which is made there and which nothing ends: who ends it ends them all.
func (c *checker) sameEnd(call ssa.CallInstruction, w wait, end blocking.Bound) (others []ssa.CallInstruction) {
	made, ok := end.Site.(*ssa.MakeChan)
	if _, plain := call.(*ssa.Call); !ok || !plain || made.Parent() != call.Parent() {
		return nil
	}
	for other := range flow.Calls(call.Parent()) {
		if _, plain := other.(*ssa.Call); !plain || other == call || !c.wanted(flow.Pos(other)) {
			continue
		}
		ws := c.waits(other)
		if len(ws) != 1 || ws[0].Kind != w.Kind {
			continue
		}
		also := c.endOfWait(other, ws[0])
		if also.Limit == blocking.Never && also.Site == end.Site && !c.overAtOnce(other) && !c.harmless(other, ws[0], also) {
			others = append(others, other)
		}
	}
	return others
}

// endOfWait is what ends the wait w of call.
func (c *checker) endOfWait(call ssa.CallInstruction, w wait) blocking.Bound {
	if w.given == nil {
		return blocking.Bound{Limit: blocking.Never, Why: "it takes neither a timeout nor a context"}
	}
	return c.bounds.Of(w.given, call)
}

func (c *checker) reportEndless(call ssa.CallInstruction, w wait, end blocking.Bound) {
	what := w.What
	var related []analysis.RelatedInformation
	if w.Through != "" {
		what = fmt.Sprintf("%s (%s, via %s)", w.What, w.At, w.Through)
		if w.pos.IsValid() {
			related = append(related, analysis.RelatedInformation{Pos: w.pos, Message: "waits here"})
		} else {
			related = append(related, analysis.RelatedInformation{Pos: flow.Pos(call), Message: "waits at " + w.At})
		}
	}
	if s := end.Site; s != nil && s.Pos().IsValid() {
		related = append(related, analysis.RelatedInformation{Pos: s.Pos(), Message: end.Why})
	}
	for _, other := range c.sameEnd(call, w, end) {
		c.besides[other] = true
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(other), Message: "so does this wait"})
	}
	var fixes []analysis.SuggestedFix
	if ctx := contextOf(call.Parent()); w.given != nil && ctx != nil {
		fixes = blocking.PassOn(c.pass, blocking.Background(w.given), ctx, "Pass "+ctx.Name())
	}
	message := fmt.Sprintf("%s may wait forever for %s: %s; %s", what, w.Kind.For(), end.Why, boundBy(w, end))
	if w.Kind == blocking.CacheSync {
		message = fmt.Sprintf("%s has no timeout: %s, so it hangs while the API server is down; %s", what, end.Why, boundBy(w, end))
	}
	f := rule.Finding{
		Pos: flow.Pos(call), Sub: "neverstops", Site: "endless-sync", Message: message,
		Related: related, Fixes: fixes,
	}
	if w.Kind != blocking.CacheSync {
		f.Site = "endless-wait"
		rule.Report(c.pass, f)
		return
	}
	_, spawned := call.(*ssa.Go)
	c.reportWait(f, site{at: call, waits: !spawned}, "startup-sync")
}

// boundBy says what to give the wait w, which end does not end.
func boundBy(w wait, end blocking.Bound) string {
	switch {
	case w.given == nil:
		return "use a variant with a context or timeout"
	case kubeapi.IsContext(w.given.Type()):
		return "pass a context that ends"
	case end.Site != nil && kubeapi.IsContext(end.Site.Type()): // its Done channel is given
		return "pass the Done channel of a context that ends"
	}
	return "pass a channel that is closed on shutdown"
}

// wanted reports whether findings at pos are to be shown, and do not lie in a file with a fake clientset, whose caches always
// sync.
func (c *checker) wanted(pos token.Pos) bool {
	if !rule.Wanted(c.pass, pos) || rule.InTestFolder(c.pass) {
		return false
	}
	f := rule.FileAt(c.pass, pos)
	return f == nil || !slices.ContainsFunc(f.Imports, func(im *ast.ImportSpec) bool {
		return path.Base(strings.Trim(im.Path.Value, `"`)) == "fake"
	})
}

// spelled is the function of call as the source has it, where that is short.
func (c *checker) spelled(call ssa.CallInstruction, fn *types.Func) string {
	if s := c.pkg.Spelled(call.Pos()); s != "" {
		return s
	}
	return blocking.NameOf(call.Common(), fn)
}

// at is pos as base file name and line.
func (c *checker) at(pos token.Pos) string {
	p := c.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}
