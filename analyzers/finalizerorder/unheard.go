package finalizerorder

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// The write that takes the last finalizer off an object is the last thing that its controller does for it. Where that fails the object has not changed, so that no event
// comes, and nobody writes it again but who is told of the failure.

// checkUnheard reports the writes of fn that take the finalizer off a deleted object, and may fail without that anybody comes back.
func (a *analyzer) checkUnheard(fn *ssa.Function) {
	events := a.events(fn)
	told := map[ssa.Instruction]bool{}
	for _, r := range append(append(a.persisted(events), a.clearingWrites(events)...), events...) {
		call, ok := r.in.(*ssa.Call)
		if !ok || r.deferred || r.kind != removesNow && r.kind != strips || told[call] || flow.ErrorResult(call.Call.Signature()) < 0 ||
			freshlyMade(r, events) || !(r.only || a.guarded(r)) || !a.goesUnnoticed(call) || !a.hasLastWord(fn) {
			continue
		}
		told[call] = true
		a.reportUnheard(r, call)
	}
}

// goesUnnoticed reports whether the function of call may say that all is well although call has failed, and do nothing before that
// others see.
func (a *analyzer) goesUnnoticed(call *ssa.Call) bool {
	err := flow.ErrorOf(call)
	w := walk{
		goal: func(ssa.Instruction) bool { return false },
		stop: func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Call:
				return !isQuiet(in) && !isGoneTest(in) && !(isWrap(in) && toldError(in))
			case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MapUpdate, *ssa.Select:
				return true
			}
			return false
		},
		turn: func(b, s *ssa.BasicBlock) bool { return !returnsFailure(b, s, err) },
		exit: func(ret *ssa.Return, k *paths.State) bool {
			err := flow.ReturnedError(ret)
			return len(ret.Results) == 0 || err != nil && !mayRequeue(ret) && k.Value(err) == flow.True
		},
	}
	if err == nil { // dropped
		err = call
	}
	return w.from(a, call, err, flow.False)
}

func (a *analyzer) reportUnheard(r event, call *ssa.Call) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(call), Sub: "unreachable", Site: "swallowed-error",
		Message: fmt.Sprintf("%s keeps its finalizer if %s fails here: the error is not returned, so the removal is never retried; return the error",
			a.named(r), calledName(call)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "this write removes the finalizer"}},
	})
}

// isForeign reports whether call, of a function out of sight, may fail and is of no library of Kubernetes, nor given a client of it.
func isForeign(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	if fn == nil || fn.Pkg() == nil || flow.ErrorResult(call.Call.Signature()) < 0 || isStandard(fn.Pkg()) || kubeapi.IsLibrary(fn.Pkg().Path()) || kubeapi.Logs(fn) || makesErrors(fn) {
		return false
	}
	_, request := kubeapi.RequestOf(&call.Call)
	return !request && !usesClient(call)
}

// usesClient reports whether a client of the cluster is among what call is made of.
func usesClient(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(flow.AllArgs(call.Common()), func(v ssa.Value) bool { return kubeapi.WritesObjects(v.Type()) })
}

// isQuiet reports whether nobody else sees what call does: it logs, looks, or is of the standard library.
func isQuiet(call *ssa.Call) bool {
	fn := flow.Callee(&call.Call)
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return builtin || kubeapi.Logs(fn) || kubeapi.ResultIsLogger(call.Call.Signature()) || fn != nil && (kubeapi.GetterOf(fn) != "" || fn.Pkg() != nil && isStandard(fn.Pkg()))
}

// hasLastWord reports whether fn decides what its controller returns when it succeeds: it is a Reconcile that the package
// does not call, or its callers return what it does.
func (a *analyzer) hasLastWord(fn *ssa.Function) bool {
	isRoot := func(fn *ssa.Function) bool {
		return kubeapi.IsReconcile(flow.Object(fn)) && len(a.pkg.Callers(fn)) == 0
	}
	return a.pkg.OnlyFrom(fn, isRoot, func(c ssa.CallInstruction) bool {
		call, ok := c.(*ssa.Call)
		return ok && !flow.Any(flow.Returns(call.Parent()), func(ret *ssa.Return) bool {
			return flow.Reaches(call, ret, nil) && !returnsAll(ret, call) && !paths.Fails(ret) && !leavesForGood(ret)
		})
	})
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
