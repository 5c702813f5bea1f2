// Package filter evaluates predicates and event handlers on updates, and finds those that drop what a controller needs.
package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// Facts are those of the analyzer that runs Run.
func Facts() []analysis.Fact {
	return []analysis.Fact{(*accessFact)(nil), (*filterFact)(nil), (*needFact)(nil)}
}

// Run runs the sub-rules that evaluate filters, and exports what packages that import this one have to know.
func Run(pass *analysis.Pass, all []*kubeapi.Handler, shared *sharing.Sharing) {
	pkg, access := program.Of(pass), known[accessFact](pass)
	rd := &reader{pkg: pkg, fact: access}
	ps := predicates{pkg: pkg, fact: func(obj types.Object) *filterFact { return factOf[filterFact](pass, obj) }, looks: looks{pkg, access}}
	ks := &keys{pkg: pkg, fact: access}
	fin := &finalizers{pkg: pkg, fact: access}
	sets := ks.summaries()
	export(pass, func(fn *ssa.Function) *accessFact {
		f := sets[fn]
		if f == nil {
			f = &accessFact{}
		}
		f.Reads, f.Looks, f.Frees, f.Status = rd.exported(fn), ps.looks.exported(fn), fin.exported(fn), waitedFor(fn)
		return f
	})
	if kubeapi.Imports(pass.Pkg, func(path string) bool { return path == kubeapi.Event || path == kubeapi.PredicatePkg }) {
		ps.export(pass)
	}

	own := ks.own(func(fn *ssa.Function) bool { return rule.Wanted(pass, fn.Pos()) || fn.Synthetic != "" })
	d := &dropped{pass: pass, ps: ps, reads: rd, access: access, finalizers: fin, own: own, reported: map[string]bool{},
		needs: map[*ssa.Function]*needFact{}, structs: map[ssa.Value]*kubeapi.Handler{}, types: map[*types.Named]*kubeapi.Handler{}}
	d.periodic = sync.OnceValue(func() [][]*ssa.Function { return periodic(pkg) })
	d.exportNeeds()
	for _, h := range all {
		if h.Val != nil {
			d.structs[h.Val] = h
		} else if !h.Predicate {
			d.types[h.Type] = h
		}
	}
	watching, owned := ps.controllers(), sync.OnceValue(func() []kubeapi.Ownership { return kubeapi.Ownerships(pkg) })
	handlers := handlersOf(all)
	for _, c := range watching {
		d.nogeneration(c, watching)
		for _, w := range c.watches {
			d.excludedKind(w)
			d.watched(c, w)
		}
		d.unowned(c, owned)
	}
	if c := d.handling(handlers); c != nil {
		for _, w := range c.watches {
			if rule.Wanted(pass, w.Pos) {
				d.metadata(c, w)
				d.deletion(c, w)
			}
		}
	}
	d.nogeneration(d.informed(all), nil)
	mutations(pass, ps, shared)
	(&constants{pass: pass, ps: ps, handlers: handlers, reported: map[token.Pos]bool{}}).run()
}

// known gives the facts of one kind that functions of other packages have, nil for those without.
func known[T any, F interface {
	*T
	analysis.Fact
}](pass *analysis.Pass) func(*types.Func) F {
	return func(fn *types.Func) F {
		if fn == nil {
			return nil
		}
		return factOf[T, F](pass, fn)
	}
}

// factOf is the fact of that kind that obj has, nil for none.
func factOf[T any, F interface {
	*T
	analysis.Fact
}](pass *analysis.Pass, obj types.Object) F {
	f := F(new(T))
	if !pass.ImportObjectFact(obj, f) {
		return nil
	}
	return f
}

// dropped reports filters that drop updates which the controller behind them needs.
type dropped struct {
	pass       *analysis.Pass
	ps         predicates
	reads      *reader
	access     func(*types.Func) *accessFact
	finalizers *finalizers
	own        map[string]bool // keys that the controllers in sight set themselves
	reported   map[string]bool
	needs      map[*ssa.Function]*needFact
	structs    map[ssa.Value]*kubeapi.Handler // structs of functions, by their addresses
	types      map[*types.Named]*kubeapi.Handler
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
	if w.Kind == nil || w.Metadata {
		return
	}
	if w.Role == "For" {
		d.metadata(c, w)
		d.deletion(c, w)
		d.lost(c, w)
	} else {
		d.status(c, w)
		d.gone(c, w)
	}
}
