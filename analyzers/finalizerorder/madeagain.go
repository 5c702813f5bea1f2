package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A deleted object without this finalizer is one whose cleanup is over, and which something else still keeps. A branch that is taken for objects that are
// being deleted and have the finalizer leaves it to what is done for living ones.

// checkAgain reports what fn does for living objects, and comes to for one that is being deleted and has lost its finalizer as well, where it makes again what
// the cleanup has taken away.
func (a *analyzer) checkAgain(fn *ssa.Function) {
	events := a.events(fn)
	told := map[flow.Path]bool{}
	all := append(a.persisted(events), events...)
	for _, r := range all {
		if !takesAway(r) || r.deferred || told[r.obj.path] || freshlyMade(r, events) || !r.only && !a.guarded(r) || lastOne(r) {
			continue
		}
		told[r.obj.path] = true
		cleaned := a.cleaned(r)
		if len(cleaned) == 0 {
			continue
		}
		from := a.choice(r)
		gone := a.goneWorld(r, all)
		behind := gone.From(from.Block())
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || call == r.in || !behind[in.Block()] && in.Block() != from.Block() || !gone.Live(in.Block()) || !flow.Reaches(from, call, nil) || a.isForDeleted(call, r.obj) || aboutAnother(call, r.obj) {
				continue
			}
			if again := a.makesAgain(call, r, cleaned); again != nil && !a.mayExclude(event{in: call, obj: r.obj}, []ssa.Instruction{from}) {
				a.reportAgain(r, from, call, again)
				break // all that follows is the same mistake
			}
		}
	}
}

// aboutAnother reports whether call is given another object than obj, of which a test before it asks whether that is being deleted.
func aboutAnother(call *ssa.Call, obj object) bool {
	for _, arg := range flow.AllArgs(&call.Call) {
		other := objectOf(arg).path
		if !kube.IsObject(arg.Type()) || slices.Contains(obj.places(), other) {
			continue
		}
		for test := range flow.Decided(call.Block()) {
			if _, asked := deleting(test.Cond, other); asked {
				return true
			}
		}
	}
	return false
}

// lastOne reports whether r happens only where its object has one finalizer: there is no object left without it.
func lastOne(r event) bool {
	for test, side := range flow.Decided(r.in.Block()) {
		bin, ok := test.Cond.(*ssa.BinOp)
		if !ok || flow.Equal(bin, side) != flow.Yes {
			continue
		}
		length, ok := bin.X.(*ssa.Call)
		one, isConst := bin.Y.(*ssa.Const)
		if !ok || !isConst || !isBuiltin(length) || len(length.Call.Args) != 1 || one.Value == nil || one.Value.Kind() != constant.Int || one.Int64() != 1 {
			continue
		}
		if owner := listOwner(length.Call.Args[0]); owner.Known() && slices.Contains(r.obj.places(), owner) {
			return true
		}
	}
	return false
}

// choice is where fn decides whether the object of r is let go: the first test on the way to r of its deletion or of its finalizers, or the call that asks itself.
func (a *analyzer) choice(r event) ssa.Instruction {
	from := r.in
	for test := range flow.Decided(r.in.Block()) { // the nearest one first
		if h, ok := containment(test.Cond); ok && slices.Contains(r.obj.places(), h.obj) {
			from = test
		}
		if slices.ContainsFunc(r.obj.places(), func(p flow.Path) bool { _, ok := deleting(test.Cond, p); return ok }) {
			from = test
		}
	}
	return from
}

// goneWorld is the function of r where its object is being deleted and has no finalizer, so that the API server refuses to add one.
func (a *analyzer) goneWorld(r event, all []event) *world {
	w := &world{a: a, objs: r.obj.places()}
	refused := map[ssa.Value]bool{} // the errors of additions
	for _, e := range all {
		if call, ok := e.in.(*ssa.Call); ok && e.kind == addsNow && (e.obj.path == r.obj.path || e.obj.same(r.obj)) {
			refused[flow.ErrorOf(call)] = true
		}
	}
	w.see(r.in.Parent(), func(v ssa.Value) flow.Truth {
		if refused[v] {
			return flow.No
		}
		if h, ok := containment(v); ok && slices.Contains(w.objs, h.obj) {
			return flow.Settled(!h.when)
		}
		return w.tell(v)
	})
	return w
}

// A change of something that is not the object itself, by a call out of sight.
type outer struct {
	what *types.Named // the kind of an object, or the service that is asked
	how  change
}

// requested is what a request does to the objects of a kind.
var requested = map[kube.Verb]change{kube.VerbCreate: grows, kube.VerbUpdate: unknown, kube.VerbPatch: unknown, kube.VerbDelete: shrinks, kube.VerbDeleteCollection: shrinks}

// outerOf is what call, of a function out of sight, changes; its what is nil where that is nothing, or not known.
func outerOf(call *ssa.Call) outer {
	fn := flow.Callee(&call.Call)
	if r, ok := kube.RequestOf(&call.Call); ok {
		if how, ok := requested[r.Verb]; ok && !r.Status {
			return outer{typeOfRequest(r), how}
		}
		return outer{}
	}
	if made := afterMutation(call, fn); made != nil {
		return outer{kube.OneKind(made[0].obj.typ), grows}
	}
	if !asksService(call) {
		return outer{}
	}
	service := kube.Named(flow.Recv(&call.Call).Type())
	switch {
	case isFinal(fn.Name()) && !aboutItself(fn.Name()):
		return outer{service, shrinks}
	case makesThing(call):
		return outer{service, grows}
	}
	return outer{}
}

// outers are the changes that call makes, or leads to, each with a call out of sight that makes it.
func (a *analyzer) outers(call *ssa.Call) map[outer]*ssa.Call {
	callee := a.pkg.Callee(&call.Call)
	if callee == nil {
		return map[outer]*ssa.Call{outerOf(call): call}
	}
	if a.outs == nil {
		a.outs = map[*ssa.Function]map[outer]*ssa.Call{}
		for _, component := range a.pkg.BottomUp(running) {
			all := map[outer]*ssa.Call{} // by each of them
			for _, fn := range component {
				a.outs[fn] = all
				for in := range flow.Instrs(fn) {
					if c, ok := in.(*ssa.Call); ok && a.pkg.Callee(&c.Call) == nil {
						all[outerOf(c)] = c
					}
				}
				for _, next := range a.pkg.Next(running, fn) {
					maps.Copy(all, a.outs[next])
				}
			}
		}
	}
	return a.outs[callee]
}

// cleaned is what is taken away, or changed, for the object of r where that is being deleted.
func (a *analyzer) cleaned(r event) map[outer]bool {
	out := map[outer]bool{}
	for in := range flow.Instrs(r.in.Parent()) {
		call, ok := in.(*ssa.Call)
		if !ok || !(call == r.in && r.only) && (call == r.in || !a.isForDeleted(call, r.obj)) {
			continue
		}
		for o := range a.outers(call) {
			if o.what != nil && o.how != grows {
				out[o] = true
			}
		}
	}
	return out
}

// makesAgain is a call, which call is or leads to, that makes, or changes, what is in cleaned. What has an owner goes with that.
func (a *analyzer) makesAgain(call *ssa.Call, r event, cleaned map[outer]bool) *ssa.Call {
	if a.callTests(call, r.obj.places()) {
		return nil
	}
	var first *ssa.Call // in the source
	for o, c := range a.outers(call) {
		undone := o
		if o.how == grows {
			undone.how = shrinks
		}
		if o.what != nil && o.how != shrinks && cleaned[undone] && o.what != kube.Named(r.obj.typ) && !a.isOwned(o.what) && (first == nil || flow.Pos(c) < flow.Pos(first)) {
			first = c
		}
	}
	return first
}

func (a *analyzer) reportAgain(r event, from ssa.Instruction, call, again *ssa.Call) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(call), Sub: "writeafterremoval", Site: "repeated-cleanup",
		Message: fmt.Sprintf("%s may be on its way out, its finalizer gone, when %s runs for it here: line %d lets such an object pass, and what the cleanup has taken away is made again, with nothing that guards it; return for all objects that are being deleted",
			nameOf(a.pass, r), calledName(call), rule.Line(a.pass, flow.Pos(from))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(again), Message: "this is made again"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
