package finalizerorder

import (
	_ "embed"
	"flag"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/callers"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// flags are those of the analyzer.
func flags() flag.FlagSet {
	f := rule.Flags(
		rule.Sub{Name: "removedbeforedelete", Severity: rule.Error},
		rule.Sub{Name: "removedonerror", Severity: rule.Error},
		rule.Sub{Name: "addedwhiledeleting", Severity: rule.Warning},
		rule.Sub{Name: "addedagain", Severity: rule.Warning},
		rule.Sub{Name: "addedbeforecheck", Severity: rule.Warning},
		rule.Sub{Name: "notpersisted", Severity: rule.Error},
		rule.Sub{Name: "statusonly", Severity: rule.Error},
		rule.Sub{Name: "lateadd", Severity: rule.Error},
		rule.Sub{Name: "unreachable", Severity: rule.Warning},
		rule.Sub{Name: "writeafterremoval", Severity: rule.Error},
		rule.Sub{Name: "dropped", Severity: rule.Error},
		rule.Sub{Name: "anykind", Severity: rule.Warning},
		rule.Sub{Name: "notawaited", Severity: rule.Warning},
	)
	f.Bool("logged", false, "report finalizers that go although a cleanup has failed whose error is logged as less than an error, too (category finalizerorder/removedonerror)")
	return f
}

// Analyzer reports finalizers that are added, removed or written in the wrong order.
var Analyzer = &analysis.Analyzer{
	Name:      "finalizerorder",
	Doc:       rule.MustExtractDoc(doc, "finalizerorder"),
	URL:       rule.URLBase + "finalizerorder.md",
	Flags:     flags(),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	FactTypes: []analysis.Fact{new(Effects), new(Supplied), new(Fixed), new(Required), new(Plain), new(ForDeleted), new(Keepers), new(Uncalled)},
	Run:       rule.Wrap("finalizerorder", &rule.Verdicts{}, callers.Delaying[Uncalled](run)),

	ResultType: reflect.TypeFor[*rule.Verdicts](),
}

// Uncalled is the fact of a package: findings in functions that nobody may call, and what it does with those of packages below.
type Uncalled struct{ callers.Unit[Uncalled] }

func run(pass *analysis.Pass) (any, error) {
	exportFixed(pass)
	exportPlain(pass)
	keeping := new(Keepers)
	if !touchesFinalizers(pass) {
		keeping.together(pass)
		return &rule.Verdicts{}, nil
	}
	pkg := program.Of(pass)
	a := newAnalysis(pass, pkg)
	a.keeping = keeping
	a.logged = rule.FlagSet(pass.Analyzer, "logged")
	a.findHandedOver()
	for _, fn := range pkg.Funcs {
		a.checkRemovedBeforeDelete(fn)
		a.checkAdding(fn)
		a.checkCleanup(fn)
		a.checkInverted(fn)
		a.checkPersistence(fn)
		a.checkLate(fn)
		a.checkSkipped(fn)
		a.checkOnlyFirst(fn)
		a.checkEarly(fn)
		a.checkNeeds(fn)
		a.checkOtherEnds(fn)
		a.checkHandedOver(fn)
		a.checkNothing(fn)
		a.checkAbsent(fn)
		a.checkStays(fn)
		a.checkUnheard(fn)
		a.checkSucceeded(fn)
		a.checkAwaited(fn)
		a.checkOngoing(fn)
		a.checkAfter(fn)
		a.checkSavedAtExit(fn)
		a.checkSteps(fn)
		a.checkApart(fn)
		a.checkAgain(fn)
		a.checkUntried(fn)
		a.checkTurns(fn)
		a.checkReplacement(fn)
		a.checkMergedLists(fn)
		a.checkOverwritten(fn)
		a.checkEmptied(fn)
		a.checkWrittenOut(fn)
		a.checkReplacers(fn)
	}
	a.checkSupplied()
	for _, fn := range pkg.Funcs {
		a.export(fn)
	}
	a.keepers(keeping)
	keeping.together(pass)
	return &a.verdicts, nil
}

// touchesFinalizers is the cheap test: the package names finalizers, deletion timestamps or the versions of objects that replace others, looks
// objects up, makes a Service, may refuse deletions, runs steps, spells a patch of finalizers or a state of what is on its way out, or imports a package that does.
func touchesFinalizers(pass *analysis.Pass) bool {
	for id, use := range pass.TypesInfo.Uses {
		if strings.Contains(id.Name, "inalizer") || strings.Contains(id.Name, "DeletionTimestamp") || strings.HasSuffix(id.Name, "ResourceVersion") {
			return true
		}
		switch use := use.(type) {
		case *types.Func:
			if asksForObjects(use) {
				return true
			}
		case *types.Const:
			if use.Val().Kind() == constant.String && saysEnding(constant.StringVal(use.Val())) {
				return true
			}
		}
	}
	for _, def := range pass.TypesInfo.Defs {
		if fn, ok := def.(*types.Func); ok && (resultIsService(fn.Signature()) || fn.Name() == validateDelete || takesSteps(fn.Signature())) {
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
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && (strings.Contains(lit.Value, "finalizers") || !strings.Contains(lit.Value, " ") && saysEnding(lit.Value)) {
				found = true
			}
			return !found
		})
	}
	return found
}

// asksForObjects reports whether fn asks the API server for objects, or a cache for a list of those of a custom kind, as listers do.
func asksForObjects(fn *types.Func) bool {
	if fn.Name() != "Get" && fn.Name() != "List" {
		return false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return params.Len() > 1 && kube.IsContext(params.At(0).Type()) ||
		fn.Name() == "List" && results.Len() > 0 && isCustom(listed(results.At(0).Type()))
}
