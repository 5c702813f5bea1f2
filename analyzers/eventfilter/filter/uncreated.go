package filter

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// Of what is there when a controller starts it hears by creations alone: also of what somebody has deleted while it was down, and which waits
// for its finalizer to be removed.

// uncreated reports a watch of the kind that a controller is for, where it drops all creations of its objects and the reconciler removes a finalizer
// of theirs. Whatever else is watched and may tell of creations wakes it as well.
func (d *dropped) uncreated(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || c.Others {
		return
	}
	all := needs.of(w.Kind, deletion)
	if len(all) == 0 {
		return
	}
	q := w.dropping("Create")
	if q == nil || c.hearsOfOthers(w, "Create", "") {
		return
	}
	pos := q.Pos
	if fn := q.Fns["Create"]; fn != nil && fn.Pos().IsValid() {
		pos = fn.Pos()
	}
	n := all[0]
	d.report(rule.Finding{Pos: pos, Sub: "deletion", Site: "dropped-creation", Message: fmt.Sprintf(
		"%s drops the creations of %s, by which a controller that starts hears of all that are there, but %s removes their finalizer (%s): one that was deleted while the controller was down stays",
		q.Name, kindOf(w.Kind), n.By, n.line(d, c)),
		Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the finalizer is removed here"}, {Pos: w.Pos, Message: "the kind is watched here"}}})
}
