package filter

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// metadata reports the filter of w that drops changes of annotations and labels which the reconciler reads.
func (d *dropped) metadata(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Always {
		return
	}
	for _, n := range needs.of(w.Kind, annotation, label) {
		sub, site := "metadata", rule.Site("dropped-annotation")
		if n.What == label {
			sub, site = "labels", "dropped-label"
		}
		if d.own[n.Key] || sub == "labels" && !rule.FlagSet(d.pass.Analyzer, sub) {
			continue
		}
		q := d.loses(c, w, n.change())
		if n.Aside && q != nil && !q.judge(n.anyChange().of(w.Kind)).drops() {
			continue // which of them matter was thought of
		}
		if q != nil && !q.judge(livingChange().of(w.Kind)).drops() && !d.lookedAtAgain(w, n) && !d.polled(c, n) {
			d.report(rule.Finding{Pos: q.Pos, Sub: sub, Site: site, Message: fmt.Sprintf(
				"%s drops updates of %s that change only %ss, but %s reads the %s %q at %s: who sets it waits for an unrelated event",
				q.Name, kindOf(w.Kind), n.What, n.By, n.What, n.Key, n.At),
				Related: []analysis.RelatedInformation{{Pos: n.pos, Message: fmt.Sprintf("the %s is read here", n.What)}}})
		}
	}
	d.awaited(c, w, needs)
}

// wanted is what a reconciler with the read rd has to be told of changes of; nothing where the controllers in sight write what is read
// themselves, or where it is not clear what is read, or only a name.
func (d *dropped) wanted(rd read) needOf {
	switch {
	case rd.key == "" || d.own[rd.key] || rd.labels && !rd.decides || standing(rd.key):
		return ""
	case rd.labels:
		return label
	}
	return annotation
}

// change is the one of an annotation or label that n is about.
func (n need) change() change {
	if n.What == label {
		return labelsChange(n.Key)
	}
	return annotationsChange(n.Key)
}

// anyChange is that of any annotation or label.
func (n need) anyChange() change {
	n.Key = ""
	return n.change()
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
