package finalizerorder

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// A question about the error of a lookup that is asked the wrong way round takes a lookup that has failed for what is gone, and what is gone for a failure.

// checkInverted reports such a question in the functions that fn calls, for an object that is being deleted, in front of the removal of its finalizer.
func (a *analyzer) checkInverted(fn *ssa.Function) {
	told := map[ssa.Instruction]bool{}
	for _, r := range a.events(fn) {
		if !takesAway(r) || r.deferred || !r.only && !a.guarded(r) {
			continue
		}
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == r.in || !flow.Dominates(call, r.in) {
				continue
			}
			if ret, lookup := inverted(a.pkg.Own(flow.StaticCallee(&call.Call))); ret != nil && !told[ret] {
				told[ret] = true
				a.reportInverted(ret, lookup, r)
			}
		}
	}
}

// inverted is a return of fn that says that all is well where a lookup has failed for another reason than that there is nothing, which is what fn returns as an error; and
// the lookup. Nil for none.
func inverted(fn *ssa.Function) (*ssa.Return, *ssa.Call) {
	if fn == nil || fn.Blocks == nil {
		return nil, nil
	}
	i := flow.ErrorResult(fn.Signature)
	if i < 0 {
		return nil, nil
	}
	for _, b := range fn.Blocks {
		test := flow.Branch(b)
		if test == nil {
			continue
		}
		cond, yes := flow.Positive(test.Cond)
		asked, ok := cond.(*ssa.Call)
		if !ok || !isGoneTest(asked) || !flow.IsBool(asked.Type()) {
			continue
		}
		err := flow.Resolve(asked.Call.Args[0])
		lookup, _ := flow.ResultOf(err)
		if lookup == nil || !isLookup(lookup) || ways.At(err, b) != flow.No {
			continue
		}
		gone, failed := flow.ReturnOf(flow.Side(test, flow.Settled(yes))), flow.ReturnOf(flow.Side(test, flow.Settled(!yes)))
		if gone != nil && failed != nil && flow.Resolve(returned(gone, i)) == err && flow.IsNil(returned(failed, i)) && !saysNo(failed) {
			return failed, lookup
		}
	}
	return nil, nil
}

// isLookup reports whether call asks the API server, or a cache, for one object.
func isLookup(call *ssa.Call) bool {
	r, ok := kube.RequestOf(&call.Call)
	return ok && r.Verb == kube.VerbGet
}

// saysNo reports whether ret says no besides its error: not yet.
func saysNo(ret *ssa.Return) bool {
	return slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return flow.IsBool(v.Type()) && flow.TruthOf(v) == flow.No })
}

func (a *analyzer) reportInverted(ret *ssa.Return, lookup *ssa.Call, r event) {
	rule.Report(a.pass, rule.Finding{
		Pos: flow.Pos(ret), Sub: "removedonerror", Site: "inverted-lookup",
		Message: fmt.Sprintf("this says that all is well where the lookup at line %d has failed, and fails where it has found nothing: %s loses its finalizer, at line %d, for the one, and keeps it for the other; ask the other way round",
			rule.Line(a.pass, flow.Pos(lookup)), a.named(r), rule.Line(a.pass, flow.Pos(r.in))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(lookup), Message: "the lookup"}, {Pos: flow.Pos(r.in), Message: "the finalizer goes here"}},
	})
}
