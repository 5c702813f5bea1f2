package filter

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// controller is a controller with its predicates resolved.
type controller struct {
	*kubeapi.Controller
	watches []*watch
	filters []*pred // which all watches share
}

// watch is a watch with what all of its predicates say.
type watch struct {
	*kubeapi.Watch
	pred *pred
}

// controllers are those that the package sets up.
func (ps predicates) controllers() []*controller {
	var all []*controller
	for _, found := range kubeapi.Controllers(ps.pkg) {
		c := &controller{Controller: found, filters: ps.each(found.Filters)}
		for _, w := range found.Watches {
			list := ps.each(w.Predicates)
			if !w.Raw {
				list = append(list, c.filters...)
			}
			c.watches = append(c.watches, &watch{w, &pred{Predicate: &kubeapi.Predicate{Op: kubeapi.OpAnd, Pos: w.Pos}, list: list}})
		}
		all = append(all, c)
	}
	return all
}

// each are the predicates that are given.
func (ps predicates) each(given []kubeapi.PredicateArg) []*pred {
	var list []*pred
	for _, p := range given {
		of := &kubeapi.Predicate{Pos: p.At}
		if p.Value != nil {
			of = kubeapi.PredicateOf(ps.pkg, p.Value, p.At)
		}
		list = append(list, ps.known(of))
	}
	return list
}

// shares reports whether q is one of the predicates that guard all watches of c.
func (c *controller) shares(q *pred) bool {
	return slices.ContainsFunc(c.filters, func(f *pred) bool { return slices.Contains(f.conjuncts(), q) })
}

// loses is the predicate of w that drops c, where no other watch lets that through; nil where there is none, or where it drops all that comes
// without a generation of a kind which has none: nogeneration says so.
func (d *dropped) loses(ctl *controller, w *watch, c change) *pred {
	c = c.of(w.Kind)
	q := culprit(w.pred, c)
	if q == nil || d.otherWatch(ctl, w, c) || kubeapi.HasGeneration(w.Kind) == flow.False && q.judge(anyChange(false)).drops() {
		return nil
	}
	return q
}

// otherWatch reports whether another watch of the kind of w in the same controller may let ch through.
func (d *dropped) otherWatch(c *controller, w *watch, ch change) bool {
	return slices.ContainsFunc(c.watches, func(v *watch) bool {
		return v != w && v.Kind != nil && sameType(v.Kind, w.Kind) && !v.pred.judge(ch).drops()
	})
}

// culprit is the predicate among those of p that drops c by itself, though it lets others pass; nil where there is none,
// or where one drops all updates, as somebody wanted.
func culprit(p *pred, c change) *pred {
	var found *pred
	for _, q := range p.conjuncts() {
		if !q.judge(c).drops() {
			continue
		}
		if q.judge(anyChange(true)).drops() {
			return nil
		}
		if found == nil {
			found = q
		}
	}
	return found
}
