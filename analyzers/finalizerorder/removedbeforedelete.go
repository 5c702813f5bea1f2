package finalizerorder

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkRemovedBeforeDelete reports the writes in fn that clear an object's finalizers and that a deletion of the same object follows.
func (a *analyzer) checkRemovedBeforeDelete(fn *ssa.Function) {
	events := a.events(fn)
	for _, w := range a.clearingWrites(events) {
		if a.deletingAlready(w, events) {
			continue
		}
		for _, d := range events {
			if d.kind != deletes || !d.obj.same(w.obj) || w.in == d.in || a.guarded(d) || !flow.ReachesForward(w.in, d.in, nil) {
				continue
			}
			reportRemovedBeforeDelete(a.pass, w, d)
			break
		}
	}
}

func reportRemovedBeforeDelete(pass *analysis.Pass, w, d event) {
	name := nameOf(pass, w)
	rule.Report(pass, rule.Finding{
		Pos: w.in.Pos(), Sub: "removedbeforedelete",
		Message: fmt.Sprintf("%s loses all its finalizers here and is deleted only later, at line %d: its controller can put a finalizer back in between, and the deletion hangs; delete first",
			name, rule.Line(pass, flow.Pos(d.in))),
		Related: related(w, d),
	})
}

func related(w, d event) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	if w.at != nil && w.at != w.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(w.at), Message: "the finalizers are removed here"})
	}
	out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.in), Message: "the object is deleted here"})
	if d.at != nil && d.at != d.in {
		out = append(out, analysis.RelatedInformation{Pos: flow.Pos(d.at), Message: "by this call"})
	}
	return out
}
