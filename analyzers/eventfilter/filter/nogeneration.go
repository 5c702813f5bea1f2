package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// nogeneration reports predicates of the controller c that let updates through only if metadata.generation changes, on
// watches of kinds whose generation never does, such as ConfigMap and Secret.
//
// It evaluates the predicates on two hypothetical updates of the object that differ in the generation alone: one that drops
// the update with the same generation, and no other drops that with a new one, depends on the generation. At first any
// change of the object is assumed; then, if the reconciler reads the data of the kind or the watch maps the object to its
// owner, a change of the data alone. Left alone are kinds that another watch lets through or that are listed
// periodically, and reconcilers that always requeue. Kinds whose generation is not known, such as Pods, are not judged.
func (d *dropped) nogeneration(c *controller, watching []*controller) {
	needs := d.needsOf(c)
	if needs != nil && needs.Always {
		return // it always requeues
	}
	type dropper struct {
		name    string
		pos     token.Pos
		child   bool // it drops objects that the reconciler itself has written
		content bool // it lets changes of the metadata through
	}
	kinds := map[dropper][]*watch{}
	var order []dropper
	for _, w := range d.withGiven(c, watching) {
		if w.Kind == nil || kubeapi.HasGeneration(w.Kind) != flow.False {
			continue
		}
		on, reads, dropped := d.handledBy(w), d.readsContent(c, w.Kind), anyChange
		q := byGeneration(on, w.Kind, dropped)
		content := q == nil && (reads || w.QueuesOwner())
		if content {
			dropped = contentChange
			q = byGeneration(on, w.Kind, dropped)
		}
		if q == nil || d.otherWatch(c, w, dropped(false).of(w.Kind)) || d.lookedAtAgain(w, need{}) {
			continue
		}
		by := dropper{q.Name, q.Pos, w.QueuesOwner() && (needs == nil || len(needs.of(w.Kind, status)) == 0) && !reads, content}
		if kinds[by] == nil {
			order = append(order, by)
		}
		kinds[by] = append(kinds[by], w)
	}
	for _, q := range order {
		var names []string
		var related []analysis.RelatedInformation
		for _, w := range kinds[q] {
			name := kindOf(w.Kind)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			related = append(related, analysis.RelatedInformation{Pos: w.Pos, Message: name + " is watched here"})
		}
		site, after := rule.Site("generationless-kind"), ""
		if q.child {
			site, after = "generationless-child", ", so drift persists"
		}
		message := fmt.Sprintf("%s drops every update of %s: its metadata.generation never changes%s; compare its content", q.name, strings.Join(names, ", "), after)
		if q.content {
			part := "data"
			if slices.ContainsFunc(kinds[q], func(w *watch) bool { return !kubeapi.HasData(kubeapi.Named(w.Kind)) }) {
				part = "content"
			}
			message = fmt.Sprintf("%s drops updates of %s that change only its %s: its metadata.generation never changes%s; compare the %s as well",
				q.name, strings.Join(names, ", "), part, after, part)
		}
		d.report(rule.Finding{Pos: q.pos, Sub: "nogeneration", Site: site, Related: related, Message: message})
	}
}

// byGeneration is the predicate of on that drops the change of an object of type kind unless its generation changes, nil for
// none.
func byGeneration(on *pred, kind types.Type, changed func(bumped bool) change) *pred {
	if culprit(on, changed(true).of(kind)) != nil {
		return nil
	}
	return culprit(on, changed(false).of(kind))
}

// readsContent reports whether a known function of the reconciler of c reads the data of a Secret or ConfigMap of type kind
// without writing it as well.
func (d *dropped) readsContent(c *controller, kind types.Type) bool {
	if c.Reconcile == nil {
		return false
	}
	return slices.ContainsFunc(region(d.ps.pkg, c.Reconcile), func(fn *ssa.Function) bool {
		return flow.Any(flow.InstrsOf[*ssa.FieldAddr](fn), func(fa *ssa.FieldAddr) bool {
			if !sameType(flow.Pointee(fa.X.Type()), flow.Pointee(kind)) {
				return false
			}
			field := flow.Field(fa.X.Type(), fa.Field)
			return field != nil && kubeapi.IsData(field) && statusRead(fa) && !makes(fn, field)
		})
	})
}

// handledBy is the conjunction of the predicate of w and its handler, since a handler that ignores an update drops it, too.
func (d *dropped) handledBy(w *watch) *pred {
	if h := d.handlerOf(w); h != nil && h.Updated.Fn() != nil {
		return &pred{Predicate: &kubeapi.Predicate{Op: kubeapi.OpAnd, Pos: w.Pos}, list: []*pred{w.pred, d.ps.by(h.Updated.Fn())}}
	}
	return w.pred
}

// withGiven are the watches of c, and one more for each kind that callers pass to one of them or that it takes from a list,
// unless a watch of any controller lets updates of that kind through: which controller callers mean is not known.
func (d *dropped) withGiven(c *controller, watching []*controller) []*watch {
	all := slices.Clone(c.watches)
	for _, w := range c.watches {
		if slices.ContainsFunc(c.watches, func(o *watch) bool { return o != w && o.SameObject(w.Watch) && !o.pred.judge(anyChange(false)).drops() }) {
			continue
		}
		for _, g := range w.CallerKinds(d.ps.pkg) {
			one := *w.Watch
			one.Kind, one.Pos = g.Kind, g.Pos
			given := &watch{&one, w.pred}
			if !slices.ContainsFunc(watching, func(o *controller) bool { return d.otherWatch(o, given, anyChange(false).of(g.Kind)) }) {
				all = append(all, given)
			}
		}
	}
	return all
}
