package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// A loop that cleans up after one thing after another, and goes on with the next one where something fails before, has left one out. Unless it says so, the finalizer goes.

// A leftOut is a turn of a loop that ends before its cleanup, since a call has failed.
type leftOut struct{ failed, cleanup *ssa.Call }

// checkTurns reports the removals of a finalizer in fn that a turn of a loop does not keep from happening which has ended before its cleanup.
func (a *analyzer) checkTurns(fn *ssa.Function) {
	events, turns := a.events(fn), sync.OnceValue(func() []leftOut { return a.turnsOf(fn) })
	for _, r := range events {
		if !takesAway(r) || r.deferred || freshlyMade(r, events) || !(r.only || a.guarded(r)) {
			continue
		}
		for in := range flow.Instrs(fn) {
			call, ok := in.(*ssa.Call)
			if !ok || in == r.in || !flow.Dominates(in, r.in) || !a.isGuarded(call, r, events) {
				continue
			}
			if callee := a.pkg.Callee(&call.Call); callee != nil {
				if left := a.leavesOut(callee, saysGone(call, r.in)); left != nil {
					a.reportTurn(r, left)
					return
				}
			}
		}
		for _, left := range turns() {
			if a.isGuarded(left.cleanup, r, events) && a.endsAt(left, func(in ssa.Instruction) bool { return in == r.in }, nil) {
				a.reportTurn(r, &left)
				return
			}
		}
	}
}

// saysGone are the results of call with which control comes to in: its bools that are asked for in front of that.
func saysGone(call *ssa.Call, in ssa.Instruction) map[int]flow.Truth {
	says := map[int]flow.Truth{}
	for test, t := range flow.Decided(in.Block()) {
		cond, is := flow.Positive(test.Cond)
		if of, i := flow.ResultOf(flow.Resolve(cond)); of == call && t != flow.Either {
			if says[i] = t; !is {
				says[i] = t.Not()
			}
		}
	}
	return says
}

// leavesOut is a turn of a loop in callee that ends before its cleanup, where callee may say no error all the same, and what says has of its bools; nil
// where there is none.
func (a *analyzer) leavesOut(callee *ssa.Function, says map[int]flow.Truth) *leftOut {
	for _, left := range a.turnsOf(callee) {
		if !a.givenBy(left.cleanup, callee) {
			continue
		}
		ends := func(ret *ssa.Return, k *ways.Known) bool {
			for i := range ret.Results {
				v := returned(ret, i)
				if flow.IsError(v.Type()) && k.Of(v) != flow.Yes {
					return false
				}
				if flow.IsBool(v.Type()) && (says[i] == flow.Either || k.Of(v) == says[i].Not() || !mayBe(v, says[i], map[ssa.Value]bool{})) {
					return false
				}
			}
			return true
		}
		if a.endsAt(left, func(ssa.Instruction) bool { return false }, ends) {
			return &left
		}
	}
	return nil
}

// mayBe reports whether v is the constant t, or may be that when control comes over one of its edges.
func mayBe(v ssa.Value, t flow.Truth, seen map[ssa.Value]bool) bool {
	if phi, ok := v.(*ssa.Phi); ok && !seen[v] {
		seen[v] = true
		return slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return mayBe(e, t, seen) })
	}
	return flow.TruthOf(v) == t
}

// turnsOf are the turns of loops in fn that may end before their cleanup, since a look at the outside has failed.
func (a *analyzer) turnsOf(fn *ssa.Function) (all []leftOut) {
	releases := a.releasesIn(fn)
	for _, l := range flow.Loops(fn) {
		var cleanups, looks []*ssa.Call
		l.Instrs(func(in ssa.Instruction) {
			call, ok := in.(*ssa.Call)
			if !ok {
				return
			}
			if releases[call] || isFinal(calledName(call)) && a.undoes(call) {
				cleanups = append(cleanups, call)
			}
			if flow.ErrorOf(call) != nil && a.looksOutside(call) && !shruggedOff(call) {
				looks = append(looks, call)
			}
		})
		for _, look := range looks {
			if i := slices.IndexFunc(cleanups, func(c *ssa.Call) bool { return flow.Dominates(look, c) }); i >= 0 {
				all = append(all, leftOut{look, cleanups[i]})
			}
		}
	}
	return all
}

// releasesIn are the instructions of fn that take a finalizer off an object.
func (a *analyzer) releasesIn(fn *ssa.Function) map[ssa.Instruction]bool {
	releases := map[ssa.Instruction]bool{}
	for _, e := range a.events(fn) {
		if takesAway(e) {
			releases[e.in] = true
		}
	}
	return releases
}

// looksOutside reports whether call asks a service, or the cluster: a method, or a function that is given a context. Of one that looks up an object of the cluster the
// usual failure is that this is gone, so that somebody has to ask for that.
func (a *analyzer) looksOutside(call *ssa.Call) bool {
	if r, ok := kube.RequestOf(&call.Call); ok {
		return r.Verb == kube.VerbList || r.Verb == kube.VerbGet && asksWhether(flow.ErrorOf(call))
	}
	if a.pkg.Callee(&call.Call) != nil || usesClient(call) {
		return a.looksAtCluster(call) && asksWhether(flow.ErrorOf(call))
	}
	fn := flow.Callee(&call.Call)
	return fn != nil && isForeign(call) && (fn.Signature().Recv() != nil || isGivenContext(fn.Signature()))
}

// asksWhether reports whether somebody asks of the error err whether it says that something is not there.
func asksWhether(err ssa.Value) bool {
	return slices.ContainsFunc(*err.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		return ok && isGoneTest(call)
	})
}

// isGivenContext reports whether a function of that signature is given a context.
func isGivenContext(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if kube.IsContext(v.Type()) {
			return true
		}
	}
	return false
}

// endsAt reports whether control may come from the failure of left to a goal, or a return with which it ends, and not to its cleanup.
func (a *analyzer) endsAt(left leftOut, goal func(ssa.Instruction) bool, ends func(*ssa.Return, *ways.Known) bool) bool {
	err, releases := flow.ErrorOf(left.failed), a.releasesIn(left.failed.Parent())
	w := walk{
		goal: goal,
		stop: func(in ssa.Instruction) bool {
			// Where its turn goes on, the cleanup is come to, as far as there is something to clean up.
			if b := in.Block(); b != left.failed.Block() && left.failed.Block().Dominates(b) && b.Dominates(left.cleanup.Block()) {
				return true
			}
			call, ok := in.(*ssa.Call)
			return ok && (isFinal(calledName(call)) && a.undoes(call) || releases[call])
		},
		turn: func(b, s *ssa.BasicBlock) bool { return !returnsFailure(b, s, err) },
		exit: ends,
	}
	return w.from(a, left.failed, err, flow.No)
}

func (a *analyzer) reportTurn(r event, left *leftOut) {
	rule.Report(a.pass, rule.Finding{
		Pos: r.in.Pos(), Sub: "removedonerror", Site: "skipped-turn",
		Message: fmt.Sprintf("%s loses its finalizer here although %s may have failed at line %d: the loop goes on with the next one then, %s at line %d is not tried, and nobody hears of it; what it cleans up stays behind for good",
			nameOf(a.pass, r), calledName(left.failed), rule.Line(a.pass, flow.Pos(left.failed)), calledName(left.cleanup), rule.Line(a.pass, flow.Pos(left.cleanup))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(left.failed), Message: "whatever fails here lets one be left out"}, {Pos: flow.Pos(left.cleanup), Message: "the cleanup of one turn"}},
	})
}
