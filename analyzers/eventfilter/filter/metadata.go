package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// metadata reports the predicates of w that drop changes of annotations and labels which the reconciler reads.
func (d *dropped) metadata(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Always || hasGeneration(w.Kind) == no {
		return
	}
	d.awaited(c, w, needs)
	done := map[needOf]bool{}
	for _, n := range needs.of(w.Kind, annotation, label) {
		if done[n.What] || d.own[n.Key] {
			continue
		}
		ch := n.change(w.Kind)
		q := culprit(w.pred, ch)
		if q == nil || d.otherWatch(c, w, ch) {
			continue
		}
		done[n.What] = true
		d.report(unseenFinding(q.Pos, q.Name, w.Kind, n))
	}
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

// change is the one of an annotation or label of an object of type kind that n is about.
func (n need) change(kind types.Type) change {
	ch := annotationsChange(n.Key)
	if n.What == label {
		ch = labelsChange(n.Key)
	}
	ch.kind = kind
	return ch
}

// unseenFinding says that the filter called name drops changes of what n is about in objects of type kind.
func unseenFinding(pos token.Pos, name string, kind types.Type, n need) rule.Finding {
	return rule.Finding{Pos: pos, Sub: "metadata", Message: fmt.Sprintf(
		"%s drops updates of %s that change only %ss, but %s reads the %s %q at %s: who sets it waits for an unrelated event",
		name, kindOf(kind), n.What, n.By, n.What, n.Key, n.At),
		Related: []analysis.RelatedInformation{{Pos: n.pos, Message: fmt.Sprintf("the %s is read here", n.What)}}}
}

// standing reports whether the value under key does not change during the life of an object.
func standing(key string) bool {
	return strings.HasPrefix(key, "app.kubernetes.io/") || key == "kubernetes.io/metadata.name" || key == "kubernetes.io/hostname"
}

// unseen reports the handler h, which queues its object itself, where it drops the changes of annotations and labels
// that the package reads.
func (d *dropped) unseen(all []*handler, h *handler) {
	if !queuesItself(d.ps.pkg, h.update) || d.ps.judge(h.update, anyChange(true)).drops() {
		return
	}
	for _, rd := range d.reads.objects(d.workers(all)) {
		if !sameType(rd.object.Type(), h.kind) {
			continue
		}
		n := need{
			What: d.wanted(rd.read), Key: rd.key, By: flow.FuncName(rd.fn), At: link.AtOf(d.pass, rd.pos), pos: rd.pos,
		}
		ch := n.change(h.kind)
		if n.What == "" || !d.ps.judge(h.update, ch).drops() || d.otherHandler(all, h, ch) {
			continue
		}
		d.report(unseenFinding(h.update.Pos(), h.name, h.kind, n))
		return
	}
}

// workers are the functions of the package that are no part of a handler.
func (d *dropped) workers(all []*handler) []*ssa.Function {
	if d.work != nil {
		return d.work
	}
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
	for _, fn := range d.ps.pkg.Funcs {
		if !own[fn] && rule.Wanted(d.pass, fn.Pos()) {
			d.work = append(d.work, fn)
		}
	}
	return d.work
}
