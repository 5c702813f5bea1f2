package footprint

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// filters returns conditions that each creation, update and deletion fulfils on which c acts for w: by the predicates of
// w, by those that all its watches share, or by the function that maps objects to requests. Watches have no generic
// events. Conditions on the node come first, then those on the name, labels and the namespace.
//
// Conditions are found by the tests that dominate what a function returns, and in functions of the package that it
// calls. Of a predicate that another package makes nothing is known.
func (s *scan) filters(c *kubeapi.Controller, w *kubeapi.Watch) (found []Filter) {
	all := demand{}
	args := w.Predicates
	if !w.Raw {
		args = append(slices.Clip(args), c.Filters...)
	}
	for _, arg := range args {
		if arg.Value == nil {
			continue
		}
		f, p := &filtering{scan: s, watch: w, made: arg.Value}, kubeapi.PredicateOf(s.p, arg.Value, arg.At)
		passes := demand{never: true}
		for _, event := range []string{kubeapi.EventCreate, kubeapi.EventUpdate, kubeapi.EventDelete} {
			passes = passes.or(f.predicate(p, event))
		}
		all = all.and(passes)
	}
	if w.Handler != nil {
		call, ok := flow.Resolve(w.Handler).(*ssa.Call)
		if ok && kubeapi.ObjectFuncs.Called(&call.Call) && len(call.Call.Args) > 0 {
			if fns, known := s.p.FunctionsIn(call.Call.Args[0]); known && len(fns) == 1 {
				f := &filtering{scan: s, watch: w, made: w.Handler}
				all = all.and(f.function(&frame{fn: fns[0]}, flow.False))
			}
		}
	}
	for _, first := range []string{kubeapi.ByNode, kubeapi.ByName, kubeapi.ByLabel, kubeapi.ByNamespace} {
		for _, property := range slices.Sorted(maps.Keys(all.of)) {
			if strings.HasPrefix(property, first) {
				found = append(found, Filter{property, all.of[property]})
			}
		}
	}
	return found
}

// A demand is what holds of an object if something has an outcome: the values of its properties, as in Filter.
type demand struct {
	never bool // it does not have the outcome
	of    map[string]string
}

// and returns what holds if both have their outcome; of two values of one property, that of d.
func (d demand) and(e demand) demand {
	both := demand{d.never || e.never, maps.Clone(e.of)}
	if both.of == nil {
		both.of = map[string]string{}
	}
	maps.Copy(both.of, d.of)
	return both
}

// or returns what holds if either has its outcome.
func (d demand) or(e demand) demand {
	switch {
	case d.never:
		return e
	case e.never:
		return d
	}
	either := demand{of: map[string]string{}}
	for property, value := range d.of {
		if other, ok := e.of[property]; ok && other == value {
			either.of[property] = value
		}
	}
	return either
}

// filtering finds what a predicate or a mapping function of a watch demands.
type filtering struct {
	*scan
	watch *kubeapi.Watch
	made  ssa.Value // the predicate or handler
	tests int       // that were looked at
}

// predicate returns what p demands of an event to let it pass.
func (f *filtering) predicate(p *kubeapi.Predicate, event string) demand {
	d := demand{}
	switch p.Op {
	case kubeapi.OpAnd:
		for _, q := range p.List {
			d = d.and(f.predicate(q, event))
		}
	case kubeapi.OpOr:
		d.never = true
		for _, q := range p.List {
			d = d.or(f.predicate(q, event))
		}
	}
	fn, ok := p.Fns[event]
	if update := p.Fns[kubeapi.EventUpdate]; !ok && update != nil && !flow.Any(update.Signature.Params().Variables(), isEvent) {
		fn = update // it is given the object of any event
	}
	if fn == nil {
		return d
	}
	return d.and(f.function(&frame{fn: fn}, flow.True))
}

func isEvent(v *types.Var) bool { return kubeapi.IsEvent(v.Type(), "") }

// A frame is a function under evaluation.
type frame struct {
	fn       *ssa.Function
	args     []ssa.Value // of the call, in the frame up; nil for the first one
	up       *frame
	depth    int
	feasible *paths.Feasible
	busy     map[*ssa.Phi]bool
}

// maxDepth bounds the calls that are followed, maxTests the tests that are looked at; from there on nothing is demanded.
const maxDepth, maxTests = 5, 5000

// function returns what holds if the function of fr returns t: true of a bool, false (not empty) of a slice.
func (f *filtering) function(fr *frame, t flow.Truth) demand {
	fr.busy = map[*ssa.Phi]bool{}
	fr.feasible = paths.Reachable(fr.fn, func(v ssa.Value) flow.Truth { return f.hasKind(fr, v) }, nil)
	d := demand{never: true}
	for ret := range flow.Returns(fr.fn) {
		if fr.feasible.Reaches(ret.Block()) && len(ret.Results) == 1 {
			d = d.or(f.holds(fr, ret.Results[0], t).and(f.at(fr, ret.Block())))
		}
	}
	return d
}

// hasKind says whether v, which tells if an assertion of the object's type succeeds, is true: the kind of the watch is
// known.
func (f *filtering) hasKind(fr *frame, v ssa.Value) flow.Truth {
	ok, _ := v.(*ssa.Extract)
	if ok == nil || ok.Index != 1 || f.watch.Kind == nil || f.watch.Metadata {
		return flow.Unknown
	}
	assert, _ := ok.Tuple.(*ssa.TypeAssert)
	if assert == nil || types.IsInterface(assert.AssertedType) || !f.isObject(fr, assert.X) {
		return flow.Unknown
	}
	return flow.TruthOf(types.Identical(assert.AssertedType, f.watch.Kind))
}

// at returns what holds where b is reached.
func (f *filtering) at(fr *frame, b *ssa.BasicBlock) demand {
	d := demand{}
	for v, t := range paths.Facts(b) {
		d = d.and(f.test(fr, v, t))
	}
	return d
}

// holds returns what holds if v has the truth t.
func (f *filtering) holds(fr *frame, v ssa.Value, t flow.Truth) demand {
	if has := fr.feasible.Value(v); has == t.Not() || t == flow.False && flow.IsEmpty(v) {
		return demand{never: true}
	}
	d := demand{}
	for v, t := range paths.Implied(v, t) {
		d = d.and(f.test(fr, v, t))
	}
	return d
}

// test returns what the outcome t of the value v says by itself.
func (f *filtering) test(fr *frame, v ssa.Value, t flow.Truth) demand {
	if f.tests++; f.tests > maxTests {
		return demand{}
	}
	switch x := flow.Resolve(v).(type) {
	case *ssa.BinOp:
		for _, sides := range [][2]ssa.Value{{x.X, x.Y}, {x.Y, x.X}} {
			property, obj := kubeapi.PropertyOf(sides[0])
			if property == "" || !f.isObject(fr, obj) {
				continue
			}
			text, constant := flow.Text(sides[1])
			switch equal := flow.Equal(x, t); {
			case equal == flow.False && constant && text == "" && strings.HasPrefix(property, kubeapi.ByLabel):
				return demand{of: map[string]string{property: ""}}
			case equal == flow.True:
				if value := f.value(fr, sides[1], property == kubeapi.ByNode); value != "" {
					return demand{of: map[string]string{property: value}}
				}
			}
		}
	case *ssa.Extract:
		if lookup, ok := x.Tuple.(*ssa.Lookup); ok && x.Index == 1 && t == flow.True {
			if property, obj := kubeapi.PropertyOf(lookup); property != "" && f.isObject(fr, obj) {
				return demand{of: map[string]string{property: ""}}
			}
		}
	case *ssa.Phi:
		if fr.busy[x] || x.Parent() != fr.fn {
			return demand{never: x.Parent() == fr.fn}
		}
		fr.busy[x] = true
		defer delete(fr.busy, x)
		d := demand{never: true}
		for i, e := range x.Edges {
			if pred := x.Block().Preds[i]; fr.feasible.Reaches(pred) {
				edge := f.holds(fr, e, t).and(f.at(fr, pred))
				for v, t := range paths.EdgeFacts(pred, x.Block()) {
					edge = edge.and(f.test(fr, v, t))
				}
				d = d.or(edge)
			}
		}
		return d
	case *ssa.Call:
		_, slice := x.Type().Underlying().(*types.Slice)
		if fn := f.p.Callee(&x.Call); fn != nil && fr.depth < maxDepth && (flow.IsBool(x.Type()) || slice) {
			return f.function(&frame{fn: fn, args: flow.AllArgs(&x.Call), up: fr, depth: fr.depth + 1}, t)
		}
	}
	return demand{}
}
