package filter

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// deletion reports the predicates of w that drop the update that sets the deletion timestamp, where the reconciler has
// to remove a finalizer then.
func (d *dropped) deletion(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil {
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
	if all := needs.of(w.Kind, deletion); len(all) > 0 {
		n := all[0]
		d.reportDeletion(q.pos, q.name, w.Kind, n.By, n.line(d, c), n.pos)
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
		d.reportDeletion(h.update.Pos(), h.name, h.kind, flow.FuncName(at.Parent()), fmt.Sprintf("line %d", rule.Line(d.pass, at.Pos())), at.Pos())
	}
}

// deletionOf is the update that sets the deletion timestamp of an object of type kind.
func deletionOf(kind types.Type) change {
	ch := deletionChange(hasGeneration(kind) != no)
	ch.kind = kind
	return ch
}

func (d *dropped) reportDeletion(pos token.Pos, name string, kind types.Type, waits, line string, at token.Pos) {
	d.report(rule.Finding{Pos: pos, Sub: "deletion", Message: fmt.Sprintf(
		"%s drops the update that sets the deletion timestamp of %s, but %s waits for it to remove the finalizer (%s): the object stays until something else queues it",
		name, kindOf(kind), waits, line),
		Related: []analysis.RelatedInformation{{Pos: at, Message: "the finalizer is removed here"}}})
}
