package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// unreadSignals reports the waits of fn between its asking for the signals to the process and its first look at them, which nobody else takes:
// a signal no longer ends the process, and fn does not see it yet. A replica that waits for the lease there can only be killed.
func (c *checker) unreadSignals(fn *ssa.Function) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if !(kube.Symbol{Pkg: "os/signal", Name: "Notify"}).Is(flow.Callee(call.Common())) {
			return
		}
		made, ok := flow.Unwrap(flow.Resolve(call.Common().Args[0])).(*ssa.MakeChan)
		if !ok || made.Parent() != fn {
			return
		}
		reads, ok := readsHere(made)
		if !ok || len(reads) == 0 {
			return
		}
		isRead := func(in ssa.Instruction) bool { return slices.Contains(reads, in) }
		for in := range flow.Instrs(fn) {
			if isRead(in) || !waitsForOthers(in) || !flow.Reaches(call, in, isRead) {
				continue
			}
			if !slices.ContainsFunc(reads, func(r ssa.Instruction) bool { return flow.Reaches(in, r, nil) }) {
				continue
			}
			c.report(rule.Finding{
				Pos: flow.Pos(in), Sub: "ignored",
				Message: fmt.Sprintf("the signals that %s has asked for at line %d are read only behind this wait: until it is over SIGTERM ends nothing, and the process has to be killed",
					flow.FuncName(fn), c.line(flow.Pos(call))),
				Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "from here on signals do not end the process by themselves"}},
			})
			return
		}
	})
}

// readsHere are the receives from the channel of signals in the function that made it; false where others get hold of it, a literal among them.
func readsHere(made *ssa.MakeChan) (reads []ssa.Instruction, ok bool) {
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType:
				if !visit(r) {
					return false
				}
			case *ssa.UnOp:
				reads = append(reads, r)
			case *ssa.Select:
				reads = append(reads, r)
			case ssa.CallInstruction:
				if callee := flow.Callee(r.Common()); callee == nil || callee.Pkg() == nil || callee.Pkg().Path() != "os/signal" {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	return reads, visit(made)
}

// waitsForOthers reports whether in receives from a channel that is no timer's, and has no other way out than that.
func waitsForOthers(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && !blocking.IsTimer(in.X) && blocking.DoneOf(in.X) == nil
	case *ssa.Select:
		return in.Blocking && !slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool {
			return s.Dir != types.RecvOnly || blocking.IsTimer(s.Chan) || blocking.DoneOf(s.Chan) != nil
		})
	}
	return false
}
