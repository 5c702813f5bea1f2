package finalizerorder

import (
	"fmt"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// checkSkipped reports the additions of a finalizer in fn that are made only where another change of the object's finalizers has changed
// nothing, as the right side of an || is: where it has, fn does its work as well, and the finalizer is not there.
func (a *analyzer) checkSkipped(fn *ssa.Function) {
	events := a.events(fn)
	told := map[ssa.Instruction]bool{}
	for _, e := range events {
		if e.kind != adds || e.deferred || e.only || told[e.in] || freshlyMade(e, events) {
			continue
		}
		first := otherChange(e, events)
		if first == nil {
			continue
		}
		added := func(in ssa.Instruction) bool { return a.adds(in, e, events) }
		with, _ := a.workAfter(e.in, e, added, events)
		without, order := a.workAfter(first, e, added, events)
		for _, work := range order {
			if with[work] && without[work] {
				told[e.in] = true
				a.reportSkipped(e, first, work)
				break
			}
		}
	}
}

// otherChange is the call of which the test in front of e has found that it changed no finalizer of the object of e, though it would another
// one than e; nil where there is none.
func otherChange(e event, events []event) *ssa.Call {
	for test, t := range flow.Decided(e.in.Block()) {
		cond, is := flow.Positive(test.Cond)
		call, ok := cond.(*ssa.Call)
		if !ok || is != (t == flow.No) || t == flow.Either {
			continue
		}
		for _, x := range events {
			if x.in == ssa.Instruction(call) && (x.kind == adds || x.kind == removes) && x.obj.path == e.obj.path &&
				(x.finalizer == "" || x.finalizer != e.finalizer) && saysWhether(call, x) {
				return call
			}
		}
	}
	return nil
}

// saysWhether reports whether call gives true where it has made the change x, and false where it has not.
func saysWhether(call *ssa.Call, x event) bool {
	if !flow.IsBool(call.Type()) {
		return false
	}
	if fn := flow.Callee(&call.Call); fn != nil && fn.Pkg() != nil && kube.SamePackage(fn.Pkg().Path(), kube.ControllerUtil) {
		return true
	}
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || x.at == nil || x.at.Parent() != callee {
		return false
	}
	for ret := range flow.Returns(callee) {
		v, sure := flow.Returned(ret, 0)
		if inner, ok := v.(*ssa.Call); ok && ssa.Instruction(inner) == x.at {
			if !saysWhether(inner, event{}) {
				return false
			}
			continue
		}
		says, ok := v.(*ssa.Const)
		if !sure || !ok || says.Value == nil || constant.BoolVal(says.Value) != flow.Dominates(x.at, ret) {
			return false
		}
	}
	return true
}

// adds reports whether in adds the finalizer of e to its object, or may.
func (a *analyzer) adds(in ssa.Instruction, e event, events []event) bool {
	for _, x := range events {
		if x.in == in && (x.kind == adds || x.kind == addsNow) && (x.obj.path == e.obj.path || x.obj.same(e.obj)) &&
			(in == e.in || x.finalizer == "" || e.finalizer == "" || x.finalizer == e.finalizer) {
			return true
		}
	}
	return false
}

// workAfter is what may be done for the object of e on the ways from change to the end of its function: where change is e, those on which it
// has changed nothing, since the finalizer was there, and else those on which it has, up to where the finalizer is added.
func (a *analyzer) workAfter(change ssa.Instruction, e event, added func(ssa.Instruction) bool, events []event) (work map[*ssa.Call]bool, order []*ssa.Call) {
	work = map[*ssa.Call]bool{}
	changed := flow.Settled(change != e.in)
	w := &ways.Walk{
		Calls: a.results,
		At: func(in ssa.Instruction, _ *ways.Known) bool {
			if in == change || added(in) {
				return true
			}
			if call, ok := in.(*ssa.Call); ok && !work[call] && a.isWork(call, e, events) {
				work[call] = true
				order = append(order, call)
			}
			return false
		},
	}
	known := map[ssa.Value]flow.Truth{}
	if v, ok := change.(ssa.Value); ok && flow.IsBool(v.Type()) {
		known[v] = changed
	}
	if !w.From(change, known) {
		a.pkg.Cut("walks through a function were given up", change)
	}
	return work, order
}

// isWork reports whether call does something for the object of e that may fail, and that neither asks nor writes the cluster by itself nor makes
// who does it later.
func (a *analyzer) isWork(call *ssa.Call, e event, events []event) bool {
	fn := flow.Callee(&call.Call)
	results := call.Call.Signature().Results()
	if fn == nil || fn.Pkg() == nil || flow.ErrorResult(call.Call.Signature()) < 0 || isStandard(fn.Pkg()) || aboutItself(fn.Name()) || kube.Logs(fn) {
		return false
	}
	if _, request := kube.RequestOf(&call.Call); request || kube.IsLibrary(fn.Pkg().Path()) {
		return false
	}
	for r := range results.Variables() {
		switch r.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Signature:
			if !flow.IsError(r.Type()) {
				return false
			}
		}
	}
	for _, arg := range flow.AllArgs(&call.Call) {
		if flow.IsError(arg.Type()) {
			return false
		}
	}
	for _, x := range events {
		if x.in == ssa.Instruction(call) && (x.obj.path == e.obj.path || x.obj.same(e.obj)) {
			return false
		}
	}
	return a.madeOf(call, e.obj.path.Root)
}

func (a *analyzer) reportSkipped(e event, first, work *ssa.Call) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "lateadd", Site: "skipped-add",
		Message: fmt.Sprintf("%s gets this finalizer only where %s at line %d has changed nothing: where it has, %s at line %d runs without it, and nothing guards what that makes; call both, then ask whether one has changed something",
			nameOf(pass, e), flow.Callee(&first.Call).Name(), rule.Line(pass, flow.Pos(first)), flow.Callee(&work.Call).Name(), rule.Line(pass, flow.Pos(work))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(first), Message: "where this changes something, the addition is skipped"}, {Pos: flow.Pos(work), Message: "runs without the finalizer"}},
	})
}
