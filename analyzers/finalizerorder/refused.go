package finalizerorder

import (
	"fmt"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An object that is being deleted has no finalizer of this controller before anything was made for it, or when all is cleaned up: an addition that is refused then is a
// line in the log, for as long as somebody else keeps the object. It is more than that where each deletion comes to the addition, because the reconcile has just taken
// the finalizer off; and where another finalizer of the program keeps such objects, which may be the very one that this reconcile would take off next.

// takenBefore is what takes the finalizer of e off the object that is being deleted, in events of fn, and from which control comes to e.
func (a *analyzer) takenBefore(fn *ssa.Function, e event, events []event) (event, bool) {
	var w *world // made for the first one
	for _, r := range append(a.persisted(events), events...) {
		if r.kind != strips && (r.kind != removesNow || r.finalizer == "" || r.finalizer != e.finalizer) {
			continue
		}
		if r.in == e.in || r.obj.path != e.obj.path || r.deferred || r.never || r.fails || !r.only && !a.guarded(r) {
			continue
		}
		if w == nil {
			w = a.deletingWorld(fn, e.obj.places())
		}
		if w.Live(r.in.Block()) && comesTo(w, r, e, events) {
			return r, true
		}
	}
	return event{}, false
}

// comesTo reports whether control comes from r to e in w, with no read of the object, nor another one in its place, in between.
func comesTo(w *world, r, e event, events []event) bool {
	stop := map[ssa.Instruction]bool{r.in: true}
	if root, ok := e.obj.path.Root.(ssa.Instruction); ok {
		stop[root] = true
	}
	for _, x := range events {
		if x.kind == reads && x.obj.path == e.obj.path {
			stop[x.in] = true
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	var from func(b *ssa.BasicBlock, i int) bool
	from = func(b *ssa.BasicBlock, i int) bool {
		for _, in := range b.Instrs[i:] {
			if in == e.in {
				return true
			}
			if stop[in] {
				return false
			}
		}
		for next := range w.Next(b) {
			if !seen[next] {
				seen[next] = true
				if from(next, 0) {
					return true
				}
			}
		}
		return false
	}
	return from(r.in.Block(), slices.Index(r.in.Block().Instrs, r.in)+1)
}

// endsWell reports whether fn may return without an error behind e.
func endsWell(fn *ssa.Function, e event) bool {
	for ret := range flow.Returns(fn) {
		if !fails(ret) && flow.Reaches(e.in, ret, nil) {
			return true
		}
	}
	return false
}

// keptBy is where the package takes another finalizer than that of e off objects of the same kind once they are being deleted: one that keeps them then, and that
// is not put on along with the one of e.
func (a *analyzer) keptBy(e event) (event, bool) {
	t := kube.Named(e.obj.typ)
	if !isCustom(t) || !isFixed(e) {
		return event{}, false
	}
	all := a.finalizersOf(t)
	for _, r := range all {
		if takesAway(r) && r.finalizer != e.finalizer && isFixed(r) && (r.only || a.guarded(r)) && !slices.ContainsFunc(all, func(x event) bool {
			return addition(x) && x.finalizer == r.finalizer && slices.ContainsFunc(all, func(y event) bool {
				return addition(y) && y.finalizer == e.finalizer && x.in.Parent() == y.in.Parent() && x.obj.path == y.obj.path
			})
		}) {
			return r, true
		}
	}
	return event{}, false
}

// isFixed reports whether the finalizer of e goes by the same name in all functions: it is no part of what the function is given, or finds.
func isFixed(e event) bool {
	root, _, _ := strings.Cut(e.finalizer, ".")
	return e.finalizer != "" && !register.MatchString(root) && !slices.ContainsFunc(e.in.Parent().Params, func(p *ssa.Parameter) bool { return p.Name() == root })
}

// register is a name that a value has where the source has none.
var register = regexp.MustCompile(`^t\d+$`)

// finalizersOf are the additions and removals of single, known finalizers that the package makes to objects of type t.
func (a *analyzer) finalizersOf(t *types.Named) []event {
	if a.single == nil {
		a.single = map[*types.Named][]event{}
		for _, fn := range a.pkg.Funcs {
			for _, e := range a.events(fn) {
				if e.obj.typ == nil || e.finalizer == "" || e.kind != removes && e.kind != removesNow && !addition(e) || handedName(e.finalizer, fn, nil) == "" {
					continue // whoever calls fn says which
				}
				t := kube.Named(e.obj.typ)
				a.single[t] = append(a.single[t], e)
			}
		}
	}
	return a.single[t]
}

// lineFrom is where in is, for a finding about e.
func (a *analyzer) lineFrom(e event, in ssa.Instruction) string {
	at := a.pass.Fset.Position(flow.Pos(in))
	if at.Filename == a.pass.Fset.Position(e.in.Pos()).Filename {
		return fmt.Sprintf("line %d", at.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

func (a *analyzer) reportPutBack(e, r event) {
	pass := a.pass
	a.tell(e, rule.Finding{
		Pos: e.in.Pos(), Sub: "addedagain", Site: "second-add",
		Message: fmt.Sprintf("%s gets its finalizer again here once it is being deleted and line %d has taken it off: the object is gone then, or the API server refuses the finalizer, and each deletion ends in an error; return behind the cleanup",
			nameOf(pass, e), rule.Line(pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}

func (a *analyzer) reportKept(e, r event, test ssa.Instruction) {
	pass := a.pass
	a.tell(e, rule.Finding{
		Pos: e.in.Pos(), Sub: "addedwhiledeleting", Site: "refused-add",
		Message: fmt.Sprintf("%s gets a finalizer here before %s asks whether it is being deleted: the API server refuses new finalizers on a deleted object, and one without this finalizer stays for as long as it has the other one, which %s takes off: each reconcile of it fails here; handle the deletion first",
			nameOf(pass, e), a.lineFrom(e, test), a.lineFrom(e, r.in)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "the check of the deletion timestamp"}, {Pos: flow.Pos(r.in), Message: "the other finalizer goes here"}},
	})
}
