package finalizerorder

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkUntried reports the removals of a finalizer in fn that happen because some call has failed, whatever the failure, while the cleanup is
// made only where it has not: a failure that passes is taken for one that says that nothing is left.
func (a *analyzer) checkUntried(fn *ssa.Function) {
	events := a.events(fn)
	for _, r := range events {
		if !takesAway(r) || r.deferred || freshlyMade(r, events) || !a.guarded(r) {
			continue
		}
		test, call := failedBefore(r.in)
		if call == nil || !a.isGiven(call, r.obj.path.Root) || a.isCleanup(call, r, events) || a.ofObject(call, r, events) {
			continue
		}
		if c, ok := r.in.(ssa.CallInstruction); ok && slices.Contains(flow.AllArgs(c.Common()), flow.ErrorOf(call)) {
			continue // who removes it is told of the failure, and may ask which it is
		}
		if cleanup := a.otherwise(test, r, events); cleanup != nil {
			a.reportUntried(call, cleanup, r)
		}
	}
}

// failedBefore is the call of which the nearest test of an error in front of in says that it has failed, where no kind of its error is asked
// for on the way.
func failedBefore(in ssa.Instruction) (nearest *ssa.If, failed *ssa.Call) {
	asked := map[*ssa.Call]bool{}
	for test, t := range flow.PathCondition(in.Block()) {
		switch cond := test.Cond.(type) {
		case *ssa.BinOp:
			if ignore, ok := flow.Resolve(cond.X).(*ssa.Call); ok && isGoneTest(ignore) {
				asked[callOf(ignore.Call.Args[0])] = true // IgnoreNotFound(err) == nil
				continue
			}
			if !flow.IsError(cond.X.Type()) || flow.Equal(cond, t) != flow.False {
				continue
			}
			if nearest == nil || nearest.Block().Dominates(test.Block()) {
				nearest, failed = test, callOf(cond.X)
			}
		case *ssa.Call:
			for _, arg := range flow.AllArgs(&cond.Call) {
				if flow.IsError(arg.Type()) {
					asked[callOf(arg)] = true
				}
			}
		}
	}
	if asked[failed] {
		return nil, nil
	}
	return nearest, failed
}

// callOf is the call of which v is the error.
func callOf(v ssa.Value) *ssa.Call {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, _ := v.(*ssa.Call)
	return call
}

// ofObject reports whether call is a request about the object of r itself: where that fails, the object may be gone.
func (a *analyzer) ofObject(call *ssa.Call, r event, events []event) bool {
	return slices.ContainsFunc(events, func(e event) bool {
		return e.in == ssa.Instruction(call) && (e.obj.same(r.obj) || e.obj.path == r.obj.path)
	})
}

// otherwise is a cleanup for the object of r on the other side of test.
func (a *analyzer) otherwise(test *ssa.If, r event, events []event) *ssa.Call {
	var found *ssa.Call
	for c := range flow.Calls(test.Parent()) {
		call, ok := c.(*ssa.Call)
		if !ok || found != nil || !a.isCleanup(call, r, events) || !a.guardedAt(call, r.obj.path) {
			continue
		}
		for other, t := range flow.PathCondition(call.Block()) {
			if other == test && t != flow.Unknown && !flow.BlocksFrom(r.in.Block())[call.Block()] {
				found = call
			}
		}
	}
	return found
}

func (a *analyzer) reportUntried(call, cleanup *ssa.Call, r event) {
	pass := a.pass
	name := func(c *ssa.Call) string {
		if fn := flow.Callee(&c.Call); fn != nil && !kubeapi.Logs(fn) {
			return fn.Name()
		}
		return "the call"
	}
	rule.Report(pass, rule.Finding{
		Pos: r.in.Pos(), Sub: "removedonerror", Site: "untried-cleanup",
		Message: fmt.Sprintf("%s loses its finalizer on any error of %s (line %d), so %s (line %d) never runs; return errors other than NotFound",
			nameOf(pass, r), name(call), rule.Line(pass, flow.Pos(call)), name(cleanup), rule.Line(pass, flow.Pos(cleanup))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "any error of this call removes the finalizer"}, {Pos: flow.Pos(cleanup), Message: "this cleanup is skipped"}},
	})
}
