package expectttl

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkQuery reports returns after an unsatisfied query q of an expectation that neither requeue the object, nor release
// the expectation, nor let it time out: if the awaited event was lost, the object is never reconciled again.
//
// The returns are those that the query's false branch dominates, if their path condition consists of the query alone. Those
// of a reconciler are reported if its result reaches the controller (reportGate); those of other functions if they ignore
// the duration that the query returns and skip work that can fail (reportIgnored).
//
// It approximates: any call on the false branch that may change the store counts as a release; any further condition on
// the path counts as another reason to return; another query of a store that may alias this one, and that reads the
// duration, counts as a timeout.
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
			if ret == nil || g.reported[ret] || !onlyQuery(q, entry, b) || g.wakes(q, ret) {
				continue
			}
			switch {
			case outcomeOf(ret.Parent()) != other:
				if givesUp(ret) && g.decides(ret.Parent()) {
					g.reportGate(q, entry, ret)
				}
			case q.ignored && g.skipsWork(q, entry, ret) && !g.timedElsewhere(q):
				g.reportIgnored(q, ret)
			}
		}
	}
}

// skipsWork reports whether ret returns no error and skips calls that may fail: after the query there are such calls
// that its false branch does not dominate.
func (g *callGraph) skipsWork(q query, entry *ssa.BasicBlock, ret *ssa.Return) bool {
	fn := ret.Parent()
	if len(ret.Results) == 0 || fn.Parent() != nil {
		return false
	}
	if last := ret.Results[len(ret.Results)-1]; flow.IsError(last.Type()) && !flow.IsZero(last) {
		return false
	}
	if g.wrapped[fn] != nil || g.handsAnswerOn(q) {
		return false // its callers are checked instead
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

// timedElsewhere reports whether another query in the package, of a store that may alias q's, reads the duration: it
// may end the wait.
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

func (g *callGraph) reportGate(q query, entry *ssa.BasicBlock, ret *ssa.Return) {
	site, also, do := rule.Site("unreleased-gate"), "", "requeue, and delete the expectation after a timeout"
	switch {
	case !q.timed:
		site, also, do = "timeless-gate", ", and it has no timeout", "add a timeout and requeue"
	case overdue(q, entry, ret):
		do = "delete the expectation and requeue"
	}
	g.reportReturn(q, ret, site, fmt.Sprintf("returns without a requeue while %s is unsatisfied (line %d)%s: if the event was lost, the object is never reconciled again; %s",
		q.store.path, rule.Line(g.pass, q.call.Pos()), also, do))
}

// overdue reports whether ret, which is behind entry, is reached only once the time that q returned has reached a
// limit.
func overdue(q query, entry *ssa.BasicBlock, ret *ssa.Return) bool {
	for test, t := range flow.PathCondition(ret.Block()) {
		if !entry.Dominates(test.Block()) {
			break
		}
		cond, is := flow.StripNot(test.Cond)
		cmp, ok := cond.(*ssa.BinOp)
		if !ok || t == flow.Unknown || !kubeapi.IsType(cmp.X.Type(), "time", "Duration") {
			continue
		}
		greater := cmp.Op == token.GTR || cmp.Op == token.GEQ
		if !greater && cmp.Op != token.LSS && cmp.Op != token.LEQ {
			continue
		}
		if dependsOn(cmp.Y, q.call) {
			greater = !greater
		} else if !dependsOn(cmp.X, q.call) {
			continue
		}
		if t == flow.TruthOf(greater == is) {
			return true
		}
	}
	return false
}

func (g *callGraph) reportIgnored(q query, ret *ssa.Return) {
	g.reportReturn(q, ret, "dropped-duration", fmt.Sprintf(
		"skips its work while %s is unsatisfied (line %d), however long that lasts: if the event was lost, it never works again; delete the expectation after a timeout",
		q.store.path, rule.Line(g.pass, q.call.Pos())))
}

func (g *callGraph) reportReturn(q query, ret *ssa.Return, site rule.Site, message string) {
	g.reported[ret] = true
	pos, end := ret.Pos(), token.NoPos
	if node := rule.Innermost[*ast.ReturnStmt](g.pass, pos); node != nil && node.Pos() == pos {
		end = node.End()
	}
	rule.Report(g.pass, rule.Finding{
		Pos: pos, End: end, Sub: "nowayout", Site: site, Message: message,
		Related: []analysis.RelatedInformation{{Pos: q.call.Pos(), Message: fmt.Sprintf("%s of %s returned false here", q.fn.Name(), q.store.path)}},
	})
}
