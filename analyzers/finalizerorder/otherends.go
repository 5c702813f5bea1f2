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

// An endTest asks whether an object is being deleted that a lookup of the same function has given.
type endTest struct {
	test  *ssa.If
	look  *ssa.Call
	other object
}

// checkOtherEnds reports the tests of fn whether another object is being deleted, where nothing then takes the finalizer off a deleted object, nor where the other one
// is gone.
func (a *analyzer) checkOtherEnds(fn *ssa.Function) {
	events := a.events(fn)
	if !slices.ContainsFunc(events, takesAway) {
		return
	}
	tests := endTests(fn)
	if len(tests) == 0 {
		return
	}
	seen := map[flow.Path]bool{}
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || seen[r.obj.path] || freshlyMade(r, events) || strings.Contains(r.obj.path.Sel, "[") || ofTurn(r.obj.path.Root) ||
			kube.Named(r.obj.typ) == nil || !(r.only || a.guarded(r)) {
			continue
		}
		seen[r.obj.path] = true
		var deleted *world
		for _, t := range tests {
			if types.Identical(kube.Named(t.other.typ), kube.Named(r.obj.typ)) {
				continue
			}
			if deleted == nil {
				deleted = a.deletingWorld(fn, r.obj.places())
			}
			if !deleted.Live(t.test.Block()) || a.released(deleted.View, t.look, r, events) < 0 ||
				slices.ContainsFunc(a.needsOf(t.look, r.obj.path.Root, events), func(n need) bool { return a.mayBeGone(&n, t.look, r, events) }) { // that is said of the lookup
				continue
			}
			both := a.bothDeleted(fn, t.look, r.obj, t.other)
			if a.released(both.View, t.look, r, events) >= 0 || a.released(a.withoutObject(fn, t.look, r.obj.places()), t.look, r, events) >= 0 ||
				a.releasedUnseen(both, t.look, r) || !a.removedHereAlone(fn, r, events) {
				continue
			}
			a.reportOtherEnds(r, t.test, t.look, t.other)
			break
		}
	}
}

// endTests are the tests of fn whether an object is being deleted that it has looked up.
func endTests(fn *ssa.Function) (tests []endTest) {
	looks := map[flow.Path]*ssa.Call{}
	for in := range flow.Instrs(fn) {
		call, ok := in.(*ssa.Call)
		if !ok {
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
		if v != nil {
			if o := objectOf(v); o.known() && kube.Named(o.typ) != nil {
				looks[o.path] = call
			}
		}
	}
	if len(looks) == 0 {
		return nil
	}
	for _, b := range fn.Blocks {
		test := flow.Branch(b)
		if test == nil {
			continue
		}
		obj := askedDeletion(test.Cond)
		if obj == nil {
			continue
		}
		o := objectOf(obj)
		look := looks[o.path]
		if _, known := deleting(test.Cond, o.path); look != nil && known && kube.Named(o.typ) != nil && flow.Dominates(look, test) {
			tests = append(tests, endTest{test, look, o})
		}
	}
	return tests
}

// askedDeletion is the object of which cond may ask whether it is being deleted, nil where it asks for no such thing.
func askedDeletion(cond ssa.Value) ssa.Value {
	cond, _ = flow.Positive(cond)
	var v ssa.Value
	if call, ok := cond.(*ssa.Call); ok {
		args := flow.AllArgs(&call.Call)
		if fn := flow.Callee(&call.Call); fn == nil || len(args) != 1 {
			return nil
		} else if fn.Name() != "IsZero" {
			if asksDeletion(fn.Name()) {
				return args[0]
			}
			return nil
		}
		v = args[0]
	} else if x, _, ok := flow.NilTest(cond); ok {
		v = x
	} else {
		return nil
	}
	obj, ok := kube.DeletionOf(v)
	if !ok {
		return nil
	}
	return obj
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
		Pos: flow.Pos(test), Sub: "unreachable", Site: "deleted-dependency",
		Message: fmt.Sprintf("%s keeps its finalizer for good once the %s is being deleted: nothing comes to line %d then, where the finalizer goes, nor once that is gone; handle the deletion first",
			a.named(r), kube.Named(other.typ).Obj().Name(), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(look), Message: "it is looked up here: once it is gone, nothing comes to the finalizer either"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
