package filter

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// genericOnly reports a predicate that is given to the watch w of c alone and looks at generic events alone: a watch of a kind has none, so that all that is
// created, updated and deleted comes through. One that says no to each of them, or yes, may be written for completeness.
func (d *dropped) genericOnly(c *controller, w *watch) {
	named := kube.OneKind(w.Kind)
	if named == nil {
		return
	}
	for _, q := range w.pred.conjuncts() {
		fn := q.Fns["Generic"]
		if q.Op != controllers.ByHand || len(q.Fns) != 1 || fn == nil || c.shares(q) || !chooses(fn) || !rule.Wanted(d.pass, fn.Pos()) {
			continue
		}
		d.report(rule.Finding{
			Pos: fn.Pos(), Sub: "constant", Site: "generic-only-predicate",
			Message: fmt.Sprintf("this is asked about generic events alone, and the watch of %s has none: the predicate lets each creation, update and deletion through", named.Obj().Name()),
		})
	}
}

// chooses reports whether fn, of a predicate, says yes to some events and no to others, as far as it is in sight.
func chooses(fn *ssa.Function) bool {
	answers := map[flow.Truth]bool{}
	for ret := range flow.Returns(fn) {
		answers[flow.TruthOf(ret.Results[0])] = true
	}
	return answers[flow.Either] || len(answers) > 1
}
