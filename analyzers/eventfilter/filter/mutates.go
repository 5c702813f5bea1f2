package filter

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// mutations reports the predicates and map functions of the package that write to the objects they are given, which belong to the
// cache. What handlers of informers do is for cachemutation.
func mutations(pass *analysis.Pass, ps predicates, shared *sharing.Sharing) {
	m := mutators{pass: pass, shared: shared, reported: map[token.Pos]bool{}}
	generic := sync.OnceValue(ps.hasGeneric)
	for _, fn := range ps.pkg.Funcs {
		for _, p := range fn.Params {
			if kubeapi.IsEvent(p.Type(), kubeapi.EventUpdate) || kubeapi.IsEvent(p.Type(), kubeapi.EventCreate) || kubeapi.IsEvent(p.Type(), kubeapi.EventGeneric) && generic() {
				eventObjects(p, func(v ssa.Value, name string) {
					m.look(fn, sharing.Shown(v, v.(ssa.Instruction), "the event"), "the event's "+name, name == kubeapi.OldObject)
				})
			}
		}
		m.done(fn)
	}
	for _, fn := range ps.objectFuncs() {
		if n := len(fn.Params); n > 0 && len(fn.Blocks) > 0 {
			m.look(fn, sharing.Argument(fn.Params[n-1], "the event"), "the object", false)
		}
		m.done(fn)
	}
	m.report()
}

// hasGeneric reports whether the package has to do with a channel of generic events. A watch of a kind has none, so that else nobody is seen to
// ask a filter about them.
func (ps predicates) hasGeneric() bool {
	return flow.Any(flow.InstrsOf[ssa.Value](ps.pkg.All()...), func(v ssa.Value) bool {
		ch, ok := flow.Pointee(v.Type()).Underlying().(*types.Chan)
		return ok && kubeapi.IsEvent(ch.Elem(), kubeapi.EventGeneric)
	})
}

// mutators are the writes of one function at a time, and those of all that are to be reported.
type mutators struct {
	pass     *analysis.Pass
	shared   *sharing.Sharing
	reported map[token.Pos]bool
	found    []mutation
	all      []mutation
}

// mutation is a write to an object of the cache.
type mutation struct {
	f    rule.Finding
	of   piece
	what string // it writes to
	old  bool   // the object has left the cache, and only others who hear of the same event have it
	back bool   // the function writes it back when it ends
}

// look notes the first write of fn to what it reads by r, an object of the cache, or the one that it was before.
func (m *mutators) look(fn *ssa.Function, r sharing.Read, which string, old bool) {
	for _, e := range m.shared.Effects(r) {
		if sentOn(e) {
			continue // the server is to have it, too
		}
		what := e.What.String()
		f := rule.Finding{Pos: flow.Pos(e.In), Sub: "mutates", Site: "filter-write", Message: fmt.Sprintf(
			"%s mutates %s of %s: the object is shared with the informer cache; modify a DeepCopy",
			filterName(fn), cmp.Or(what, "the fields"), which)}
		if rule.Wanted(m.pass, e.At) { // in a function that it calls
			f.Related = []analysis.RelatedInformation{{Pos: f.Pos, Message: "the object is passed on here"}}
			f.Pos = e.At
		}
		if m.isMark(e) {
			f.Site = "filter-mark"
			place := what
			if e.What.Part == sharing.Entry {
				place = cmp.Or(e.What.Of, what)
			}
			f.Message = fmt.Sprintf("%s stores state in %s of %s: the next update of the cached object, or a restart, loses it; keep it elsewhere",
				filterName(fn), place, which)
		}
		if m.reported[f.Pos] || !rule.Wanted(m.pass, f.Pos) {
			continue
		}
		m.reported[f.Pos] = true // a function that several filters call is told of once
		_, deferred := e.In.(*ssa.Defer)
		if i := slices.IndexFunc(m.found, func(x mutation) bool { return x.what == what && x.old == old }); i >= 0 { // who writes it back is no second one
			m.found[i].back = m.found[i].back || deferred
		} else {
			m.found = append(m.found, mutation{f: f, what: what, old: old})
		}
		return
	}
}

// sentOn reports whether the function in which e writes, or is called, sends the object to the server behind that.
func sentOn(e sharing.Effect) bool {
	return flow.Any(flow.Instrs(e.In.Parent()), func(in ssa.Instruction) bool {
		_, sent := e.SentBy(in)
		return sent && flow.Reaches(e.In, in, nil)
	})
}

// isMark reports whether what e writes is a constant under a constant key, in an entry or in the annotations or labels as a whole: what the filter tells
// others by the object, and is meant to.
func (m *mutators) isMark(e sharing.Effect) bool {
	return m.shared.WrittenBy(e, func(in ssa.Instruction) bool { return constantEntry(in) || setsConstants(in) })
}

// constantEntry reports whether in writes a constant under a constant key.
func constantEntry(in ssa.Instruction) bool {
	up, ok := in.(*ssa.MapUpdate)
	if !ok {
		return false
	}
	_, key := up.Key.(*ssa.Const)
	_, value := up.Value.(*ssa.Const)
	return key && value
}

// setsConstants reports whether in gives an object annotations or labels which are a map, made there, of constants.
func setsConstants(in ssa.Instruction) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	field, _, val := kubeapi.MetaWrite(call)
	if field != kubeapi.MetaAnnotations && field != kubeapi.MetaLabels {
		return false
	}
	made, ok := flow.Resolve(val).(*ssa.MakeMap)
	if !ok {
		return false
	}
	some := false
	for up := range flow.Referrers[*ssa.MapUpdate](made) {
		if some = true; !constantEntry(up) {
			return false
		}
	}
	return some
}

// done says which of the writes that were noted of fn are to be reported. That it does to the old object what it does to the new one is one finding.
func (m *mutators) done(fn *ssa.Function) {
	for _, x := range m.found {
		if x.old && x.back {
			continue // nobody who comes later sees it
		}
		if x.old && slices.ContainsFunc(m.found, func(y mutation) bool { return !y.old && y.what == x.what }) {
			continue
		}
		for _, y := range m.found {
			if y.old && !x.old && y.what == x.what {
				x.f.Related = append(x.f.Related, analysis.RelatedInformation{Pos: y.f.Pos, Message: "the old object is mutated here, too"})
			}
		}
		x.of = pieceOf(fn, x.what)
		m.all = append(m.all, x)
	}
	m.found = nil
}

// A piece is what filters that belong together do to one part of their objects.
type piece struct {
	of   any // the function in which they are literals, or the type whose methods they are, as that one itself may be
	what string
}

// pieceOf is the piece of fn that writes to what.
func pieceOf(fn *ssa.Function, what string) piece {
	what = strings.TrimPrefix(what, "an entry of ")
	around := flow.Decl(fn)
	if recv := around.Signature.Recv(); recv != nil {
		if named := kubeapi.Named(recv.Type()); named != nil {
			return piece{named.Obj(), what}
		}
	}
	if around.Synthetic != "" { // variables of the package
		return piece{fn, what}
	}
	return piece{around, what}
}

// report reports the first write of each piece, with the others of it.
func (m *mutators) report() {
	first := map[piece]int{}
	var told []mutation
	for _, x := range m.all {
		i, ok := first[x.of]
		if !ok {
			first[x.of] = len(told)
			told = append(told, x)
			continue
		}
		told[i].f.Related = append(told[i].f.Related, analysis.RelatedInformation{Pos: x.f.Pos, Message: "so does this one"})
	}
	for _, x := range told {
		rule.Report(m.pass, x.f)
	}
}

// eventObjects yields the objects that are taken from the event p, where no other one may have been put into it by then.
func eventObjects(p *ssa.Parameter, yield func(v ssa.Value, name string)) {
	set := map[string]bool{}
	for st := range flow.FieldStores(append([]*ssa.Function{p.Parent()}, flow.Literals(p.Parent())...)...) {
		if to := flow.PathOf(st.Addr); to.Root == ssa.Value(p) {
			set[to.Sel] = true
		}
	}
	for in := range flow.Instrs(p.Parent()) {
		switch in.(type) {
		case *ssa.Field, *ssa.UnOp:
			from := flow.PathOf(in.(ssa.Value))
			if from.Root == ssa.Value(p) && !set[from.Sel] && slices.Contains([]string{".Object", ".ObjectOld", ".ObjectNew"}, from.Sel) {
				yield(in.(ssa.Value), from.Sel[1:])
			}
		}
	}
}

// objectFuncs are the functions given to predicate.NewPredicateFuncs and to the handlers that map an object to requests.
func (ps predicates) objectFuncs() []*ssa.Function {
	var all []*ssa.Function
	for c := range flow.Calls(ps.pkg.All()...) {
		if kubeapi.ObjectFuncs.Has(flow.Callee(c.Common())) {
			fns, _ := ps.pkg.FunctionsIn(c.Common().Args[0])
			all = append(all, fns...)
		}
	}
	return all
}
