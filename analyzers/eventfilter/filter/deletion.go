package filter

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// deletion reports the predicates of w that drop the update that sets the deletion timestamp, where the reconciler has
// to remove a finalizer then.
func (d *dropped) deletion(c *controller, w *watch) {
	if c.Reconcile == nil {
		return
	}
	ch := deletionOf(w.Kind)
	q := culprit(w.pred, ch)
	if q == nil || d.otherWatch(c, w, ch) {
		return
	}
	if q.judge(anyChange(false)).drops() && hasGeneration(w.Kind) == no {
		return // nogeneration says so
	}
	if at := d.finalizers.removed(region(d.ps.pkg, c.Reconcile), w.Kind); at != nil {
		d.reportDeletion(q.pos, q.name, w.Kind, c.Reconcile, at)
	}
}

// deletionOfHandled reports the handler h, which queues its object itself, where it drops the update that sets the deletion
// timestamp, and the package removes a finalizer then.
func (d *dropped) deletionOfHandled(all []*handler, h *handler) {
	ch := deletionOf(h.kind)
	if !d.ps.judge(h.update, ch).drops() || d.ps.judge(h.update, anyChange(true)).drops() || d.otherHandler(all, h, ch) || !queuesItself(d.ps.pkg, h.update) {
		return
	}
	if at := d.finalizers.removed(d.ps.pkg.Funcs, h.kind); at != nil {
		d.reportDeletion(h.update.Pos(), h.name, h.kind, at.Parent(), at)
	}
}

// deletionOf is the update that sets the deletion timestamp of an object of type kind.
func deletionOf(kind types.Type) change {
	ch := deletionChange(hasGeneration(kind) != no)
	ch.kind = kind
	return ch
}

func (d *dropped) reportDeletion(pos token.Pos, name string, kind types.Type, waits *ssa.Function, at ssa.Instruction) {
	d.report(rule.Finding{Pos: pos, Sub: "deletion", Message: fmt.Sprintf(
		"%s drops the update that sets the deletion timestamp of %s, but %s waits for it to remove the finalizer (line %d): the object is never deleted",
		name, kindOf(kind), flow.FuncName(waits), rule.Line(d.pass, at.Pos())),
		Related: []analysis.RelatedInformation{{Pos: at.Pos(), Message: "the finalizer is removed here"}}})
}
