package filter

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A Hearing is which updates of its own objects surely reach a reconciler: those that change nothing but the status, the annotations, or
// the spec.
type Hearing struct {
	Reconcile                 *ssa.Function
	Kind                      types.Type
	Pos                       token.Pos
	Status, Annotations, Spec bool
}

// Hearings are those of the reconcilers of the package. Nothing is known of the predicates of other packages.
func Hearings(pkg *program.Program) (all []Hearing) {
	unknown := func(types.Object) *filterSummary { return nil }
	ps := predicates{pkg: pkg, fact: unknown, looks: looks{pkg: pkg}}
	for _, c := range ps.controllers() {
		for _, w := range c.watches {
			if c.Reconcile == nil || c.Shared || w.Role != kubeapi.RoleFor || w.Kind == nil || w.Metadata {
				continue
			}
			passes := func(ch change) bool { return w.pred.judge(ch.of(w.Kind)).passes() }
			all = append(all, Hearing{c.Reconcile, w.Kind, w.Pos, passes(statusChange()), passes(annotationsChange("")), passes(specChange())})
		}
	}
	return all
}
