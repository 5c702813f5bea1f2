package startctx

import (
	"fmt"
	"go/token"
	"slices"

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
		if !flow.OfEndless(l.Header) && !untilContext(l) {
			continue
		}
		for in := range flow.Instrs(fn) {
			g, ok := in.(*ssa.Go)
			if !ok || !l.Blocks[g.Block()] {
				continue
			}
			lit := flow.StaticCallee(&g.Call)
			if bound := c.runsUntil(g, l); bound != nil {
				c.report(rule.Finding{
					Pos: flow.Pos(g), Sub: "pilesup", Site: "goroutine-per-turn",
					Message: fmt.Sprintf("each turn of this loop leaves this goroutine behind: %s goes on until %s ends, which outlasts the turn; let it end with the turn, too",
						flow.FuncName(lit), spell(bound)),
					Related: []analysis.RelatedInformation{{Pos: lit.Pos(), Message: "this goes on"}},
				})
				continue
			}
			if lit == nil || lit.Parent() != fn || len(lit.Blocks) == 0 {
				continue
			}
			if recv := firstWait(lit); recv != nil && outlasts(recv.X, l) {
				c.report(rule.Finding{
					Pos: flow.Pos(g), Sub: "pilesup", Site: "waiter-per-turn",
					Message: fmt.Sprintf("each turn of this loop leaves this goroutine behind: it waits for %s alone (line %d), which outlasts the turn; let it end with the turn, too",
						spell(recv.X), c.line(flow.Pos(recv))),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(recv), Message: "it waits here"}},
				})
			}
		}
	}
}

// untilContext reports whether l goes on until a context ends, and its condition asks for nothing else.
func untilContext(l *flow.Loop) bool {
	test := flow.Branch(l.Header)
	if test == nil {
		return false
	}
	x, _, ok := flow.NilTest(test.Cond)
	if !ok {
		return false
	}
	return kube.EndAsked(flow.Resolve(x)) != nil
}

// runsUntil is the context, or stop channel, from outside of the loop l until which alone the function of the package goes on that g starts in each
// turn; nil where it may end before, or where the loop may have been told that it is there.
func (c *checker) runsUntil(g *ssa.Go, l *flow.Loop) ssa.Value {
	run := c.pkg.Callee(&g.Call)
	if run == nil || len(run.Blocks) == 0 || run.Parent() != nil || tellsOfItsEnd(run) || !eachTurn(g, l) {
		return nil
	}
	for i, a := range flow.AllArgs(&g.Call) {
		if i < len(run.Params) && blocking.IsBound(a.Type()) && isOutside(a, l) && loopsUntil(run, run.Params[i]) && endsAlone(run, run.Params[i]) {
			return a
		}
	}
	return nil
}

// eachTurn reports whether g is passed in each turn of l that has not failed before.
func eachTurn(g *ssa.Go, l *flow.Loop) bool {
	for test, t := range flow.Decided(g.Block()) {
		if !l.Blocks[test.Block()] || test.Block() == l.Header {
			break
		}
		if t != flow.Either && !asksForError(test) {
			return false
		}
	}
	return true
}

// isOutside reports whether v is made outside of l.
func isOutside(v ssa.Value, l *flow.Loop) bool {
	switch v := flow.Resolve(v).(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return true
	case ssa.Instruction:
		_, load := v.(*ssa.UnOp)
		return !load && !l.Blocks[v.Block()]
	}
	return false
}

// endsAlone reports whether fn returns nowhere but where a select has found that bound has ended.
func endsAlone(fn *ssa.Function, bound *ssa.Parameter) bool {
	for ret := range flow.Returns(fn) {
		found := false
		for in := range flow.Instrs(fn) {
			sel, ok := in.(*ssa.Select)
			if !ok {
				continue
			}
			for i, s := range sel.States {
				of := flow.Resolve(s.Chan)
				if ctx := blocking.DoneOf(of); ctx != nil {
					of = flow.Resolve(ctx)
				}
				if b := flow.CaseOf(sel, i); of == ssa.Value(bound) && b != nil && b.Dominates(ret.Block()) {
					found = true
				}
			}
		}
		if !found && ret.Block() != fn.Recover {
			return false
		}
	}
	return true
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

// periodicPiles reports the goroutines that a function which wait.Until and its kin run again and again leaves behind: they run until a
// stop channel or a context ends that outlasts the run, and the function comes back at once.
func (c *checker) periodicPiles(fn *ssa.Function) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		w, ok := c.table.Call(call.Common())
		if !ok || w.Kind != blocking.Run {
			return
		}
		for _, a := range flow.Args(call.Common()) {
			turn := c.ownFunc(a)
			if turn == nil || c.piled[turn] {
				continue
			}
			for in := range flow.Instrs(turn) {
				g, ok := in.(*ssa.Go)
				if !ok || decided(g.Block()) || !c.comesBackFrom(g) {
					continue
				}
				kind, i, ok := c.table.Given(flow.Callee(&g.Call))
				if args := flow.Args(&g.Call); !ok || kind != blocking.Run || i < 0 || i >= len(args) || !fromOutside(args[i], turn) {
					continue
				}
				c.piled[turn] = true
				c.report(rule.Finding{
					Pos: flow.Pos(g), Sub: "pilesup", Site: "goroutine-per-run",
					Message: fmt.Sprintf("each run of %s, which %s starts again and again (line %d), leaves this goroutine behind: %s goes on until what outlasts the run ends; wait for that here, too",
						flow.FuncName(turn), w.What, c.line(flow.Pos(call)), c.called(g)),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(call), Message: "it is started again and again here"}},
				})
				break
			}
		}
	})
}

// decided reports whether its function can return without b, and without an error that came before it: a test may say that the goroutine is there
// already.
func decided(b *ssa.BasicBlock) bool {
	entry := b.Parent().Blocks[0]
	if entry == b || !flow.ReturnsWithout(entry, b) {
		return false
	}
	for test, t := range flow.Decided(b) {
		if t != flow.Either && !asksForError(test) {
			return true
		}
	}
	return false
}

// asksForError reports whether test asks for nothing but whether there is an error.
func asksForError(test *ssa.If) bool {
	x, _, ok := flow.NilTest(test.Cond)
	return ok && flow.IsError(x.Type())
}

// comesBackFrom reports whether control can come from g to the end of its function without waiting for anything.
func (c *checker) comesBackFrom(g *ssa.Go) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool
	walk = func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool {
		for _, in := range instrs {
			switch in := in.(type) {
			case *ssa.Return:
				return true
			case *ssa.Select, *ssa.Send, *ssa.Panic:
				return false
			case *ssa.UnOp:
				if in.Op == token.ARROW {
					return false
				}
			case *ssa.Call:
				if !c.passes(in, map[*ssa.Function]bool{}) {
					return false
				}
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if walk(s, s.Instrs) {
					return true
				}
			}
		}
		return false
	}
	at := slices.Index(g.Block().Instrs, ssa.Instruction(g))
	return walk(g.Block(), g.Block().Instrs[at+1:])
}

// fromOutside reports whether stop, a stop channel or a context, is one that turn is given or captures.
func fromOutside(stop ssa.Value, turn *ssa.Function) bool {
	if ctx := blocking.DoneOf(stop); ctx != nil {
		stop = ctx
	}
	p := flow.PathOf(stop)
	for in := range flow.Instrs(turn) {
		if st, ok := in.(*ssa.Store); ok && p.Known() && p.Sel != "" && flow.PathOf(st.Addr) == p {
			return false // made anew in each run
		}
	}
	switch root := p.Root.(type) {
	case *ssa.Parameter:
		return root.Parent() == turn
	case *ssa.FreeVar:
		return true
	}
	return false
}
