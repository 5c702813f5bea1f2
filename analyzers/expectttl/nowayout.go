package expectttl

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkQuery reports the returns that the query's false answer leads to and that leave nothing to end the wait.
func (g *callGraph) checkQuery(q query) {
	if ownEvent(q) || !q.timed && !g.timelessRecv(q) {
		return // the store may have a timeout of its own
	}
	for _, entry := range falseEntries(q) {
		if g.releases(q, entry) {
			continue
		}
		for _, b := range entry.Parent().Blocks {
			if !entry.Dominates(b) {
				continue
			}
			ret := flow.ReturnOf(b)
			if ret == nil || g.reported[ret] || !explained(q, entry, b) || g.wakes(q, ret) {
				continue
			}
			switch {
			case outcomeOf(ret.Parent()) != other:
				if givesUp(ret) && g.decides(ret.Parent()) {
					g.reportGate(q, ret)
				}
			case q.ignored && g.skipsWork(q, entry, ret) && !g.timedElsewhere(q):
				g.reportIgnored(q, ret)
			}
		}
	}
}

// skipsWork reports whether ret, of a function that returns neither a Result nor only an error, ends it early and
// without an error: there are calls that may fail behind the query's other answer, and none before ret.
func (g *callGraph) skipsWork(q query, entry *ssa.BasicBlock, ret *ssa.Return) bool {
	fn := ret.Parent()
	if len(ret.Results) == 0 || fn.Parent() != nil {
		return false
	}
	if last := ret.Results[len(ret.Results)-1]; flow.IsError(last.Type()) && !flow.IsZero(last) {
		return false
	}
	if g.wrapped[fn] != nil || g.handsAnswerOn(q) {
		return false // its callers are looked at instead
	}
	works := false
	for c := range flow.Calls(fn) {
		r := c.Common().Signature().Results()
		fails := r.Len() > 0 && flow.IsError(r.At(r.Len()-1).Type())
		if fails && flow.ReachesForward(q.call, c, nil) && !entry.Dominates(c.Block()) {
			works = true
		}
	}
	return works
}

// timedElsewhere reports whether another query of the same store in the package looks at the time: that one may end
// the wait.
func (g *callGraph) timedElsewhere(q query) bool {
	found := false
	for c := range flow.Calls(g.pkg.Funcs...) {
		if call, ok := c.(*ssa.Call); ok && call != q.call {
			if o, ok := g.asQuery(call); ok && o.timed && !o.ignored && o.store.mayAlias(q.store) {
				found = true
			}
		}
	}
	return found
}

func (g *callGraph) reportGate(q query, ret *ssa.Return) {
	const unsatisfied = "returns without requeue or release while %s is unsatisfied (%s, line %d): "
	site, why := rule.Site("unreleased-gate"), "if the event was lost, the object is never reconciled again; requeue it"
	if !q.timed {
		site, why = "timeless-gate", "it has no timeout, so it stays unsatisfied forever if the event was lost; expire it and requeue"
	}
	g.reportReturn(q, ret, site, fmt.Sprintf(unsatisfied+why, q.store.path, q.fn.Name(), rule.Line(g.pass, q.call.Pos())))
}

func (g *callGraph) reportIgnored(q query, ret *ssa.Return) {
	g.reportReturn(q, ret, "dropped-duration", fmt.Sprintf(
		"ignores for how long %s has been unsatisfied (%s, line %d): if the event was lost, the rest is skipped forever; release it after a timeout",
		q.store.path, q.fn.Name(), rule.Line(g.pass, q.call.Pos())))
}

func (g *callGraph) reportReturn(q query, ret *ssa.Return, site rule.Site, message string) {
	g.reported[ret] = true
	pos, end := ret.Pos(), token.NoPos
	if node := returnStmt(g.pass, pos); node != nil {
		end = node.End()
	}
	rule.Report(g.pass, rule.Finding{
		Pos: pos, End: end, Sub: "nowayout", Site: site, Message: message,
		Related: []analysis.RelatedInformation{{Pos: q.call.Pos(), Message: fmt.Sprintf("%s of %s returned false here", q.fn.Name(), q.store.path)}},
	})
}
