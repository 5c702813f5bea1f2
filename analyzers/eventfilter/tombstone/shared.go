package tombstone

import (
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Whether a controller needs the deletions that a predicate drops depends on the watches that have the predicate. If
// a function makes it for other packages only, the finding is deferred until a program has such a watch.

// Part is what this check adds to the summary of a package: nothing.
type Part struct{}

// needed is the kind of the condition that a watch needs the deletions which its predicate, made by a function of
// another package, drops.
const needed = "predicate of a watch that needs deletions"

// Unused reports whether a finding with the condition c is kept although no package of the program calls the
// function: p is a library, which may be imported for its predicates.
func Unused(p *link.Program[Part], c link.Condition) bool { return p.Library && c.Kind == needed }

// deferred defers the finding f in fn, a function of a predicate, if the predicate is made for other packages only.
// It reports whether it does.
func (t *tombstones) deferred(fn *ssa.Function, f rule.Finding) bool {
	if !t.unit.Defers() || t.pass.Pkg.Name() == "main" {
		return false
	}
	maker := t.makerOf(fn)
	if maker == "" {
		return false
	}
	t.unit.Defer(f, link.Condition{Kind: needed, Of: maker})
	return true
}

// makerOf returns the full name of the exported function that makes the predicate with fn, a literal in it; "" if
// there is none or the package itself uses it.
func (t *tombstones) makerOf(fn *ssa.Function) string {
	maker := fn.Parent()
	if maker == nil || maker.Parent() != nil || maker.Signature.Recv() != nil || maker.Signature.TypeParams().Len() > 0 {
		return ""
	}
	obj := flow.Object(maker)
	if obj == nil || !obj.Exported() {
		return ""
	}
	made := kubeapi.PredicateFrom(t.pkg, maker)
	if made == nil || !has(made, fn) {
		return ""
	}
	for _, other := range t.pkg.All() {
		if slices.Contains(t.pkg.Next(program.Calls|program.Spawns|program.Mentions, other), maker) {
			return ""
		}
	}
	return obj.FullName()
}

// has reports whether fn is a function of p, or of a predicate that p is made of.
func has(p *kubeapi.Predicate, fn *ssa.Function) bool {
	for q := range p.All {
		for _, part := range q.Fns {
			if part == fn {
				return true
			}
		}
	}
	return false
}

// RunBeside notes the watches of a package that does not import the Kubernetes libraries itself.
func RunBeside(u *link.Unit[Part]) {
	if len(u.Awaited(needed)) > 0 {
		newTombstones(u, nil).noteWatches()
	}
}

// noteWatches notes, for each use of a function of another package whose predicates have deferred findings, whether a
// watch of this package needs the deletions. A predicate that is used otherwise counts as needed.
func (t *tombstones) noteWatches() {
	awaited := t.unit.Awaited(needed)
	if len(awaited) == 0 {
		return
	}
	needless := sync.OnceValue(func() map[token.Pos]bool { return t.needlessCalls(awaited) })
	for m := range link.Mentions(t.pkg) {
		if c := (link.Condition{Kind: needed, Of: m.Func.FullName()}); awaited[c] {
			call, ok := m.In.(*ssa.Call)
			t.unit.Uses = append(t.unit.Uses, link.Use{Of: c, Always: !ok || !needless()[call.Pos()] ||
				len(*call.Referrers()) != 1})
		}
	}
}

// needlessCalls returns the positions of the calls of awaited functions whose results are predicates of watches. A
// position maps to true if none of these watches needs the deletions.
func (t *tombstones) needlessCalls(awaited map[link.Condition]bool) map[token.Pos]bool {
	out := map[token.Pos]bool{}
	for _, c := range kubeapi.Controllers(t.pkg) {
		for _, w := range c.Watches {
			given := w.Predicates
			if !w.Raw {
				given = slices.Concat(given, c.Filters)
			}
			for _, p := range given {
				if p.Value == nil {
					continue
				}
				for q := range kubeapi.PredicateOf(t.pkg, p.Value, p.At).All {
					if maker, ok := q.Far.(*types.Func); !ok || !awaited[link.Condition{Kind: needed, Of: maker.FullName()}] {
						continue
					}
					before, seen := out[q.Pos]
					out[q.Pos] = (before || !seen) && t.missesNothing(c, w)
				}
			}
		}
	}
	return out
}

// missesNothing reports whether it is harmless if w drops the deletion of an object: the reconciler of c does nothing
// about it, or requeues itself.
func (t *tombstones) missesNothing(c *kubeapi.Controller, w *kubeapi.Watch) bool {
	return t.reconcilerIgnoresGone(c, w) || t.alwaysRequeued(c, w)
}
