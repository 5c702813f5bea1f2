package unboundedsync

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// endWaits reports the wait of end, by which others say that they read no more from f, for a group of goroutines that may be in a send to f: who
// calls end does not read meanwhile, and what else ends the send is not in the hands of end.
func (c *checker) endWaits(end *ssa.Function, f *types.Var) {
	wait, group := c.groupWait(end)
	if wait == nil || !c.wanted(flow.Pos(wait)) || c.tellsAnybody(end) {
		return
	}
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(at ssa.CallInstruction) {
			m, ok := startsIn(at)
			if !ok || wait == nil || m.leaves() || lastField(m.group) != group {
				return
			}
			for g := range c.runs(m.fn) {
				if s := c.keptSend(g, f); s != nil && wait != nil {
					c.reportEndWaits(wait, end, f, s)
					wait = nil
				}
			}
		})
	}
}

// groupWait is a wait of fn for a group in a field, and that field.
func (c *checker) groupWait(fn *ssa.Function) (wait *ssa.Call, group *types.Var) {
	flow.Calls(fn, func(at ssa.CallInstruction) {
		call, ok := at.(*ssa.Call)
		if !ok || wait != nil || flow.Recv(&call.Call) == nil {
			return
		}
		if p := flow.PathOf(flow.Recv(&call.Call)); c.waitsFor(call, p) && lastField(p) != nil {
			wait, group = call, lastField(p)
		}
	})
	return wait, group
}

// lastField is the field that p ends with, nil for none.
func lastField(p flow.Path) *types.Var {
	steps := p.Steps()
	if len(steps) == 0 {
		return nil
	}
	return steps[len(steps)-1].Field
}

// tellsAnybody reports whether end, or what it runs, closes a channel, sends, or calls a function value, as one that ends a context: who is in
// a send may go on then.
func (c *checker) tellsAnybody(end *ssa.Function) bool {
	for fn := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, end) {
		for in := range flow.Instrs(fn) {
			switch in := in.(type) {
			case *ssa.Send:
				return true
			case ssa.CallInstruction:
				b, builtin := in.Common().Value.(*ssa.Builtin)
				if builtin && b.Name() == "close" || !builtin && flow.Callee(in.Common()) == nil && flow.StaticCallee(in.Common()) == nil {
					return true
				}
			}
		}
	}
	return false
}

// keptSend is a send of fn to f that nothing ends but a reader and contexts that its function, or the one around it, was given.
func (c *checker) keptSend(fn *ssa.Function, f *types.Var) ssa.Instruction {
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Send:
			if c.goesInto(in.Chan, f) && !c.knows(in) {
				return in
			}
		case *ssa.Select:
			if in.Blocking && c.onlyGiven(in, f) {
				return in
			}
		}
	}
	return nil
}

// onlyGiven reports whether sel sends to f, and waits for nothing else but the ends of contexts that somebody else gave.
func (c *checker) onlyGiven(sel *ssa.Select, f *types.Var) bool {
	sends := false
	for _, s := range sel.States {
		if s.Dir == types.SendOnly {
			if !c.goesInto(s.Chan, f) {
				return false
			}
			sends = true
			continue
		}
		ctx := blocking.DoneOf(s.Chan)
		if ctx == nil {
			return false
		}
		if p, given := flow.Resolve(ctx).(*ssa.Parameter); !given || !kube.IsContext(p.Type()) {
			return false
		}
	}
	return sends
}

func (c *checker) reportEndWaits(wait *ssa.Call, end *ssa.Function, f *types.Var, s ssa.Instruction) {
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(wait), Sub: "neverstops", Site: "blocked-shutdown",
		Message: fmt.Sprintf("%s waits for goroutines that may be in a send to %s (line %d): who calls %s reads no more, and nothing that it does ends the send; end what the send waits for first",
			c.spelled(wait, flow.Callee(&wait.Call)), f.Name(), rule.Line(c.pass, flow.Pos(s)), end.Name()),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(s), Message: "the goroutine waits here"}},
	})
}
