package filter

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// metadata reports the filter of w that drops changes of annotations which the reconciler reads.
func (d *dropped) metadata(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Always {
		return
	}
	for _, n := range needs.of(w.Kind, annotation) {
		if d.own[n.Key] {
			continue
		}
		q := d.loses(c, w, annotationsChange(n.Key))
		if n.Aside && q != nil && !q.judge(annotationsChange("").of(w.Kind)).drops() {
			continue // which of them matter was thought of
		}
		if q != nil && !q.judge(livingChange().of(w.Kind)).drops() && !d.lookedAtAgain(w, n) && !d.polled(c, n) {
			d.report(rule.Finding{Pos: q.Pos, Sub: "metadata", Site: "dropped-annotation", Message: fmt.Sprintf(
				"%s drops updates of %s that change only annotations, but %s reads the annotation %q at %s: setting it triggers no reconcile; let them through",
				q.Name, kindOf(w.Kind), n.By, n.Key, n.At),
				Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the annotation is read here"}}})
		}
	}
}

// standing reports whether the value under key does not change during the life of an object.
func standing(key string) bool {
	return strings.HasPrefix(key, "app.kubernetes.io/") || key == "kubernetes.io/metadata.name" || key == "kubernetes.io/hostname"
}

// workers are the functions of the package that are no part of a handler.
func (d *dropped) workers(all []*handler) []*ssa.Function {
	own := map[*ssa.Function]bool{}
	for _, o := range all {
		for _, fn := range []*ssa.Function{o.update, o.create} {
			if fn != nil && !own[fn] {
				for _, f := range region(d.ps.pkg, fn) {
					own[f] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(d.ps.pkg.Funcs), func(fn *ssa.Function) bool { return own[fn] || !rule.Wanted(d.pass, fn.Pos()) })
}
