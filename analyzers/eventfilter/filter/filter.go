// Package filter evaluates predicates and event handlers on updates, and finds those that drop what a controller needs.
package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
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
	return []analysis.Fact{(*Fact)(nil)}
}

// Run runs the sub-rules that evaluate filters, and exports what packages that import this one have to know.
func Run(pass *analysis.Pass, all []*kubeapi.Handler, shared *sharing.Sharing) {
	pkg := program.Of(pass)
	access := func(fn *types.Func) *accessSummary {
		if fn == nil {
			return nil
		}
		return factOf(pass, fn).Access
	}
	rd := &reader{pkg: pkg, fact: access}
	ps := predicates{pkg: pkg, fact: func(obj types.Object) *filterSummary { return factOf(pass, obj).Drops }, looks: looks{pkg, access}}
	ks := &keys{pkg: pkg, fact: access}
	fin := &finalizers{pkg: pkg, fact: access}
	sets := ks.summaries()
	export(pass, func(fn *ssa.Function) *accessSummary {
		f := sets[fn]
		if f == nil {
			f = &accessSummary{}
		}
		f.Reads, f.Looks, f.Frees, f.Status = rd.exported(fn), ps.looks.exported(fn), fin.exported(fn), waitedFor(fn)
		return f
	})
	if kubeapi.Imports(pass.Pkg, func(path string) bool { return path == kubeapi.Event || path == kubeapi.PredicatePkg }) {
		ps.export(pass)
	}

	own := ks.own(func(fn *ssa.Function) bool { return rule.Wanted(pass, fn.Pos()) || fn.Synthetic != "" })
	d := &dropped{pass: pass, ps: ps, reads: rd, access: access, finalizers: fin, own: own, reported: map[string]bool{},
		needs: map[*ssa.Function]*needSummary{}, structs: map[ssa.Value]*kubeapi.Handler{}, types: map[*types.Named]*kubeapi.Handler{}}
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

// Fact is the fact of a function; a part is nil if there is nothing to know of it.
type Fact struct {
	Access *accessSummary // what it does with the objects that it is given
	Drops  *filterSummary // of the predicate that it returns
	Needs  *needSummary   // of a method Reconcile
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

// String is for the tests of facts.
func (f *Fact) String() string {
	var parts []string
	if f.Access != nil {
		parts = append(parts, f.Access.String())
	}
	if f.Drops != nil {
		parts = append(parts, f.Drops.String())
	}
	if f.Needs != nil {
		parts = append(parts, f.Needs.String())
	}
	return strings.Join(parts, "; ")
}

// amend adds to the fact of obj, of the package.
func amend(pass *analysis.Pass, obj types.Object, add func(to *Fact)) {
	f := factOf(pass, obj)
	add(f)
	pass.ExportObjectFact(obj, f)
}

// factOf is the fact of obj; empty if it has none.
func factOf(pass *analysis.Pass, obj types.Object) *Fact {
	f := new(Fact)
	pass.ImportObjectFact(obj, f)
	return f
}

// dropped reports filters that drop updates which the controller behind them needs.
type dropped struct {
	pass       *analysis.Pass
	ps         predicates
	reads      *reader
	access     func(*types.Func) *accessSummary
	finalizers *finalizers
	own        map[string]bool // keys that the controllers in sight set themselves
	reported   map[string]bool
	needs      map[*ssa.Function]*needSummary
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
	if w.Role == kubeapi.RoleFor {
		d.metadata(c, w)
		d.deletion(c, w)
	} else {
		d.status(c, w)
	}
}
