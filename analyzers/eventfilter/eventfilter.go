package eventfilter

import (
	_ "embed"
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
	rd := &reader{pkg: pkg, objects: map[*ssa.Function][]objectRead{}, memo: map[*ssa.Function][]paramRead{}, fact: func(fn *types.Func) *readFact {
		f := new(readFact)
		if fn == nil || !pass.ImportObjectFact(fn, f) {
			return nil
		}
		return f
	}}
	ps := predicates{pkg: pkg, fact: func(fn *types.Func) *filterFact {
		f := new(filterFact)
		if fn == nil || !pass.ImportObjectFact(fn, f) {
			return nil
		}
		return f
	}}
	exportReads(pass, rd)
	exportFilters(pass, ps)
	ks := &keys{pkg: pkg, memo: map[*ssa.Function][]string{}, fact: func(fn *types.Func) *keysFact {
		f := new(keysFact)
		if fn == nil || !pass.ImportObjectFact(fn, f) {
			return nil
		}
		return f
	}}
	exportKeys(pass, ks)
	own := ks.own(func(fn *ssa.Function) bool { return rule.Wanted(pass, fn.Pos()) || fn.Synthetic != "" })
	d := &droppedEvents{pass: pass, ps: ps, reads: rd, own: own, reported: map[string]bool{}}
	var controllers []*controller
	if kube.Imports(pass.Pkg, func(path string) bool { return strings.HasPrefix(path, kube.ControllerRuntime) }) {
		controllers = ps.controllers()
	}
	handlers := ps.eventHandlers()
	d.controllers(controllers)
	d.handlers(handlers)
	w := &writes{pkg: pkg, memo: map[*ssa.Function]map[int]write{}, fact: func(fn *types.Func) *writeFact {
		f := new(writeFact)
		if fn == nil || !pass.ImportObjectFact(fn, f) {
			return nil
		}
		return f
	}}
	exportWrites(pass, w)
	mutations(pass, ps, handlers, w)
	(&cases{pass, ps, controllers}).run()
	(&constants{pass: pass, ps: ps, handlers: handlers, reported: map[token.Pos]bool{}}).run()
}

// exportReads exports what functions read of their parameters.
func exportReads(pass *analysis.Pass, rd *reader) {
	for _, fn := range rd.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		var f readFact
		for _, r := range rd.summary(fn) {
			f.Reads = append(f.Reads, factRead{Param: r.param, KeyParam: r.keyParam, Labels: r.labels, Table: r.table, Decides: r.decides, Key: r.key})
		}
		if f.Reads != nil {
			pass.ExportObjectFact(obj, &f)
		}
	}
}

// exportFilters exports what is known of the predicates and update functions that functions return, and of the Update
// methods.
func exportFilters(pass *analysis.Pass, ps predicates) {
	if !kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event || path == kube.Predicate }) {
		return
	}
	for _, fn := range ps.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		var p *pred
		switch results := fn.Signature.Results(); {
		case results.Len() == 1 && fn.Name() == "Update" && flow.IsBool(results.At(0).Type()) && len(fn.Params) == 2 && kube.IsEvent(fn.Params[1].Type(), "Update"):
			p = &pred{op: opFuncs, update: fn}
		case results.Len() == 1:
			p = ps.returned(fn)
		}
		if p == nil {
			continue
		}
		if f := summarise(p); f != nil {
			pass.ExportObjectFact(obj, f)
		}
	}
}

// exportWrites exports which functions write to what their parameters lead to.
func exportWrites(pass *analysis.Pass, w *writes) {
	for _, fn := range w.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		var f writeFact
		for i := range fn.Params {
			if _, ok := w.summary(fn)[i]; ok {
				f.Params = append(f.Params, i)
			}
		}
		if f.Params != nil {
			pass.ExportObjectFact(obj, &f)
		}
	}
}

// exportKeys exports the keys that functions set in maps of strings.
func exportKeys(pass *analysis.Pass, ks *keys) {
	for _, fn := range ks.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if set := ks.summary(fn); set != nil {
			pass.ExportObjectFact(obj, &keysFact{set})
		}
	}
}
