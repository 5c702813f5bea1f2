package finalizerorder

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// "if err := Delete(…); !IsNotFound(err) { return err }" returns where the deletion has succeeded, too, and what it returns is no error: nobody comes back.
// The finalizer behind it goes only once somebody does, as the event of a kind that the controller watches makes it.

// checkSucceeded reports the returns of fn that give the error of a cleanup back unless it says that something is not there, and so leave the finalizer of a
// deleted object where it is once the cleanup has succeeded.
func (a *analyzer) checkSucceeded(fn *ssa.Function) {
	var asked []*ssa.Return // the same ones for each removal
	for ret := range flow.Returns(fn) {
		if asksMissing(ret.Block()) {
			asked = append(asked, ret)
		}
	}
	if len(asked) == 0 {
		return
	}
	events := a.events(fn)
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || freshlyMade(r, events) || !(r.only || a.guarded(r)) {
			continue
		}
		for _, ret := range asked {
			if !a.isForDeleted(ret, r.obj) || a.removedBefore(ret) || mayComeBack(ret) {
				continue
			}
			way, call := a.unlessMissing(ret, r, events)
			if call != nil && a.quietUntil(way, ret.Block(), r) && a.hasLastWord(fn, map[*ssa.Function]bool{}) && a.nobodyTells(call, r) {
				a.reportSucceeded(r, call, ret)
				return
			}
		}
	}
}

// asksMissing reports whether control comes to b behind a test whether something is not there.
func asksMissing(b *ssa.BasicBlock) bool {
	for test := range flow.Decided(b) {
		cond, _ := flow.Positive(test.Cond)
		if call, ok := cond.(*ssa.Call); ok && isGoneTest(call) {
			return true
		}
	}
	return false
}

// unlessMissing is the cleanup of which ret returns the error, as it is, where that does not say that something is not there, and r stands where it does; and the
// block to which control goes then. Nil where somebody asks whether there is an error at all.
func (a *analyzer) unlessMissing(ret *ssa.Return, r event, events []event) (way *ssa.BasicBlock, call *ssa.Call) {
	i := flow.ErrorResult(ret.Parent().Signature)
	if i < 0 || i >= len(ret.Results) {
		return nil, nil
	}
	err := flow.Resolve(returned(ret, i))
	call, _ = flow.ResultOf(err)
	if call == nil || flow.ErrorOf(call) != err || ways.At(err, ret.Block()) != flow.Either || askedForNil(err) || !a.isGuarded(call, r, events) || !a.deletesElse(call) {
		return nil, nil
	}
	for test, truth := range flow.Decided(ret.Block()) {
		cond, is := flow.Positive(test.Cond)
		asked, ok := cond.(*ssa.Call)
		if !ok || truth == flow.Either || !isGoneTest(asked) || flow.Resolve(asked.Call.Args[0]) != err {
			continue
		}
		way, gone := flow.Side(test, truth), flow.Side(test, truth.Not())
		if (truth == flow.Yes) == is || !gone.Dominates(r.in.Block()) || flow.BlocksFrom(way)[r.in.Block()] {
			return nil, nil
		}
		return way, call
	}
	return nil, nil
}

// askedForNil reports whether something asks whether err is nil: who does so knows that it may be.
func askedForNil(err ssa.Value) bool {
	for _, ref := range *err.Referrers() {
		if cond, ok := ref.(*ssa.BinOp); ok {
			if _, _, ok := flow.NilTest(cond); ok {
				return true
			}
		}
	}
	return false
}

// deletesElse reports whether call, of a function out of sight, asks the cluster to delete an object, or a service out of it to take something away.
func (a *analyzer) deletesElse(call *ssa.Call) bool {
	if a.pkg.Callee(&call.Call) != nil {
		return false
	}
	return deletedType(call) != nil || isForeign(call) && !a.ofSibling(call) && a.undoes(call)
}

// mayComeBack reports whether ret asks for another run, or may.
func mayComeBack(ret *ssa.Return) bool {
	for i, res := range ret.Results {
		if kube.IsType(res.Type(), kube.ControllerRuntime+"/pkg/reconcile", "Result") {
			_, zero := returned(ret, i).(*ssa.Const)
			return !zero
		}
	}
	return false
}

// nobodyTells reports whether nothing brings the object of r back once the cleanup call has succeeded: its controller is in sight and watches no objects of the
// deleted kind, nothing has written the object before, and no way through the reconciler asks for another run.
func (a *analyzer) nobodyTells(call *ssa.Call, r event) bool {
	above := a.above(call.Parent())
	for fn := range above {
		for ret := range flow.Returns(fn) {
			if mayComeBack(ret) && !a.handsOn(ret, above) {
				return false
			}
		}
		for _, e := range a.events(fn) {
			step, _ := e.in.(ssa.CallInstruction)
			if (e.kind == writes || e.kind == status) && (step == nil || !above[flow.StaticCallee(step.Common())]) && (fn != call.Parent() || e.deferred || flow.Reaches(e.in, call, nil)) {
				return false // it makes an event, if something has changed
			}
		}
	}
	for in := range flow.Instrs(call.Parent()) {
		if c, ok := in.(ssa.CallInstruction); ok && c != ssa.CallInstruction(call) && a.isForDeleted(in, r.obj) && flow.Reaches(in, call, nil) && a.callKeeps(c, r.obj.places()) {
			return false
		}
	}
	return a.unwatched(call, r, above)
}

// handsOn reports whether ret returns what a call of one of fns gives, as it is.
func (a *analyzer) handsOn(ret *ssa.Return, fns map[*ssa.Function]bool) bool {
	for fn := range fns {
		for _, c := range a.pkg.Callers(fn) {
			if call, ok := c.(*ssa.Call); ok && call.Parent() == ret.Parent() && returnsAll(ret, call) {
				return true
			}
		}
	}
	return false
}

// unwatched reports whether the controller of the object of r, with its Reconcile among fns, is set up in sight, and the package watches no objects of the kind
// that call deletes, unless they are those of another cluster: the controller's own kind, with another client than that of its objects.
func (a *analyzer) unwatched(call *ssa.Call, r event, fns map[*ssa.Function]bool) bool {
	deleted, own, found := deletedType(call), kindOf(r.obj), false
	if own == nil {
		return false
	}
	for _, c := range controllers.Controllers(a.pkg) {
		mine := fns[c.Reconcile]
		if mine && (c.Shared || otherSources(c.Fn)) {
			return false
		}
		for _, w := range c.Watches {
			kind := kube.Named(w.Kind)
			switch {
			case w.Kind == nil:
				return false
			case mine && w.Role == "For" && kind == own:
				found = true
				if deleted == own && !a.otherClient(call, r) {
					return false
				}
			case deleted != nil && (kind == deleted || w.Metadata):
				return false
			}
		}
	}
	return found
}

// otherSources reports whether fn gives a controller a source of its own making, of which the events are not known.
func otherSources(fn *ssa.Function) bool {
	found := false
	flow.Calls(fn, func(c ssa.CallInstruction) {
		callee := flow.Callee(c.Common())
		found = found || callee != nil && (callee.Name() == "WatchesRawSource" || callee.Name() == "Watch")
	})
	return found
}

// otherClient reports whether the object of r is read and written with other clients, all of them known, than call, a request, is made with.
func (a *analyzer) otherClient(call *ssa.Call, r event) bool {
	mine, ok := kube.RequestOf(&call.Call)
	if !ok {
		return false
	}
	client, others := flow.PathOf(mine.Client), 0
	if !client.Known() {
		return false
	}
	for in := range flow.Instrs(call.Parent()) {
		c, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		request, ok := kube.RequestOf(&c.Call)
		if !ok || request.Object == nil || !slices.Contains(r.obj.places(), objectOf(request.Object).path) {
			continue
		}
		p := flow.PathOf(request.Client)
		if !p.Known() || p == client {
			return false
		}
		others++
	}
	return others > 0
}

func (a *analyzer) reportSucceeded(r event, call *ssa.Call, ret *ssa.Return) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(ret), Sub: "unreachable", Site: "unrequeued-success",
		Message: fmt.Sprintf("%s keeps its finalizer once %s at line %d has succeeded: this returns then, too, without an error, and nothing brings the object back to where the finalizer goes; go on where the error is nil",
			a.named(r), calledName(call), rule.Line(a.pass, flow.Pos(call))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "its success is no error"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
