package expectttl

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkHandlers reports handlers of deletions that leave open what only the life of the object could have ended.
func (g *callGraph) checkHandlers() {
	sets := g.handlerSets()
	done := map[types.Object]bool{}
	for _, set := range sets {
		if set.inherits && set.gone == nil {
			continue
		}
		for _, obs := range g.observations(set.updated) {
			if !done[obs.store.obj] && !g.goneTouches(set, sets, obs.store) && !(obs.verb == "create" && g.observes(set.created, obs.store)) {
				done[obs.store.obj] = true
				g.reportAsymmetric(set, obs)
			}
		}
	}
	for _, obs := range g.sweeps() {
		for _, set := range sets {
			if set.gone != nil && !done[obs.store.obj] && g.handles(set, obs.object) && !g.goneTouches(set, sets, obs.store) {
				done[obs.store.obj] = true
				g.reportSwept(set, obs)
			}
		}
	}
}

// observation is a call that takes an expectation back because it has been seen.
type observation struct {
	call   *ssa.Call
	store  store
	fn     *types.Func
	verb   string
	object types.Type // of the object among its arguments, or nil
	gate   query      // for a sweep, the query that it opens
}

func asObservation(in ssa.Instruction) (observation, bool) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return observation{}, false
	}
	recv, r := storeCall(&call.Call)
	if r != observes {
		return observation{}, false
	}
	fn := flow.Callee(&call.Call)
	o := observation{call: call, store: storeOf(recv), fn: fn, verb: verbOf(fn.Name(), flow.Args(&call.Call))}
	for _, a := range flow.Args(&call.Call) {
		if t := flow.Unwrap(a).Type(); kube.IsObject(t) {
			o.object = t
		}
	}
	return o, o.store.obj != nil
}

// observations are those that fn makes, itself or through functions of the package.
func (g *callGraph) observations(fn *ssa.Function) (out []observation) {
	for in := range g.reached(fn) {
		if o, ok := asObservation(in); ok {
			out = append(out, o)
		}
	}
	return out
}

// observes reports whether fn observes s.
func (g *callGraph) observes(fn *ssa.Function, s store) bool {
	for _, o := range g.observations(fn) {
		if o.store.same(s) {
			return true
		}
	}
	return false
}

// goneTouches reports whether the handler of deletions of set, or that of another set, may change what s expects. Other
// sets count where they name the same variable, or handle objects of the same kind.
func (g *callGraph) goneTouches(set *handlerSet, sets []*handlerSet, s store) bool {
	kinds := g.kinds(set)
	for _, other := range sets {
		if other.gone == nil {
			continue
		}
		near := other == set
		for _, k := range kinds {
			near = near || g.handles(other, k)
		}
		if g.bodyReaches(other.gone, s, !near, map[*ssa.Function]bool{}) {
			return true
		}
	}
	return false
}

// sweeps are the observations of one element of a list after the other, for a query by key alone: objects that are gone
// are on no list, and keep it shut.
func (g *callGraph) sweeps() (found []observation) {
	for _, fn := range g.pkg.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				o, ok := asObservation(in)
				if !ok || o.object == nil || !flow.InLoop(b) {
					continue
				}
				if q, ok := g.shutBy(o.store); ok {
					o.gate = q
					found = append(found, o)
				}
			}
		}
	}
	return found
}

// shutBy is a query of s that asks for a key, not for an object, where no query's false answer leads to a release.
func (g *callGraph) shutBy(s store) (gate query, found bool) {
	releases := false
	for _, fn := range g.pkg.Funcs {
		flow.Calls(fn, func(c ssa.CallInstruction) {
			call, ok := c.(*ssa.Call)
			if !ok {
				return
			}
			q, ok := g.asQuery(call)
			if !ok || !q.store.same(s) {
				return
			}
			entries := falseEntries(q)
			for _, e := range entries {
				releases = releases || g.releases(q, e)
			}
			if !found && len(entries) > 0 && keyOf(&call.Call) != nil && !takesObject(call) {
				gate, found = q, true
			}
		})
	}
	return gate, found && !releases
}

// handles reports whether the functions of set are for objects of type t.
func (g *callGraph) handles(set *handlerSet, t types.Type) bool {
	for _, k := range g.kinds(set) {
		if types.Identical(k, t) {
			return true
		}
	}
	return false
}

func (g *callGraph) reportAsymmetric(set *handlerSet, o observation) {
	g.reportHandler("asymmetric-handler", set, o, fmt.Sprintf(
		"%s never touches %s when an object is deleted, though an update of it is observed at line %d (%s): what is still expected of a deleted object stays expected",
		set.name, o.store.path, rule.Line(g.pass, o.call.Pos()), o.fn.Name()))
}

func (g *callGraph) reportSwept(set *handlerSet, o observation) {
	g.reportHandler("sweep-only-handler", set, o, fmt.Sprintf(
		"%s never touches %s when an object is deleted, and line %d (%s) observes only objects that are still there: one that is deleted first keeps it unsatisfied at line %d (%s)",
		set.name, o.store.path, rule.Line(g.pass, o.call.Pos()), o.fn.Name(), rule.Line(g.pass, o.gate.call.Pos()), o.gate.fn.Name()))
}

func (g *callGraph) reportHandler(site rule.Site, set *handlerSet, o observation, message string) {
	rule.Report(g.pass, rule.Finding{
		Pos: set.pos, Sub: "asymmetric", Site: site, Message: message,
		Related: []analysis.RelatedInformation{{Pos: o.call.Pos(), Message: fmt.Sprintf("%s takes an expectation of %s back here", o.fn.Name(), o.store.path)}},
	})
}
