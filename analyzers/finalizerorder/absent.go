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

// What a cleanup would take away may be gone already: by a try before, whose write failed, or by somebody else. Then there is nothing to do, and
// nothing to wait for, and so the finalizer has to go: nobody makes it again for an object that is being deleted.

// checkAbsent reports the returns of fn, which takes a finalizer off an object that it is given, where what it was to clean up is not there.
func (a *analyzer) checkAbsent(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		param, given := r.obj.path.Root.(*ssa.Parameter)
		if !a.letsGo(r) || r.deferred || !given || param.Parent() != fn || a.addsIn(fn, r, events) {
			continue
		}
		for _, b := range fn.Blocks {
			lookup, gone := askedFor(b)
			if lookup == nil || !b.Dominates(r.in.Block()) || gone == r.in.Block() || !a.cleansUp(lookup, r) {
				continue
			}
			if ret := a.staysBehind(gone, r, events); ret != nil {
				a.reportAbsent(r, lookup, ret)
				return
			}
		}
	}
}

// addsIn reports whether fn gives the object of r a finalizer, too: then it is not for deleted objects alone.
func (a *analyzer) addsIn(fn *ssa.Function, r event, events []event) bool {
	for _, e := range events {
		if (e.kind == adds || e.kind == addsNow) && e.in.Parent() == fn && (e.obj.path == r.obj.path || e.obj.same(r.obj)) {
			return true
		}
	}
	return false
}

// askedFor is the lookup of which b asks at its end whether it has found something, without an error, and the block to which control goes where
// there is nothing; nil for other blocks.
func askedFor(b *ssa.BasicBlock) (lookup *ssa.Call, gone *ssa.BasicBlock) {
	test := flow.Branch(b)
	if test == nil {
		return nil, nil
	}
	cond, is := flow.Positive(test.Cond)
	x, isNil, ok := flow.NilTest(cond)
	if !ok || flow.IsError(x.Type()) || kube.IsContext(x.Type()) {
		return nil, nil
	}
	call, i := flow.ResultOf(flow.Resolve(x))
	if call == nil || i != 0 || flow.ErrorResult(call.Call.Signature()) != 1 {
		return nil, nil
	}
	return call, flow.Side(test, flow.Settled(isNil == is))
}

// cleansUp reports whether something that may fail comes between lookup and r that takes what was found, or asks the same service: that is the
// cleanup, and nobody that the function only needs for it.
func (a *analyzer) cleansUp(lookup *ssa.Call, r event) bool {
	found := false
	flow.Calls(lookup.Parent(), func(in ssa.CallInstruction) {
		call, ok := in.(*ssa.Call)
		if !ok || call == lookup || flow.ErrorResult(call.Call.Signature()) < 0 || !flow.Dominates(lookup, call) || !flow.Reaches(call, r.in, nil) {
			return
		}
		if fn := flow.Callee(&call.Call); fn == nil || kube.Logs(fn) || makesErrors(fn) {
			return
		}
		found = found || sameService(&lookup.Call, &call.Call) || slices.ContainsFunc(flow.Args(&call.Call), func(v ssa.Value) bool { return isOf(v, lookup) })
	})
	return found
}

// makesErrors reports whether fn gives an error of what it is told.
func makesErrors(fn *types.Func) bool { return kube.MakesError(fn) || kube.WrapsError(fn) }

// sameService reports whether both calls are of methods of one object that is not the reconciler itself, or of a part of it.
func sameService(x, y *ssa.CallCommon) bool {
	a, b := flow.Recv(x), flow.Recv(y)
	if a == nil || b == nil {
		return false
	}
	p, q := flow.PathOf(a), flow.PathOf(b)
	if _, own := p.Root.(*ssa.Parameter); p.Root != q.Root || own && p.Sel == "" {
		return false
	}
	return p.Sel == q.Sel || strings.HasPrefix(q.Sel, p.Sel+".")
}

// isOf reports whether v is what lookup has found, or a part of that.
func isOf(v ssa.Value, lookup *ssa.Call) bool {
	root := flow.PathOf(flow.Unwrap(v)).Root
	call, i := flow.ResultOf(root)
	return call == lookup && i == 0
}

// staysBehind is the return to which control comes from gone, and before which nothing takes the finalizer of r off, nor may; nil where there is none,
// or where it asks to come back.
func (a *analyzer) staysBehind(gone *ssa.BasicBlock, r event, events []event) *ssa.Return {
	blocks := flow.BlocksFrom(gone)
	blocks[gone] = true
	var ret *ssa.Return
	for _, b := range gone.Parent().Blocks {
		if !blocks[b] {
			continue
		}
		for _, in := range b.Instrs {
			if a.mayReleaseAt(in, r.obj.places()) {
				return nil
			}
			for _, e := range events {
				if e.in == in && takesAway(e) {
					return nil
				}
			}
		}
		if out := flow.ReturnOf(b); out != nil && ret == nil {
			ret = out
		}
	}
	if ret == nil || !fails(ret) && !leavesForGood(ret) {
		return nil
	}
	return ret
}

func (a *analyzer) reportAbsent(r event, lookup *ssa.Call, ret *ssa.Return) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(ret), Sub: "unreachable",
		Message: fmt.Sprintf("%s keeps its finalizer once what %s looks up at line %d is gone: this returns, and nothing comes to line %d, where the finalizer goes; let it go where there is nothing to clean up",
			a.named(r), flow.Callee(&lookup.Call).Name(), rule.Line(a.pass, flow.Pos(lookup)), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(lookup), Message: "it is looked up here"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
