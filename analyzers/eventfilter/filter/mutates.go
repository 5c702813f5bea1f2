package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// mutations reports the predicates, handlers and map functions of the package that write to the objects they are given,
// which belong to the cache.
func mutations(pass *analysis.Pass, ps predicates, handlers []*handler, w *writes) {
	m := mutators{pass: pass, w: w, reported: map[token.Pos]bool{}}
	for _, fn := range ps.pkg.Funcs {
		for _, p := range fn.Params {
			if kube.IsEvent(p.Type(), "Update") || kube.IsEvent(p.Type(), "Create") || kube.IsEvent(p.Type(), "Generic") {
				eventObjects(p, func(v ssa.Value, name string) { m.look(fn, v, "the event's "+name, name == "ObjectOld") })
			}
		}
		m.report()
	}
	for _, h := range handlers {
		if !h.Informer {
			continue
		}
		if n := len(h.update.Params); n >= 2 {
			m.look(h.update, h.update.Params[n-2], "the old object", true)
			m.look(h.update, h.update.Params[n-1], "the new object", false)
		}
		m.report()
		if h.create != nil {
			for _, p := range h.create.Params {
				if kube.IsAny(p.Type()) {
					m.look(h.create, p, "the object", false)
				}
			}
		}
		m.report()
	}
	for _, fn := range ps.objectFuncs() {
		if n := len(fn.Params); n > 0 {
			m.look(fn, fn.Params[n-1], "the object", false)
		}
		m.report()
	}
}

// mutators are the findings of one function at a time.
type mutators struct {
	pass     *analysis.Pass
	w        *writes
	reported map[token.Pos]bool
	found    []mutation
}

// mutation is a write to an object of the cache.
type mutation struct {
	f    rule.Finding
	what string // it writes to
	old  bool   // the object has left the cache, and only others who hear of the same event have it
}

// look notes where fn writes to v, an object of the cache, or the one that it was before.
func (m *mutators) look(fn *ssa.Function, v ssa.Value, which string, old bool) {
	found := m.w.through(v)
	if found.pos.IsValid() && found.call.IsValid() && !rule.Wanted(m.pass, found.pos) {
		found.pos, found.fn = found.call, fn
	}
	if !found.pos.IsValid() || m.reported[found.pos] || !rule.Wanted(m.pass, found.pos) {
		return
	}
	m.reported[found.pos] = true // a function that several filters call is told of once
	f := rule.Finding{Pos: found.pos, Sub: "mutates", Message: fmt.Sprintf(
		"%s writes to %s of %s, which belongs to the cache: whoever reads the object sees it, and the next update is compared with it",
		filterName(fn), found.what, which)}
	if flow.Decl(found.fn) != flow.Decl(fn) {
		f.Related = []analysis.RelatedInformation{{Pos: v.Pos(), Message: "the object is handed on here"}}
	}
	m.found = append(m.found, mutation{f, found.what, old})
}

// report reports what was noted of a function. That it does to the old object what it does to the new one is one finding.
func (m *mutators) report() {
	for _, x := range m.found {
		if x.old && slices.ContainsFunc(m.found, func(y mutation) bool { return !y.old && y.what == x.what }) {
			continue
		}
		for _, y := range m.found {
			if y.old && !x.old && y.what == x.what {
				x.f.Related = append(x.f.Related, analysis.RelatedInformation{Pos: y.f.Pos, Message: "the same is done to the old object here"})
			}
		}
		rule.Report(m.pass, x.f)
	}
	m.found = nil
}

// eventObjects yields the objects that are taken from the event p.
func eventObjects(p *ssa.Parameter, yield func(v ssa.Value, name string)) {
	holds := []ssa.Value{p} // p, and the variables that it is put into
	for in := range flow.Instrs(p.Parent()) {
		if st, ok := in.(*ssa.Store); ok && st.Val == ssa.Value(p) {
			holds = append(holds, st.Addr)
		}
	}
	for in := range flow.Instrs(p.Parent()) {
		var f *types.Var
		switch in := in.(type) {
		case *ssa.Field:
			if slices.Contains(holds, in.X) {
				f = flow.Field(in.X.Type(), in.Field)
			}
		case *ssa.UnOp:
			if fa, ok := in.X.(*ssa.FieldAddr); ok && slices.Contains(holds, fa.X) {
				f = flow.Field(fa.X.Type(), fa.Field)
				if alloc, ok := fa.X.(*ssa.Alloc); ok && fieldStores(alloc, f.Name()) > 1 {
					f = nil // another object may be there by then
				}
			}
		}
		if f != nil && (f.Name() == "Object" || f.Name() == "ObjectOld" || f.Name() == "ObjectNew") {
			yield(in.(ssa.Value), f.Name())
		}
	}
}

// objectFuncs are the functions given to predicate.NewPredicateFuncs and to the handlers that map an object to requests.
func (ps predicates) objectFuncs() []*ssa.Function {
	var all []*ssa.Function
	for _, fn := range ps.pkg.All() {
		flow.Calls(fn, func(c ssa.CallInstruction) {
			switch sym := kube.SymbolOf(flow.Callee(c.Common())); sym {
			case kube.Symbol{Pkg: kube.Predicate, Name: "NewPredicateFuncs"}, kube.Symbol{Pkg: kube.Predicate, Name: "NewTypedPredicateFuncs"},
				kube.Symbol{Pkg: kube.Handler, Name: "EnqueueRequestsFromMapFunc"}, kube.Symbol{Pkg: kube.Handler, Name: "TypedEnqueueRequestsFromMapFunc"}:
				all = append(all, controllers.Functions(ps.pkg, c.Common().Args[0])...)
			}
		})
	}
	return all
}
