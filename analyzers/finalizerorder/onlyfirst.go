package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// An object may have finalizers of others. Who adds his own only where there is none at all takes the finalizer of somebody else for his.

// checkOnlyFirst reports the additions of a finalizer in fn that are made only where the object has no finalizer at all.
func (a *analyzer) checkOnlyFirst(fn *ssa.Function) {
	events := a.events(fn)
	told := map[*ssa.If]bool{}
	for _, e := range events {
		if !addition(e) || e.deferred || e.only || freshlyMade(e, events) {
			continue
		}
		test := emptyBefore(e)
		if test == nil || told[test] || addedOtherwise(e, events) || !a.takenOffSome(e) {
			continue
		}
		told[test] = true
		a.reportOnlyFirst(e, test)
	}
}

// addition reports whether e adds a finalizer, in memory or at the API server.
func addition(e event) bool { return e.kind == adds || e.kind == addsNow }

// emptyBefore is the test in front of e that has found the object of e without any finalizer; nil where there is none.
func emptyBefore(e event) *ssa.If {
	for test, t := range flow.PathCondition(e.in.Block()) {
		for list, empty := range paths.Implied(test.Cond, t) {
			if isSlice(list) && empty == flow.True && listOwner(list) == e.obj.path {
				return test
			}
		}
	}
	return nil
}

// isSlice reports whether v is a slice.
func isSlice(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Slice); return ok }

// addedOtherwise reports whether the function of e adds a finalizer to the object of e on another way, too, or may: that sees to the objects that have some. A list
// to which one is appended adds it, whatever else it lacks.
func addedOtherwise(e event, events []event) bool {
	for in := range flow.Instrs(e.in.Parent()) {
		if list, appended := newList(in).(*ssa.Call); appended && in != e.in && isBuiltin(list) && list.Call.Value.Name() == "append" {
			return true
		}
	}
	return slices.ContainsFunc(events, func(x event) bool {
		return addition(x) && (x.obj.path == e.obj.path || x.obj.same(e.obj)) && emptyBefore(x) == nil
	})
}

// takenOffSome reports whether the package takes finalizers off objects of the kind of e: then one that is added guards something.
func (a *analyzer) takenOffSome(e event) bool {
	kind := kubeapi.Named(e.obj.typ)
	return kind != nil && slices.ContainsFunc(a.pkg.Funcs, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(a.events(fn), func(r event) bool { return takesAway(r) && r.obj.typ != nil && kubeapi.Named(r.obj.typ) == kind })
	})
}

func (a *analyzer) reportOnlyFirst(e event, test *ssa.If) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: e.in.Pos(), Sub: "lateadd", Site: "first-finalizer-only",
		Message: fmt.Sprintf("%s gets this finalizer only if it has no other one (line %d): with another one, %s is deleted without this cleanup; use controllerutil.AddFinalizer",
			a.named(e), rule.Line(pass, flow.Pos(test)), a.named(e)),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "this tests for any finalizer"}},
	})
}
