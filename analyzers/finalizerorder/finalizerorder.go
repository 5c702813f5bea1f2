package finalizerorder

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer reports finalizers that are added, removed or written in the wrong order.
var Analyzer = &analysis.Analyzer{
	Name: "finalizerorder",
	Doc:  rule.MustExtractDoc(doc, "finalizerorder"),
	URL:  rule.URLBase + "finalizerorder.md",
	Flags: rule.Flags(
		rule.Sub{Name: "removedbeforedelete", Severity: rule.Error},
		rule.Sub{Name: "removedonerror", Severity: rule.Error},
		rule.Sub{Name: "lateadd", Severity: rule.Error},
		rule.Sub{Name: "unreachable", Severity: rule.Error},
		rule.Sub{Name: "writeafterremoval", Severity: rule.Error},
		rule.Sub{Name: "dropped", Severity: rule.Error},
		rule.Sub{Name: "notawaited", Severity: rule.Warning},
	),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(Effects), new(link.Summary[Keepers])},
	Run:       rule.Wrap("finalizerorder", nil, link.Phase[Keepers]{Summarize: summarize, Uncalled: true, Unused: unkept}.Run),
}

func summarize(u *link.Unit[Keepers]) any {
	if !touchesFinalizers(u.Pass) {
		return nil
	}
	pkg := program.Of(u.Pass)
	a := newAnalysis(u.Pass, pkg)
	a.unit = u
	a.findHandedOver()
	for _, fn := range pkg.Funcs {
		a.checkRemovedBeforeDelete(fn)
		a.checkCleanup(fn)
		a.checkLate(fn)
		a.checkOnlyFirst(fn)
		a.checkNeeds(fn)
		a.checkHandedOver(fn)
		a.checkAbsent(fn)
		a.checkUnheard(fn)
		a.checkAfter(fn)
		a.checkSavedAtExit(fn)
		a.checkUntried(fn)
		a.checkReplacement(fn)
		a.checkOverwritten(fn)
		a.checkReplacers(fn)
	}
	for _, fn := range pkg.Funcs {
		a.export(fn)
	}
	if u.Defers() {
		a.keepers(&u.Part)
	}
	return nil
}

// touchesFinalizers is the cheap test: the package names finalizers, deletion timestamps or the versions of objects that replace others, looks
// objects up, makes a Service, may refuse deletions, spells a patch of finalizers, or imports a package that does.
func touchesFinalizers(pass *analysis.Pass) bool {
	for id, use := range pass.TypesInfo.Uses {
		if strings.Contains(id.Name, "inalizer") || strings.Contains(id.Name, string(kubeapi.MetaDeletionTimestamp)) || strings.HasSuffix(id.Name, string(kubeapi.MetaResourceVersion)) {
			return true
		}
		if fn, ok := use.(*types.Func); ok && asksForObjects(fn) {
			return true
		}
	}
	for _, def := range pass.TypesInfo.Defs {
		if fn, ok := def.(*types.Func); ok && (resultIsService(fn.Signature()) || fn.Name() == kubeapi.ValidateDelete) {
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

// asksForObjects reports whether fn asks the API server for objects, or a cache for a list of those of a custom kind, as listers do.
func asksForObjects(fn *types.Func) bool {
	verb := kubeapi.VerbOf(fn.Name())
	if verb != kubeapi.VerbGet && verb != kubeapi.VerbList {
		return false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return params.Len() > 1 && kubeapi.IsContext(params.At(0).Type()) ||
		verb == kubeapi.VerbList && results.Len() > 0 && isCustom(listed(results.At(0).Type()))
}
