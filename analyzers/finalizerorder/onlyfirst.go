package finalizerorder

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
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
		list, empty := emptyList(test.Cond)
		if list == nil || t == flow.Unknown || t != flow.TruthOf(empty) {
			continue
		}
		if listOwner(list) == e.obj.path {
			return test
		}
	}
	return nil
}

// emptyList takes apart a test whether a list has any elements: the list, nil for other conditions, and what cond is where it has none.
func emptyList(cond ssa.Value) (list ssa.Value, empty bool) {
	cond, is := flow.StripNot(cond)
	if x, isNil, ok := flow.NilTest(cond); ok {
		return x, isNil == is
	}
	bin, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil, false
	}
	length, ok := bin.X.(*ssa.Call)
	if !ok || !isBuiltin(length) || length.Call.Value.Name() != "len" {
		return nil, false
	}
	list = length.Call.Args[0]
	switch zero, one := flow.IsZeroInt(bin.Y), isOne(bin.Y); {
	case zero && (bin.Op == token.EQL || bin.Op == token.LEQ), one && bin.Op == token.LSS:
		return list, is
	case zero && (bin.Op == token.NEQ || bin.Op == token.GTR), one && bin.Op == token.GEQ:
		return list, !is
	}
	return nil, false
}

// isOne reports whether v is the number 1.
func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && flow.IsInteger(c.Type()) && c.Int64() == 1
}

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
		Message: fmt.Sprintf("%s gets its finalizer only if it has none at all (line %d): with another controller's it is never guarded; test for this one",
			a.named(e), rule.Line(pass, flow.Pos(test))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(test), Message: "this tests for any finalizer"}},
	})
}
