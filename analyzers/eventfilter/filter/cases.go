package filter

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// excludedKind reports the watch w of a kind through a predicate whose type switch does not know it.
func (d *dropped) excludedKind(w *watch) {
	n := kubeapi.Named(w.Kind)
	if w.Kind == nil || n == nil || n.Obj().Pkg() == nil {
		return
	}
	given := kindName(n)
	if w.Metadata {
		given = kubeapi.MetaV1 + ".PartialObjectMetadata"
	}
	for _, q := range w.pred.conjuncts() {
		kinds := q.onlyKinds()
		if q.summary != nil {
			kinds = q.summary.Kinds
		}
		if len(kinds) == 0 || slices.Contains(kinds, given) {
			continue
		}
		var short []string
		for _, k := range kinds {
			short = append(short, k[strings.LastIndex(k, "/")+1:])
		}
		why := fmt.Sprintf("it passes only %s; add the kind to it", strings.Join(short, ", "))
		if w.Metadata {
			why = fmt.Sprintf("objects arrive as *metav1.PartialObjectMetadata, not as %s; assert that type", strings.Join(short, " or "))
		}
		d.report(rule.Finding{Pos: w.Pos, Sub: "constant", Site: "excluded-kind", Message: fmt.Sprintf(
			"%s drops every update of %s: %s", q.Name, kindOf(w.Kind), why),
			Related: []analysis.RelatedInformation{{Pos: q.Pos, Message: "this is the predicate"}}})
	}
}
