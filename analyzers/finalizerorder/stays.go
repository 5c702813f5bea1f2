package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A deleted object makes no more events but those of its own changes. Whoever leaves its finalizer where it is, because something out of the cluster is
// not done or a cleanup has failed, has to come back by himself.

// checkStays reports the returns of fn that leave the finalizer of a deleted object where it is, say that all is well, and ask for no other try.
func (a *analyzer) checkStays(fn *ssa.Function) {
	events := a.events(fn)
	if !slices.ContainsFunc(events, takesAway) {
		return
	}
	var quiet []*ssa.Return // the same ones for each removal
	for ret := range flow.Returns(fn) {
		if leavesForGood(ret) && !a.removedBefore(ret) {
			quiet = append(quiet, ret)
		}
	}
	told := map[flow.Path]bool{}
	for _, r := range events {
		if !a.letsGo(r) || r.deferred || told[r.obj.path] || freshlyMade(r, events) || !(r.only || a.guarded(r)) {
			continue
		}
		for _, ret := range quiet {
			if !a.isForDeleted(ret, r.obj) {
				continue
			}
			way, call, failed := a.notYet(ret.Block(), r, events)
			if call != nil && a.quietUntil(way, ret.Block(), r) && a.hasLastWord(fn, map[*ssa.Function]bool{}) {
				told[r.obj.path] = true
				a.reportStays(r, call, ret, failed)
				break
			}
		}
	}
}

// notYet is the call for what it says, or because of its failure, control comes to the return in b and not to r: a look out of the cluster, or a cleanup; and
// the block to which control goes then. Nil where there is none.
func (a *analyzer) notYet(b *ssa.BasicBlock, r event, events []event) (way *ssa.BasicBlock, call *ssa.Call, failed bool) {
	var nearest *ssa.If
	var truth flow.Truth
	for nearest, truth = range flow.Decided(b) {
		if truth != flow.Either {
			break
		}
	}
	if nearest == nil || truth == flow.Either {
		return nil, nil, false
	}
	way = flow.Side(nearest, truth)
	goal := r.in.Block()
	if way == goal || !nearest.Block().Dominates(goal) || way.Dominates(goal) {
		return nil, nil, false
	}
	cond, is := flow.Positive(nearest.Cond)
	holds := (truth == flow.Yes) == is
	if x, isNil, ok := flow.NilTest(cond); ok {
		if holds == isNil {
			return nil, nil, false // it has succeeded, or found nothing
		}
		call, _ = flow.ResultOf(flow.Resolve(x))
		failed = flow.IsError(x.Type())
	} else if bin, ok := cond.(*ssa.BinOp); ok && comparedWith(bin) != nil {
		if call, _ = flow.ResultOf(flow.Resolve(bin.X)); call == nil {
			call, _ = flow.ResultOf(flow.Resolve(bin.Y))
		}
	} else {
		call, _ = flow.ResultOf(flow.Resolve(cond))
	}
	if call == nil || flow.ErrorResult(call.Call.Signature()) < 0 || flow.BlocksFrom(way)[goal] || !a.isGuarded(call, r, events) {
		return nil, nil, false
	}
	if failed && a.undoes(call) || !failed && call.Call.Signature().Results().Len() > 1 && a.outOfCluster(call) {
		return way, call, failed
	}
	return nil, nil, false
}

// outOfCluster reports whether call asks somebody who is not the API server, itself or in what it calls, and nobody else.
func (a *analyzer) outOfCluster(call *ssa.Call) bool {
	callee := a.pkg.Callee(&call.Call)
	if callee == nil {
		return isForeign(call) && !a.ofSibling(call)
	}
	foreign := false
	for fn := range a.pkg.Reach(running, callee) {
		for in := range flow.Instrs(fn) {
			c, ok := in.(*ssa.Call)
			if !ok || a.pkg.Callee(&c.Call) != nil {
				continue
			}
			if _, request := kube.RequestOf(&c.Call); request || usesClient(c) || a.ofSibling(c) {
				return false
			}
			foreign = foreign || isForeign(c)
		}
	}
	return foreign
}

// ofSibling reports whether call is of another package of the module that has clients of the cluster: it may ask that.
func (a *analyzer) ofSibling(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg() != a.pass.Pkg && rule.OfModule(a.pass, fn.Pkg()) &&
		kube.Imports(fn.Pkg(), func(path string) bool { return path == kube.Client || kube.Under(path, "k8s.io/client-go") })
}

// isForeign reports whether call, of a function out of sight, may fail and is of no library of Kubernetes, nor given a client of it.
func isForeign(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || flow.ErrorResult(call.Call.Signature()) < 0 || isStandard(fn.Pkg()) || kube.IsLibrary(fn.Pkg().Path()) || kube.Logs(fn) || makesErrors(fn) {
		return false
	}
	_, request := kube.RequestOf(&call.Call)
	return !request && !usesClient(call)
}

// usesClient reports whether a client of the cluster is among what call is made of.
func usesClient(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(flow.AllArgs(call.Common()), func(v ssa.Value) bool { return isClient(v.Type()) })
}

// quietUntil reports whether nothing happens from block way to the return in b that others may see, and so bring the object back: it logs.
func (a *analyzer) quietUntil(way, b *ssa.BasicBlock, r event) bool {
	for _, blk := range b.Parent().Blocks {
		if !way.Dominates(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if _, local := flow.Base(in.Addr).(*ssa.Alloc); !local || flow.PathOf(in.Addr).Root == r.obj.path.Root {
					return false
				}
			case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.Select:
				return false
			case *ssa.Call:
				if !isQuiet(in) {
					return false
				}
			}
		}
	}
	return true
}

// isQuiet reports whether nobody else sees what call does: it logs, looks, or is of the standard library.
func isQuiet(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return builtin || kube.Logs(fn) || kube.ResultIsLogger(call.Call.Signature()) || fn != nil && (kube.IsGetter(fn) || fn.Pkg() != nil && isStandard(fn.Pkg()))
}

// hasLastWord reports whether nobody comes back where fn says that all is well: it is the Reconcile of a controller, or its callers say what it says.
func (a *analyzer) hasLastWord(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	callers := a.pkg.Callers(fn)
	if obj, ok := fn.Object().(*types.Func); ok && kube.IsReconcile(obj) && len(callers) == 0 {
		return true
	}
	if seen[fn] || len(callers) == 0 {
		return false
	}
	seen[fn] = true
	for _, c := range callers {
		call, ok := c.(*ssa.Call)
		if !ok || !a.hasLastWord(call.Parent(), seen) {
			return false
		}
		for ret := range flow.Returns(call.Parent()) {
			if flow.Reaches(call, ret, nil) && !returnsAll(ret, call) && !fails(ret) && !leavesForGood(ret) {
				return false
			}
		}
	}
	return true
}

// returnsAll reports whether ret returns what call gives, as it is.
func returnsAll(ret *ssa.Return, call *ssa.Call) bool {
	for i, res := range ret.Results {
		v, _ := flow.Returned(ret, i)
		if v == nil {
			v = res
		}
		if from, j := flow.ResultOf(flow.Resolve(v)); from != call || j != i {
			return false
		}
	}
	return true
}

func (a *analyzer) reportStays(r event, call *ssa.Call, ret *ssa.Return, failed bool) {
	what, line := calledName(call), rule.Line(a.pass, flow.Pos(call))
	why := fmt.Sprintf("for good once %s at line %d has said that it is not done: this returns as if all were well, and nothing in the cluster tells when that changes; ask to come back", what, line)
	if failed {
		why = fmt.Sprintf("for good once %s at line %d has failed: this returns as if all were well, and nobody tries again; return the error", what, line)
	}
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(ret), Sub: "unreachable", Site: "kept-finalizer",
		Message: a.named(r) + " keeps its finalizer " + why,
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "this decides"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
