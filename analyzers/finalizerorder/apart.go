package finalizerorder

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkApart reports the removals of a finalizer in fn that do not wait for a goroutine which cleans up: it has only been started by then.
func (a *analyzer) checkApart(fn *ssa.Function) {
	events := a.events(fn)
	for in := range flow.Instrs(fn) {
		g, ok := in.(*ssa.Go)
		if !ok {
			continue
		}
		run := flow.StaticCallee(&g.Call)
		if run == nil || len(run.Blocks) == 0 || a.tells(run) || !a.leadsToUndo(run) {
			continue
		}
		for _, r := range events {
			if takesAway(r) && !r.deferred && flow.Dominates(g, r.in) && a.guarded(r) && a.guardedAt(g, r.obj.path) && a.madeOf(g, r.obj.path.Root) && !a.looked(g, r) {
				a.reportApart(g, r)
				break
			}
		}
	}
}

// tells reports whether others may learn how run, a goroutine, ends: it sends, closes, counts down, or sets a variable of theirs.
func (a *analyzer) tells(run *ssa.Function) bool {
	for fn := range a.pkg.Reach(program.Calls, run) {
		if tellsItself(fn) {
			return true
		}
	}
	return false
}

func tellsItself(run *ssa.Function) bool {
	for in := range flow.Instrs(run) {
		switch in := in.(type) {
		case *ssa.Send:
			return true
		case *ssa.Store:
			if _, captured := flow.Base(in.Addr).(*ssa.FreeVar); captured {
				return true
			}
		case ssa.CallInstruction:
			if flow.Closed(in.Common()) != nil {
				return true
			}
			if fn := flow.Callee(in.Common()); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" {
				return true
			}
		}
	}
	return false
}

func (a *analyzer) reportApart(g *ssa.Go, r event) {
	pass := a.pass
	rule.Report(pass, rule.Finding{
		Pos: r.in.Pos(), Sub: "removedonerror", Site: "background-cleanup",
		Message: fmt.Sprintf("%s loses its finalizer here while the goroutine of line %d cleans up: what that does not get done stays behind for good; clean up first, and return its error",
			nameOf(pass, r), rule.Line(pass, flow.Pos(g))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(g), Message: "nobody waits for this goroutine"}},
	})
}
