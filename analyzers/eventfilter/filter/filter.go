// Package filter evaluates predicates and event handlers on updates, and finds those that drop what a controller needs.
package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// Facts are those of the analyzer that runs Run.
func Facts() []analysis.Fact {
	return []analysis.Fact{(*filterFact)(nil), (*readFact)(nil), (*keysFact)(nil), (*finalizerFact)(nil), (*needFact)(nil), (*lookFact)(nil), (*fieldFact)(nil)}
}

// Run runs the sub-rules that evaluate filters, and exports what packages that import this one have to know.
func Run(pass *analysis.Pass, all []*controllers.Handler, shared *sharing.Sharing) {
	pkg := program.Of(pass)
	fr := exportFields(pass)
	rd := &reader{pkg: pkg, fact: known[readFact](pass)}
	ps := predicates{pkg: pkg, fact: known[filterFact](pass), looks: looks{pkg, known[lookFact](pass)}}
	ks := &keys{pkg: pkg, fact: known[keysFact](pass)}
	fin := &finalizers{pkg: pkg, fact: known[finalizerFact](pass)}
	filtering := kube.Imports(pass.Pkg, func(path string) bool { return path == kube.Event || path == kube.Predicate })
	set := ks.summaries()
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
		if f := ps.looks.exported(fn); f != nil {
			pass.ExportObjectFact(obj, f)
		}
		if f := set[fn]; f != nil {
			pass.ExportObjectFact(obj, f)
		}
		if f := fin.exported(fn); f != nil {
			pass.ExportObjectFact(obj, f)
		}
	}

	own := ks.own(func(fn *ssa.Function) bool { return rule.Wanted(pass, fn.Pos()) || fn.Synthetic != "" })
	d := &dropped{pass: pass, ps: ps, reads: rd, fieldReads: fr, shared: shared, finalizers: fin, own: own, reported: map[string]bool{},
		needs: map[*ssa.Function]*needFact{}, structs: map[ssa.Value]*controllers.Handler{}, types: map[*types.Named]*controllers.Handler{}}
	d.periodic = sync.OnceValue(func() [][]*ssa.Function { return periodic(pkg) })
	d.exportNeeds()
	for _, h := range all {
		if h.Val != nil {
			d.structs[h.Val] = h
		} else if !h.Predicate {
			d.types[h.Type] = h
		}
	}
	watching, owned := ps.controllers(), sync.OnceValue(func() []controllers.Ownership { return controllers.Ownerships(pkg) })
	handlers := handlersOf(all)
	for _, c := range watching {
		d.nogeneration(c, watching)
		for _, w := range c.watches {
			d.watched(c, w)
		}
		d.conjunctions(c)
		d.unowned(c, owned)
	}
	d.unwatched(watching, owned)
	if c := d.handling(handlers); c != nil {
		for _, w := range c.watches {
			if rule.Wanted(pass, w.Pos) {
				d.metadata(c, w)
				d.deletion(c, w)
				if len(watching) == 0 && heardOnce(handlers, w.Kind) { // who else reads a field may be woken otherwise
					d.fields(c, w)
				}
			}
		}
	}
	for _, h := range handlers {
		if h.kind != nil && rule.Wanted(pass, h.update.Pos()) {
			d.neverReady(h)
		}
	}
	d.nogeneration(d.informed(all), nil)
	d.unended(all)
	mutations(pass, ps, shared)
	d.otherKind(watching, all)
	(&cases{pass, ps, watching}).run(all)
	(&constants{pass: pass, ps: ps, handlers: handlers, reported: map[token.Pos]bool{}}).run()
}

// RunBeside exports what packages that import this one have to know of its functions, where it has nothing of the cluster's but objects that other packages declare.
func RunBeside(pass *analysis.Pass) { exportFields(pass) }

// heardOnce reports whether there is one handler of the objects of a kind.
func heardOnce(all []*handler, kind types.Type) bool {
	n := 0
	for _, h := range all {
		if h.kind != nil && sameType(h.kind, kind) {
			n++
		}
	}
	return n == 1
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

// dropped reports filters that drop updates which the controller behind them needs.
type dropped struct {
	pass       *analysis.Pass
	ps         predicates
	reads      *reader
	fieldReads *fieldReader
	shared     *sharing.Sharing
	finalizers *finalizers
	own        map[string]bool // keys that the controllers in sight set themselves
	reported   map[string]bool
	needs      map[*ssa.Function]*needFact
	structs    map[ssa.Value]*controllers.Handler // structs of functions, by their addresses
	types      map[*types.Named]*controllers.Handler
	periodic   func() [][]*ssa.Function // what the function of that name gives, found once
}

// report reports f, once.
func (d *dropped) report(f rule.Finding) {
	key := fmt.Sprint(f.Pos, f.Sub)
	if d.reported[key] {
		return
	}
	d.reported[key] = true
	rule.Report(d.pass, f)
}

func kindOf(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// watched looks at what w, a watch of c, drops.
func (d *dropped) watched(c *controller, w *watch) {
	d.unheard(w)
	if w.Kind == nil || w.Metadata {
		return
	}
	d.kindless(w)
	d.genericOnly(c, w)
	if w.Role == "For" {
		d.metadata(c, w)
		d.deletion(c, w)
		d.fields(c, w)
		d.lost(c, w)
		d.uncreated(c, w)
	} else {
		d.status(c, w)
		d.gone(c, w)
	}
}
