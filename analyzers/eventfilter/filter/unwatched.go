package filter

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// unwatched reports where a reconciler gives up until another object is there, or is ready, and nothing tells it of that: no controller that
// runs it watches the kind.
func (d *dropped) unwatched(all []*controller, given func() []controllers.Ownership) {
	seen := map[*ssa.Function]bool{}
	for _, c := range all {
		fn := c.Reconcile
		if fn == nil || seen[fn] || !rule.Wanted(d.pass, fn.Pos()) {
			continue
		}
		seen[fn] = true
		s := d.sourcesOf(all, fn)
		if s == nil || d.needsIn(fn).Always || d.tracks(fn) {
			continue
		}
		d.unheardOf(c, s, given())
		for _, g := range d.givesUp(fn, s) {
			if !s.tells(g.kind, g.named) {
				d.gaveUp(g)
			}
		}
	}
}

// gaveUp reports g.
func (d *dropped) gaveUp(g *givenUp) {
	kind := kindOf(g.kind)
	d.report(rule.Finding{Pos: flow.Pos(g.at), Sub: "unwatched", Site: "unwatched-dependency", Message: fmt.Sprintf(
		"%s gives up here while the %s of line %d %s, and no watch of the controller tells of %[2]s: who changes that later waits for an unrelated event; watch the kind, or ask to be called again",
		flow.FuncName(g.at.Parent()), kind, rule.Line(d.pass, flow.Pos(g.read)), g.state),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(g.read), Message: "the object is asked for here"}}})
}

// sources are what wakes a reconciler.
type sources struct {
	reconcile *ssa.Function
	kinds     []types.Type // that are watched
	owned     []types.Type // of which only those are watched that belong to what is reconciled
	own       []types.Type // those of which the object itself is queued

	wakes program.Answers[*ssa.Function, bool] // which functions may make it look again
}

// sourcesOf are those of all controllers that run reconcile, nil where not all are in sight.
func (d *dropped) sourcesOf(all []*controller, reconcile *ssa.Function) *sources {
	s := &sources{reconcile: reconcile}
	for _, c := range all {
		if c.Reconcile != reconcile {
			continue
		}
		if c.Open || c.Shared {
			return nil
		}
		for _, w := range c.watches {
			kinds := []types.Type{w.Kind}
			if w.Kind == nil {
				kinds = nil
				for _, g := range w.Given(d.ps.pkg) {
					kinds = append(kinds, g.Kind)
				}
			}
			if len(kinds) == 0 || !slices.ContainsFunc(kinds, kube.IsObject) {
				return nil
			}
			switch w.Role {
			case "For":
				s.own = append(s.own, kinds...)
			case "Owns":
				s.owned = append(s.owned, kinds...)
				continue
			}
			s.kinds = append(s.kinds, kinds...)
		}
	}
	if len(s.own) == 0 {
		return nil
	}
	return s
}

// tells reports whether a watch tells of an object of that kind: of one that somebody names in the object that is reconciled, a watch of those
// that belong to that does not.
func (s *sources) tells(kind types.Type, named bool) bool {
	is := func(k types.Type) bool { return sameType(k, kind) }
	return slices.ContainsFunc(s.kinds, is) || !named && slices.ContainsFunc(s.owned, is)
}

// isOwn reports whether objects of type t are those that are reconciled.
func (s *sources) isOwn(t types.Type) bool {
	return slices.ContainsFunc(s.own, func(k types.Type) bool { return sameType(k, t) })
}

// tracks reports whether something that the reconciler runs may have it told of more than what its controller watches: it sends, or queues something, or
// is a function out of sight that watches, by what it is called.
func (d *dropped) tracks(reconcile *ssa.Function) bool {
	for _, fn := range region(d.ps.pkg, reconcile) {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.Send:
				return true
			case *ssa.Select:
				if slices.ContainsFunc(in.States, func(st *ssa.SelectState) bool { return st.Dir == types.SendOnly }) {
					return true
				}
			case ssa.CallInstruction:
				callee := flow.Callee(in.Common())
				if callee != nil && d.ps.pkg.Callee(in.Common()) == nil && (kube.OfWorkqueue(callee) || words.Has(callee.Name(), tracking...)) {
					return true
				}
			}
		}
	}
	return false
}

// tracking are words of functions that have somebody told of objects.
var tracking = []string{"watch", "watches", "watcher", "track", "tracker", "tracking", "subscribe", "enqueue", "notify", "informer", "listen"}
