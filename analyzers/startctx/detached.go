package startctx

import (
	"fmt"
	"go/types"
	"iter"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// constructors reports the goroutines that talk to an API server forever and are started by a function that only makes
// something, or that sets something up with a manager: they run before the manager does, on every replica, and nobody can stop them. Where no manager
// elects a leader each replica is for itself, and they may be meant to last as long as it: for those to say who make the manager, what there is goes to keep.
func (c *checker) constructors(keep func(rule.Finding)) {
	if c.elections() == never {
		return
	}
	c.keep = keep
	for _, fn := range c.pkg.Funcs {
		sets := kubeapi.TakesManager(fn) && !elects(fn)
		if fn.Parent() != nil || !sets && !isConstructor(fn, c.pkg.Pkg) {
			continue
		}
		c.dead = nil
		if sets { // what is made otherwise may be for a program without a manager: it says more there that it could be stopped
			c.dead = map[*ssa.Parameter]bool{}
		}
		for spawn := range c.spawns(fn) {
			op := c.unstoppable(spawn)
			if op == nil || !c.talks(spawn) {
				continue
			}
			c.report(rule.Finding{
				Pos: flow.Pos(spawn), Sub: "detached", Site: "constructor-goroutine",
				Message: fmt.Sprintf("the goroutine of %s never stops and calls the API server on every replica, not only on the leader; add it to the manager as a Runnable",
					flow.FuncName(fn)),
				Related: []analysis.RelatedInformation{{Pos: op.pos(), Message: op.text}},
			})
		}
	}
	c.dead, c.keep = nil, nil
}

// elects reports whether fn itself asks when this replica is the leader.
func elects(fn *ssa.Function) bool {
	return flow.Any(flow.InstrsOf[ssa.CallInstruction](fn), func(call ssa.CallInstruction) bool {
		return kubeapi.Called(call.Common()).Name == kubeapi.Elected
	})
}

// isConstructor reports whether fn is a function that gives something of this package which it makes, and is handed nothing
// that could stop what it starts. One that says by its name that it starts things may be called when it is time to.
func isConstructor(fn *ssa.Function, pkg *types.Package) bool {
	sig := fn.Signature
	if sig.Recv() != nil || sig.Results().Len() == 0 || words.Has(fn.Name(), "start", "run", "watch", "serve") {
		return false
	}
	for _, p := range fn.Params {
		if blocking.IsBound(p.Type()) {
			return false
		}
	}
	n := kubeapi.Named(sig.Results().At(0).Type())
	if n == nil || n.Obj().Pkg() != pkg {
		return false
	}
	return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		made, ok := flow.Resolve(ret.Results[0]).(*ssa.Alloc)
		return ok && made.Parent() == fn
	})
}

// spawns yields the go statements of fn and of the functions of this package that it calls.
func (c *checker) spawns(fn *ssa.Function) iter.Seq[*ssa.Go] {
	return func(yield func(*ssa.Go) bool) {
		for f := range c.pkg.Reach(program.Calls, fn) {
			for in := range flow.Instrs(f) {
				if spawn, ok := in.(*ssa.Go); ok && !yield(spawn) {
					return
				}
			}
		}
	}
}

// unstoppable is what goes on forever in the goroutine that spawn starts, nil where nothing does, or where anything in
// it has to do with a context or a stop channel, other than what it runs with one that never ends.
func (c *checker) unstoppable(spawn *ssa.Go) *operation {
	op := c.runsOn(spawn)
	if op == nil && !c.touches(spawn, map[*ssa.Function]bool{}) {
		op = c.goesOn(spawn, map[*ssa.Function]bool{})
	}
	return op
}

// runsOn is the component that the goroutine which spawn starts runs, on each way through its function, with a context that never ends.
func (c *checker) runsOn(spawn *ssa.Go) (op *operation) {
	find := func(call ssa.CallInstruction) {
		if ctx := contextArg(call.Common()); op == nil && ctx != nil && c.runsForever(call.Common()) {
			w, _ := c.table.Call(call.Common())
			op = &operation{call, w.What + " gets a context that is never done", nil}
		}
	}
	find(spawn)
	if callee := c.pkg.Callee(&spawn.Call); callee != nil && op == nil {
		for call := range flow.Calls(callee) {
			if _, plain := call.(*ssa.Call); plain && !canAvoid(callee, call.Block()) {
				find(call)
			}
		}
	}
	return op
}

// canAvoid reports whether fn returns without having come to b.
func canAvoid(fn *ssa.Function, b *ssa.BasicBlock) bool {
	return flow.Any(flow.Returns(fn), func(ret *ssa.Return) bool {
		return ret.Block() != fn.Recover && !b.Dominates(ret.Block())
	})
}

// runsForever reports whether call runs a component with a context or stop channel that never ends.
func (c *checker) runsForever(call *ssa.CallCommon) bool {
	w, ok := c.table.Call(call)
	if !ok || w.Kind != blocking.Run {
		return false
	}
	until := w.Stop
	if until == nil {
		until = contextArg(call)
	}
	return until != nil && c.bounds.Of(until, nil).Limit == blocking.Never
}

// goesOn is what call, or the functions of this package behind it, does forever: serve, run a component with a stop
// channel that never fires, or sleep and tick in a loop without an end.
func (c *checker) goesOn(call ssa.CallInstruction, seen map[*ssa.Function]bool) *operation {
	common := call.Common()
	if text := c.foreverCall(common); text != "" {
		return &operation{call, text, nil}
	}
	if _, ok := c.serveOf(common); ok {
		if text, on := c.blockingCall(call); text != "" {
			return &operation{call, text, on}
		}
	}
	callee := c.pkg.Callee(common)
	if callee == nil || seen[callee] {
		return nil
	}
	seen[callee] = true
	for _, l := range flow.Loops(callee) {
		if first := c.endlessLoop(l); first != nil {
			return &operation{first, "the loop around " + c.pause(first) + " has no exit", nil}
		}
	}
	var op *operation
	for call := range flow.Calls(callee) {
		if _, spawned := call.(*ssa.Go); !spawned && op == nil {
			op = c.goesOn(call, seen)
		}
	}
	return op
}

// endlessLoop is the instruction that lets l wait, where it has no end and does not look at a context.
func (c *checker) endlessLoop(l *flow.Loop) ssa.Instruction {
	if !unconditional(l) || c.bounded(l) || c.mentionsStop(l) {
		return nil
	}
	return c.sleepsIn(l)
}

// sleepsIn is the first instruction of l that sleeps, or waits for a ticker; nil for none.
func (c *checker) sleepsIn(l *flow.Loop) ssa.Instruction {
	for in := range l.Instrs() {
		if p := c.pause(in); p == sleeping || p == ticking {
			return in
		}
	}
	return nil
}

// talks reports whether the goroutine that spawn starts calls an API server.
func (c *checker) talks(spawn *ssa.Go) bool {
	start := []*ssa.Function{c.pkg.Callee(&spawn.Call)}
	for _, a := range spawn.Call.Args {
		if flow.IsFunc(a) {
			start = append(start, flow.FuncValue(a))
		}
	}
	return flow.Any(c.reached(start...), func(in ssa.Instruction) bool {
		s, ok := c.table.SlowOf(in)
		return ok && s.Kind == blocking.IO
	})
}

// reached yields the instructions of functions and of those that they may run, their own first.
func (c *checker) reached(from ...*ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for fn := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, from...) {
			for in := range flow.Instrs(fn) {
				if !yield(in) {
					return
				}
			}
		}
	}
}
