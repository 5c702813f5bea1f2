package eventfilter

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// droppedEvents reports predicates that drop updates which the reconciler behind them needs.
type droppedEvents struct {
	pass       *analysis.Pass
	ps         predicates
	reads      *reader
	finalizers *finalizers
	own        map[string]bool // keys that the controllers in sight set themselves
	reported   map[string]bool
	work       []*ssa.Function // see workers
}

func (d *droppedEvents) controllers(all []*controller) {
	for _, c := range all {
		d.generations(c)
		for _, w := range c.watches {
			if w.kind == nil || w.metadata {
				continue
			}
			if w.role == "For" {
				d.metadata(c, w)
				d.deletion(c, w)
			} else {
				d.status(c, w)
			}
		}
		d.conjunctions(c)
	}
}

// report reports f, once.
func (d *droppedEvents) report(f rule.Finding) {
	key := fmt.Sprint(f.Pos, f.Sub)
	if d.reported[key] {
		return
	}
	d.reported[key] = true
	rule.Report(d.pass, f)
}

// without are the built-in kinds whose metadata.generation never moves, by package. It was read from the strategies of
// the API server, versions 1.24 to 1.36: a kind has a generation where PrepareForUpdate moves it. Pods have one since
// 1.33, so that it depends on the cluster.
var without = map[string]string{
	"k8s.io/api/core/v1": "Node Secret ConfigMap Service Namespace ServiceAccount Endpoints Event LimitRange ResourceQuota " +
		"PersistentVolume PersistentVolumeClaim",
	"k8s.io/api/coordination/v1":     "Lease",
	"k8s.io/api/rbac/v1":             "Role RoleBinding ClusterRole ClusterRoleBinding",
	"k8s.io/api/rbac/v1beta1":        "Role RoleBinding ClusterRole ClusterRoleBinding",
	"k8s.io/api/storage/v1":          "StorageClass VolumeAttachment",
	"k8s.io/api/autoscaling/v1":      "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2":      "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2beta1": "HorizontalPodAutoscaler",
	"k8s.io/api/autoscaling/v2beta2": "HorizontalPodAutoscaler",
	"k8s.io/api/certificates/v1":     "CertificateSigningRequest",
	"k8s.io/api/node/v1":             "RuntimeClass",
	"k8s.io/api/resource/v1":         "ResourceClaim",
	"k8s.io/api/resource/v1beta1":    "ResourceClaim",
	"k8s.io/api/resource/v1beta2":    "ResourceClaim",
}

// hasGeneration says whether the API server counts the changes of objects of type t in metadata.generation.
func hasGeneration(t types.Type) truth {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return maybe
	}
	path := kube.Path(n.Obj().Pkg().Path())
	if path == "k8s.io/api/core/v1" && n.Obj().Name() == "Pod" {
		return maybe
	}
	for _, name := range strings.Fields(without[path]) {
		if name == n.Obj().Name() {
			return no
		}
	}
	return yes
}

// culprit is the predicate among those of p that drops c by itself, though it lets others pass; nil where there is none,
// or where one drops all updates, as somebody wanted.
func culprit(p *pred, c change) *pred {
	var found *pred
	for _, q := range p.conjuncts() {
		if !q.judge(c).drops() {
			continue
		}
		if q.judge(anyChange(true)).drops() {
			return nil
		}
		if found == nil {
			found = q
		}
	}
	return found
}

// generations reports predicates that wait for a generation which never moves.
func (d *droppedEvents) generations(c *controller) {
	kinds := map[*pred][]*watch{}
	var order []*pred
	for _, w := range c.watches {
		if w.kind == nil || hasGeneration(w.kind) != no {
			continue
		}
		change := anyChange(false)
		change.kind = w.kind
		q := culprit(w.pred, change)
		if q == nil {
			continue
		}
		if other := d.otherWatch(c, w, change); other {
			continue
		}
		if kinds[q] == nil {
			order = append(order, q)
		}
		kinds[q] = append(kinds[q], w)
	}
	for _, q := range order {
		var names []string
		var related []analysis.RelatedInformation
		for _, w := range kinds[q] {
			name := kindOf(w.kind)
			if !contained(names, name) {
				names = append(names, name)
			}
			related = append(related, analysis.RelatedInformation{Pos: w.pos, Message: name + " is watched here"})
		}
		pos := q.pos
		if !ownPosition(d.pass, pos) {
			pos = kinds[q][0].pos
		}
		d.report(rule.Finding{Pos: pos, Sub: "nogeneration", Related: related, Message: fmt.Sprintf(
			"%s drops every update of %s (watched at line %d): the API server never changes metadata.generation of this kind",
			q.name, strings.Join(names, ", "), rule.Line(d.pass, kinds[q][0].pos))})
	}
}

// ownPosition reports whether pos lies in the package of pass.
func ownPosition(pass *analysis.Pass, pos token.Pos) bool {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return true
		}
	}
	return false
}

func kindOf(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// otherWatch reports whether another watch of the kind of w in the same controller may let ch through.
func (d *droppedEvents) otherWatch(c *controller, w *watch, ch change) bool {
	for _, v := range c.watches {
		if v != w && v.kind != nil && sameType(v.kind, w.kind) && !v.pred.judge(ch).drops() {
			return true
		}
	}
	return false
}

// metadata reports the predicates of w that drop changes of annotations and labels which the reconciler reads.
func (d *droppedEvents) metadata(c *controller, w *watch) {
	if c.reconcile == nil || hasGeneration(w.kind) == no {
		return
	}
	reads := d.reads.needs(region(d.ps.pkg, c.reconcile), w.kind)
	done := map[string]bool{}
	for _, rd := range reads {
		ch, what := d.wanted(rd)
		ch.kind = w.kind
		if what == "" || done[what] {
			continue
		}
		q := culprit(w.pred, ch)
		if q == nil || d.otherWatch(c, w, ch) {
			continue
		}
		done[what] = true
		pos := q.pos
		if !ownPosition(d.pass, pos) {
			pos = w.pos
		}
		d.report(d.unseenFinding(pos, q.name, w.kind, what, rd))
	}
}

// wanted is the change that a reconciler with the read rd has to be told of, and what it is a change of; nothing where
// the controllers in sight write what is read themselves, or where it is not clear what is read, or only a name.
func (d *droppedEvents) wanted(rd read) (ch change, what string) {
	switch {
	case rd.key == "" || d.own[rd.key] || rd.labels && !rd.decides || standing(rd.key):
		return change{}, ""
	case rd.labels:
		return labelsChange(rd.key), "label"
	}
	return annotationsChange(rd.key), "annotation"
}

// unseenFinding says that the filter called name drops changes of what rd reads of objects of type kind.
func (d *droppedEvents) unseenFinding(pos token.Pos, name string, kind types.Type, what string, rd read) rule.Finding {
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

// deletion reports the predicates of w that drop the update that sets the deletion timestamp, where the reconciler has
// to remove a finalizer then.
func (d *droppedEvents) deletion(c *controller, w *watch) {
	if c.reconcile == nil {
		return
	}
	ch := deletionChange(hasGeneration(w.kind) != no)
	ch.kind = w.kind
	q := culprit(w.pred, ch)
	if q == nil || d.otherWatch(c, w, ch) {
		return
	}
	if q.judge(anyChange(false)).drops() && hasGeneration(w.kind) == no {
		return // nogeneration says so
	}
	at := d.finalizers.removed(region(d.ps.pkg, c.reconcile), w.kind)
	if at == nil {
		return
	}
	d.report(rule.Finding{Pos: q.pos, Sub: "deletion", Message: fmt.Sprintf(
		"%s drops the update that sets the deletion timestamp of %s, but %s waits for it to remove the finalizer (line %d): the object is never deleted",
		q.name, kindOf(w.kind), flow.FuncName(c.reconcile), rule.Line(d.pass, at.Pos())),
		Related: []analysis.RelatedInformation{{Pos: at.Pos(), Message: "the finalizer is removed here"}}})
}

// status reports the predicates of w, which watches a kind that is not the controller's own, where they drop changes of
// the status that the reconciler reads, and nothing else makes it look again.
func (d *droppedEvents) status(c *controller, w *watch) {
	if c.reconcile == nil || hasGeneration(w.kind) == no {
		return
	}
	ch := statusChange()
	ch.kind = w.kind
	q := culprit(w.pred, ch)
	if q == nil || d.otherWatch(c, w, ch) {
		return
	}
	if !c.shares(q) && q.op != opGeneration {
		return // made for this watch: somebody chose what it lets through
	}
	fns := region(d.ps.pkg, c.reconcile)
	var first ssa.Instruction
	for _, fn := range fns {
		for in := range flow.Instrs(fn) {
			fa, ok := in.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			f := flow.Field(fa.X.Type(), fa.Field)
			if f == nil {
				continue
			}
			switch {
			case f.Name() == "Status" && sameType(fa.X.Type(), w.kind) && !element(fa.X) && statusRead(fa):
				if first == nil {
					first = in
				}
			case (f.Name() == "RequeueAfter" || f.Name() == "Requeue") && kube.IsType(fa.X.Type(), kube.Reconcile, "Result"):
				return // it looks again by itself
			}
		}
	}
	if first == nil {
		return
	}
	pos := q.pos
	if !ownPosition(d.pass, pos) {
		pos = w.pos
	}
	at := d.pass.Fset.Position(first.Pos())
	d.report(rule.Finding{Pos: pos, Sub: "metadata", Message: fmt.Sprintf(
		"%s drops updates of %s (watched at line %d) that change only the status, but %s reads its status at %s:%d: what it waits for goes unseen",
		q.name, kindOf(w.kind), rule.Line(d.pass, w.pos), flow.FuncName(first.Parent()), filepath.Base(at.Filename), at.Line),
		Related: []analysis.RelatedInformation{{Pos: first.Pos(), Message: "the status is read here"}, {Pos: w.pos, Message: "the kind is watched here"}}})
}

// shares reports whether q is one of the predicates that guard all watches of c.
func (c *controller) shares(q *pred) bool {
	for _, f := range c.filters {
		if slices.Contains(f.conjuncts(), q) {
			return true
		}
	}
	return false
}

// statusRead reports whether a part of the status at fa is loaded, for more than logs.
func statusRead(fa *ssa.FieldAddr) bool {
	for _, r := range *fa.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			for _, l := range *r.Referrers() {
				if load, ok := l.(*ssa.UnOp); ok && load.Op == token.MUL && matters(load) {
					return true
				}
			}
		case *ssa.UnOp:
			if r.Op == token.MUL && matters(r) {
				return true
			}
		}
	}
	return false
}

// singles are updates of one kind of thing each.
func singles(hasGeneration bool) []change {
	finalizers := change{what: "finalizers", paths: []string{"metadata.finalizers"}, deletion: no}
	owners := change{what: "owners", paths: []string{"metadata.ownerReferences"}, deletion: no}
	data := change{what: "data", rest: true, deletion: no}
	return []change{specChange(), annotationsChange(""), labelsChange(""), statusChange(), finalizers, owners, data, deletionChange(hasGeneration)}
}

// conjunctions reports predicates of a watch that no ordinary update can satisfy together.
func (d *droppedEvents) conjunctions(c *controller) {
	for _, w := range c.watches {
		all := w.pred.conjuncts()
		if len(all) < 2 {
			continue
		}
		var names []string
		never := true
		for _, ch := range singles(true) {
			ch.kind = w.kind
			if !w.pred.judge(ch).drops() {
				never = false
			}
		}
		for _, q := range all {
			some := false
			for _, ch := range singles(true) {
				ch.kind = w.kind
				if !q.judge(ch).drops() {
					some = true
				} else if q.name != "" && !contained(names, q.name) {
					names = append(names, q.name)
				}
			}
			never = never && some
		}
		if !never || len(names) < 2 {
			continue
		}
		kind := "the kind"
		if w.kind != nil {
			kind = kindOf(w.kind)
		}
		d.report(rule.Finding{Pos: all[0].pos, Sub: "constant", Message: fmt.Sprintf(
			"%s are all asked: an update of %s passes only if it changes what each of them waits for at once; predicate.Or lets each through",
			strings.Join(names, " and "), kind),
			Related: []analysis.RelatedInformation{{Pos: w.pos, Message: "the watch is set up here"}}})
	}
}
