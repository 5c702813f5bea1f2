package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An object that is being deleted never lives again: it is there for a while, and then it is gone. Who does nothing for others in both cases leaves their
// finalizers for good, whoever waits for whom.

// checkOtherEnds reports the tests of fn whether another object is being deleted, where nothing then takes the finalizer off a deleted object, nor where the other one
// is gone.
func (a *analyzer) checkOtherEnds(fn *ssa.Function) {
	events := a.events(fn)
	seen := map[flow.Path]bool{}
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || freshlyMade(r, events) || seen[r.obj.path] || strings.Contains(r.obj.path.Sel, "[") || ofTurn(r.obj.path.Root) ||
			kube.Named(r.obj.typ) == nil || !(r.only || a.guarded(r)) {
			continue
		}
		seen[r.obj.path] = true
		var deleted *world
		for _, b := range fn.Blocks {
			test := flow.Branch(b)
			if test == nil {
				continue
			}
			other, look := endsAt(test)
			if look == nil || kube.Named(other.typ) == nil || types.Identical(kube.Named(other.typ), kube.Named(r.obj.typ)) {
				continue
			}
			if deleted == nil {
				deleted = a.deletingWorld(fn, r.obj.places())
			}
			if !deleted.Live(b) || a.released(deleted.View, look, r, events) < 0 {
				continue
			}
			if slices.ContainsFunc(a.needsOf(look, r.obj.path.Root, events), func(n need) bool { return a.mayBeGone(n, look, r, events) }) {
				continue // that is said of the lookup
			}
			both := a.bothDeleted(fn, look, r.obj, other)
			if a.released(both.View, look, r, events) >= 0 || a.released(a.withoutObject(fn, look, r.obj.places()), look, r, events) >= 0 ||
				a.releasedUnseen(both, look, r) || !a.removedHereAlone(fn, r, events) {
				continue
			}
			a.reportOtherEnds(r, test, look, other)
			break
		}
	}
}

// endsAt is the object of which test asks whether it is being deleted, with the lookup in its function that has given it; nil where it asks anything else.
func endsAt(test *ssa.If) (o object, look *ssa.Call) {
	for in := range flow.Instrs(test.Parent()) {
		call, ok := in.(*ssa.Call)
		if !ok || !flow.Dominates(call, test) {
			continue
		}
		req, ok := kube.RequestOf(&call.Call)
		if !ok || req.Verb != kube.VerbGet {
			continue
		}
		v := req.Object
		if v == nil {
			v = flow.ResultAt(call, 0)
		}
		if v == nil {
			continue
		}
		of := objectOf(v)
		if _, known := deleting(test.Cond, of.path); known && of.known() {
			o, look = of, call
		}
	}
	return o, look
}

// bothDeleted is fn with both objects being deleted, of which look has found the other one.
func (a *analyzer) bothDeleted(fn *ssa.Function, look *ssa.Call, obj, other object) *world {
	w := &world{a: a, objs: append(obj.places(), other.places()...)}
	says := func(v ssa.Value) bool {
		call, _ := flow.ResultOf(v)
		return call == look && flow.IsError(v.Type())
	}
	w.see(fn, func(v ssa.Value) flow.Truth {
		if says(v) {
			return flow.Yes
		}
		if call, ok := v.(*ssa.Call); ok && isGoneTest(call) && flow.IsBool(call.Type()) && says(flow.Resolve(call.Call.Args[0])) {
			return flow.No
		}
		return w.tell(v)
	})
	return w
}

// releasedUnseen reports whether something behind look, where control comes in w, may take the finalizer off the object of r.
func (a *analyzer) releasedUnseen(w *world, look *ssa.Call, r event) bool {
	from := w.From(look.Block())
	for _, b := range look.Parent().Blocks {
		if !from[b] {
			continue
		}
		for _, in := range b.Instrs {
			if a.mayReleaseAt(in, r.obj.places()) {
				return true
			}
		}
	}
	return false
}

func (a *analyzer) reportOtherEnds(r event, test *ssa.If, look *ssa.Call, other object) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(test), Sub: "unreachable",
		Message: fmt.Sprintf("%s keeps its finalizer for good once the %s is being deleted: nothing comes to line %d then, where the finalizer goes, nor once that is gone; handle the deletion first",
			a.named(r), kube.Named(other.typ).Obj().Name(), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(look), Message: "it is looked up here: once it is gone, nothing comes to the finalizer either"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
