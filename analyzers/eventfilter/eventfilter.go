package eventfilter

import (
	_ "embed"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule eventfilter.
var Analyzer = &analysis.Analyzer{
	Name:      "eventfilter",
	Doc:       rule.MustExtractDoc(doc, "eventfilter"),
	URL:       rule.URLBase + "eventfilter.md",
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("eventfilter", nil, run),
	FactTypes: []analysis.Fact{(*filterFact)(nil), (*readFact)(nil), (*keysFact)(nil), (*writeFact)(nil)},
}

func run(pass *analysis.Pass) (any, error) {
	if !kube.Imports(pass.Pkg, func(path string) bool {
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
	}) {
		return nil, nil
	}
	siblings(pass)
	handlers := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Cache })
	events := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event })
	if handlers || events {
		t := &tombstones{pass: pass, pkg: program.Of(pass), reported: map[token.Pos]bool{}}
		if handlers {
			t.handlers()
		}
		if events {
			t.predicates()
		}
	}
	filters(pass)
	return nil, nil
}

// filters runs the sub-rules that evaluate filters, and exports what packages that import this one have to know.
func filters(pass *analysis.Pass) {
	pkg := program.Of(pass)
	written := known[writeFact](pass)
	rd := &reader{pkg: pkg, fact: known[readFact](pass)}
	ps := predicates{pkg: pkg, fact: known[filterFact](pass)}
	ks := &keys{pkg: pkg, fact: known[keysFact](pass)}
	w := &writes{pkg: pkg, fact: written}
	fin := &finalizers{pkg: pkg, fact: written}
	filtering := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event || path == kube.Predicate })
	for _, fn := range pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if f := rd.exported(fn); f != nil {
			pass.ExportObjectFact(obj, f)
		}
		if f := ps.exported(fn); filtering && f != nil {
			pass.ExportObjectFact(obj, f)
		}
		if f := ks.summary(fn); f != nil {
			pass.ExportObjectFact(obj, f)
		}
		if f := w.exported(fn, fin); f != nil {
			pass.ExportObjectFact(obj, f)
		}
	}

	own := ks.own(func(fn *ssa.Function) bool { return rule.Wanted(pass, fn.Pos()) || fn.Synthetic != "" })
	d := &droppedEvents{pass: pass, ps: ps, reads: rd, finalizers: fin, own: own, reported: map[string]bool{}}
	var controllers []*controller
	if kube.Imports(pass.Pkg, func(path string) bool { return strings.HasPrefix(path, kube.ControllerRuntime) }) {
		controllers = ps.controllers()
	}
	handlers := ps.eventHandlers()
	d.controllers(controllers)
	d.handlers(handlers)
	mutations(pass, ps, handlers, w)
	(&cases{pass, ps, controllers}).run()
	(&constants{pass: pass, ps: ps, handlers: handlers, reported: map[token.Pos]bool{}}).run()
}

// known gives the facts of one kind that functions of other packages have, nil for those without.
func known[T any, F interface {
	*T
	analysis.Fact
}](pass *analysis.Pass) func(*types.Func) F {
	return func(fn *types.Func) F {
		f := F(new(T))
		if fn == nil || !pass.ImportObjectFact(fn, f) {
			return nil
		}
		return f
	}
}
