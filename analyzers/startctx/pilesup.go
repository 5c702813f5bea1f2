package startctx

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// pilesUp reports the goroutines that each turn of an endless loop of fn starts, and that wait for nothing but the end of what outlasts
// the turn: they pile up.
func (c *checker) pilesUp(fn *ssa.Function) {
	for _, l := range flow.Loops(fn) {
		if !flow.OfEndless(l.Header) {
			continue
		}
		for in := range flow.Instrs(fn) {
			g, ok := in.(*ssa.Go)
			if !ok || !l.Blocks[g.Block()] {
				continue
			}
			lit := flow.StaticCallee(&g.Call)
			if lit == nil || lit.Parent() != fn || len(lit.Blocks) == 0 {
				continue
			}
			if recv := firstWait(lit); recv != nil && outlasts(recv.X, l) {
				c.report(rule.Finding{
					Pos: flow.Pos(g), Sub: "pilesup",
					Message: fmt.Sprintf("each turn of this loop leaves this goroutine behind: it waits for %s alone (line %d), which outlasts the turn; let it end with the turn, too",
						spell(recv.X), c.line(flow.Pos(recv))),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(recv), Message: "it waits here"}},
				})
			}
		}
	}
}

// firstWait is the receive with which lit begins; nil where it does more than log before.
func firstWait(lit *ssa.Function) *ssa.UnOp {
	for _, in := range lit.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				return in
			}
		case *ssa.Call:
			if blocking.DoneOf(in) == nil && !kube.Logs(flow.Callee(&in.Call)) {
				return nil
			}
		case *ssa.Store: // of what is logged
			if !flow.Argument(in.Addr) {
				return nil
			}
		case *ssa.Defer, *ssa.Go, *ssa.Send, *ssa.Select:
			return nil
		}
	}
	return nil
}

// outlasts reports whether the stop channel ch, or its context, is one that the literal captures from outside the loop l.
func outlasts(ch ssa.Value, l *flow.Loop) bool {
	if !blocking.IsDone(ch) {
		return false
	}
	if ctx := blocking.DoneOf(ch); ctx != nil {
		ch = ctx
	}
	if load, ok := ch.(*ssa.UnOp); ok && load.Op == token.MUL {
		ch = load.X
	}
	free, ok := ch.(*ssa.FreeVar)
	if !ok {
		return false
	}
	b := flow.Binding(free)
	if b == nil {
		return false
	}
	in, ok := b.(ssa.Instruction)
	if !ok {
		return true // a parameter
	}
	if l.Blocks[in.Block()] {
		return false
	}
	for _, r := range *b.Referrers() { // nor is it set anew in a turn
		if st, ok := r.(*ssa.Store); ok && st.Addr == b && l.Blocks[st.Block()] {
			return false
		}
	}
	return true
}
