package filter

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// metadata reports the predicates of w that drop changes of annotations and labels which the reconciler reads.
func (d *dropped) metadata(c *controller, w *watch) {
	if c.Reconcile == nil || hasGeneration(w.Kind) == no {
		return
	}
	reads := d.reads.needs(region(d.ps.pkg, c.Reconcile), w.Kind)
	done := map[string]bool{}
	for _, rd := range reads {
		ch, what := d.wanted(rd)
		ch.kind = w.Kind
		if what == "" || done[what] {
			continue
		}
		q := culprit(w.pred, ch)
		if q == nil || d.otherWatch(c, w, ch) {
			continue
		}
		done[what] = true
		d.report(d.unseenFinding(q.pos, q.name, w.Kind, what, rd))
	}
}

// wanted is the change that a reconciler with the read rd has to be told of, and what it is a change of; nothing where
// the controllers in sight write what is read themselves, or where it is not clear what is read, or only a name.
func (d *dropped) wanted(rd read) (ch change, what string) {
	switch {
	case rd.key == "" || d.own[rd.key] || rd.labels && !rd.decides || standing(rd.key):
		return change{}, ""
	case rd.labels:
		return labelsChange(rd.key), "label"
	}
	return annotationsChange(rd.key), "annotation"
}

// unseenFinding says that the filter called name drops changes of what rd reads of objects of type kind.
func (d *dropped) unseenFinding(pos token.Pos, name string, kind types.Type, what string, rd read) rule.Finding {
	at := d.pass.Fset.Position(rd.pos)
	return rule.Finding{Pos: pos, Sub: "metadata", Message: fmt.Sprintf(
		"%s drops updates of %s that change only %ss, but %s reads the %s %q at %s:%d: who sets it waits for an unrelated event",
		name, kindOf(kind), what, flow.FuncName(rd.fn), what, rd.key, filepath.Base(at.Filename), at.Line),
		Related: []analysis.RelatedInformation{{Pos: rd.pos, Message: "the " + what + " is read here"}}}
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
	for _, rd := range d.reads.needs(d.workers(all), h.kind) {
		ch, what := d.wanted(rd)
		ch.kind = h.kind
		if what == "" || !d.ps.judge(h.update, ch).drops() || d.otherHandler(all, h, ch) {
			continue
		}
		d.report(d.unseenFinding(h.update.Pos(), h.name, h.kind, what, rd))
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
