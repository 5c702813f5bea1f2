package finalizerorder

import (
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// flags are those of the analyzer.
func flags() flag.FlagSet {
	var f flag.FlagSet
	f.Bool("unreachable", false, "report returns that keep a deleted object from the branch that removes its finalizer, too (category finalizerorder/unreachable)")
	f.Bool("logged", false, "report finalizers that go although a cleanup has failed whose error is logged, too (category finalizerorder/removedonerror)")
	return f
}

// Analyzer reports finalizers that are added, removed or written in the wrong order.
var Analyzer = &analysis.Analyzer{
	Name:      "finalizerorder",
	Doc:       rule.MustExtractDoc(doc, "finalizerorder"),
	URL:       rule.URLBase + "finalizerorder.md",
	Flags:     flags(),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(Effects)},
	Run:       rule.Wrap("finalizerorder", nil, run),
}

func run(pass *analysis.Pass) (any, error) {
	if !touchesFinalizers(pass) {
		return nil, nil
	}
	pkg := program.Of(pass)
	a := newAnalysis(pass, pkg)
	a.logged = rule.FlagSet(pass.Analyzer, "logged")
	unreachable := rule.FlagSet(pass.Analyzer, "unreachable")
	for _, fn := range pkg.Funcs {
		a.check(pass, fn)
		a.checkAdding(fn)
		a.checkCleanup(fn)
		a.checkPersistence(fn)
		a.checkLate(fn)
		if unreachable {
			a.checkEarly(fn)
		}
		a.checkAfter(fn)
		a.checkReplacement(fn)
	}
	for _, fn := range pkg.Funcs {
		a.export(fn)
	}
	return nil, nil
}

// touchesFinalizers is the cheap test: the package names finalizers or deletion timestamps, spells a patch of them, or
// imports a package that does.
func touchesFinalizers(pass *analysis.Pass) bool {
	for id := range pass.TypesInfo.Uses {
		if strings.Contains(id.Name, "inalizer") || strings.Contains(id.Name, "DeletionTimestamp") {
			return true
		}
	}
	for _, f := range pass.AllObjectFacts() {
		if _, ok := f.Fact.(*Effects); ok {
			return true
		}
	}
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "finalizers") {
				found = true
			}
			return !found
		})
	}
	return found
}

// check reports the writes in fn that clear an object's finalizers and that a deletion of the same object follows.
func (a *analyzer) check(pass *analysis.Pass, fn *ssa.Function) {
	events := a.events(fn)
	for _, w := range a.clearingWrites(events) {
		if a.deletingAlready(w, events) {
			continue
		}
		for _, d := range events {
			if d.kind != deletes || !d.obj.same(w.obj) || w.in == d.in || a.guarded(d) || !flow.ReachesForward(w.in, d.in, nil) {
				continue
			}
			report(pass, w, d)
			break
		}
	}
}

func report(pass *analysis.Pass, w, d event) {
	name := nameOf(pass, w)
	rule.Report(pass, rule.Finding{
		Pos: w.in.Pos(), Sub: "removedbeforedelete",
		Message: fmt.Sprintf("%s loses all its finalizers here and is deleted only later, at line %d: its controller can put a finalizer back in between, and the deletion hangs; delete first",
			name, rule.Line(pass, flow.Pos(d.in))),
		Related: related(w, d),
	})
}

func related(w, d event) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	if w.at != nil && w.at != w.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(w.at), Message: "the finalizers are removed here"})
	}
	out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.in), Message: "the object is deleted here"})
	if d.at != nil && d.at != d.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.at), Message: "by this call"})
	}
	return out
}
