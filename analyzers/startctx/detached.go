package startctx

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// detached reports the goroutines that r leaves behind, if it returns at once, and that nothing can stop.
func (c *checker) detached(r controllers.Runnable) {
	if !r.Managed || !c.returnsAtOnce(r.Fn, map[*ssa.Function]bool{}) {
		return
	}
	c.spawns(r.Fn, func(spawn *ssa.Go) {
		op := c.unstoppable(spawn)
		if op == nil || c.told[op.pos] || c.stoppedOtherwise(r.Fn, op) {
			return
		}
		c.report(rule.Finding{
			Pos: flow.Pos(spawn), Sub: "detached", Site: "detached-goroutine",
			Message: fmt.Sprintf("%s returns at once and leaves a goroutine behind in which %s (line %d): its %s does not end it",
				r.Name, op.text, c.line(op.pos), what(r)),
			Related: []analysis.RelatedInformation{{Pos: op.pos, Message: "this goes on forever"}},
		})
	})
}

// constructors reports the goroutines that talk to an API server forever and are started by a function that only makes
// something, or that sets something up with a manager: they run before the manager does, on every replica, and nobody can stop them. Where no manager
// elects a leader each replica is for itself, and they may be meant to last as long as it: for those to say who make the manager, what there is goes to keep.
func (c *checker) constructors(keep func(rule.Finding)) {
	if c.elections() == never {
		return
	}
	c.keep = keep
	for _, fn := range c.pkg.Funcs {
		sets := kube.TakesManager(fn) && !elects(fn)
		if fn.Parent() != nil || !sets && !isConstructor(fn, c.pkg.Pkg) {
			continue
		}
		c.dead = nil
		if sets { // what is made otherwise may be for a program without a manager: it says more there that it could be stopped
			c.dead = map[*ssa.Parameter]bool{}
		}
		c.spawns(fn, func(spawn *ssa.Go) {
			op := c.unstoppable(spawn)
			if op == nil || !c.talks(spawn) {
				return
			}
			c.report(rule.Finding{
				Pos: flow.Pos(spawn), Sub: "detached", Site: "constructor-goroutine",
				Message: fmt.Sprintf("%s starts a goroutine that calls the API server and in which %s (line %d): it runs on every replica, leader or not, and nothing stops it",
					flow.FuncName(fn), op.text, c.line(op.pos)),
				Related: []analysis.RelatedInformation{{Pos: op.pos, Message: "this goes on forever"}},
			})
		})
	}
	c.dead, c.keep = nil, nil
}

// beside reports the goroutines that fn, a function that is given a manager, starts by itself with a context that never ends, and that go on
// calling the API server: the manager would start them on the leader, and end them.
func (c *checker) beside(fn *ssa.Function) {
	if fn.Parent() != nil || !kube.TakesManager(fn) {
		return
	}
	for in := range flow.Instrs(fn) {
		spawn, ok := in.(*ssa.Go)
		if !ok || c.seen[spawn] {
			continue
		}
		run := c.pkg.Callee(&spawn.Call)
		if run == nil || !c.talks(spawn) || c.waitsForLease(spawn) || elects(fn) {
			continue
		}
		for i, a := range flow.AllArgs(&spawn.Call) {
			if i >= len(run.Params) || !blocking.IsBound(a.Type()) || c.bounds.Of(a, nil).Limit != blocking.Never || !loopsUntil(run, run.Params[i]) {
				continue
			}
			c.seen[spawn] = true
			c.report(rule.Finding{
				Pos: flow.Pos(spawn), Sub: "detached", Site: "unmanaged-start",
				Message: fmt.Sprintf("%s starts %s beside the manager, with a context that never ends: it calls the API server on every replica, leader or not, before the caches are there, and goes on when the manager has stopped; add it to the manager",
					flow.FuncName(fn), flow.FuncName(run)),
				Related: []analysis.RelatedInformation{{Pos: run.Pos(), Message: "it goes on until its context ends"}},
			})
			break
		}
	}
}

// elects reports whether fn itself asks when this replica is the leader.
func elects(fn *ssa.Function) bool {
	for in := range flow.Instrs(fn) {
		if asksForLease(in) {
			return true
		}
	}
	return false
}

// waitsForLease reports whether the goroutine that spawn starts waits until this replica is the leader.
func (c *checker) waitsForLease(spawn *ssa.Go) bool {
	for in := range c.behind(spawn) {
		if asksForLease(in) {
			return true
		}
	}
	return false
}

// asksForLease reports whether in asks when this replica is the leader.
func asksForLease(in ssa.Instruction) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := flow.Callee(call.Common())
	return fn != nil && fn.Name() == "Elected"
}

// loopsUntil reports whether fn has a loop without an end of its own in which it looks for the end of bound.
func loopsUntil(fn *ssa.Function, bound *ssa.Parameter) bool {
	return slices.ContainsFunc(flow.Loops(fn), func(l *flow.Loop) bool {
		if !flow.OfEndless(l.Header) {
			return false
		}
		found := false
		l.Instrs(func(in ssa.Instruction) {
			sel, ok := in.(*ssa.Select)
			found = found || ok && slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool {
				of := flow.Resolve(s.Chan)
				if ctx := blocking.DoneOf(of); ctx != nil {
					of = flow.Resolve(ctx)
				}
				return of == ssa.Value(bound)
			})
		})
		return found
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
	n := kube.Named(sig.Results().At(0).Type())
	if n == nil || n.Obj().Pkg() != pkg {
		return false
	}
	for ret := range flow.Returns(fn) {
		if made, ok := flow.Resolve(ret.Results[0]).(*ssa.Alloc); ok && made.Parent() == fn {
			return true
		}
	}
	return false
}

// spawns calls yield for the go statements of fn and of the functions of this package that it calls.
func (c *checker) spawns(fn *ssa.Function, yield func(*ssa.Go)) {
	for f := range c.pkg.Reach(program.Calls, fn) {
		for in := range flow.Instrs(f) {
			if spawn, ok := in.(*ssa.Go); ok {
				yield(spawn)
			}
		}
	}
}

// unstoppable is what goes on forever in the goroutine that spawn starts, nil where nothing does, or where anything in
// it has to do with a context or a stop channel, other than what it runs with one that never ends.
func (c *checker) unstoppable(spawn *ssa.Go) *operation {
	if c.seen[spawn] {
		return nil
	}
	op := c.runsOn(spawn)
	if op == nil && !c.touches(spawn, map[*ssa.Function]bool{}) {
		op = c.goesOn(spawn, map[*ssa.Function]bool{})
	}
	if op != nil {
		c.seen[spawn] = true
	}
	return op
}

// runsOn is the component that the goroutine which spawn starts runs, on each way through its function, with a context that never ends.
func (c *checker) runsOn(spawn *ssa.Go) (op *operation) {
	find := func(call ssa.CallInstruction) {
		if ctx := contextArg(call.Common()); op == nil && ctx != nil && c.runsForever(call.Common()) {
			w, _ := c.table.Call(call.Common())
			op = &operation{flow.Pos(call), w.What + " cannot be stopped, " + c.bounds.Of(ctx, nil).Why, call.Parent(), nil}
		}
	}
	find(spawn)
	if callee := c.pkg.Callee(&spawn.Call); callee != nil && op == nil {
		flow.Calls(callee, func(call ssa.CallInstruction) {
			if _, plain := call.(*ssa.Call); plain && !canAvoid(callee, call.Block()) {
				find(call)
			}
		})
	}
	return op
}

// canAvoid reports whether fn returns without having come to b.
func canAvoid(fn *ssa.Function, b *ssa.BasicBlock) bool {
	for ret := range flow.Returns(fn) {
		if ret.Block() != fn.Recover && !b.Dominates(ret.Block()) {
			return true
		}
	}
	return false
}

// goesOn is what call, or the functions of this package behind it, does forever: serve, run a component with a stop
// channel that never fires, or sleep and tick in a loop without an end.
func (c *checker) goesOn(call ssa.CallInstruction, seen map[*ssa.Function]bool) *operation {
	common := call.Common()
	if text := c.foreverCall(common); text != "" {
		c.seen[call] = true
		return &operation{flow.Pos(call), text, call.Parent(), nil}
	}
	if _, ok := c.serveOf(common); ok {
		if text, on := c.blockingCall(call); text != "" {
			return &operation{flow.Pos(call), text, call.Parent(), on}
		}
	}
	callee := c.pkg.Callee(common)
	if callee == nil || seen[callee] {
		return nil
	}
	seen[callee] = true
	for _, l := range flow.Loops(callee) {
		if first := c.endlessLoop(l); first != nil {
			c.seen[first] = true
			return &operation{flow.Pos(first), "a loop waits for " + c.pause(first) + " again and again", callee, nil}
		}
	}
	var op *operation
	flow.Calls(callee, func(call ssa.CallInstruction) {
		if _, spawned := call.(*ssa.Go); !spawned && op == nil {
			op = c.goesOn(call, seen)
		}
	})
	return op
}

// endlessLoop is the instruction that lets l wait, where it has no end and does not look at a context.
func (c *checker) endlessLoop(l *flow.Loop) ssa.Instruction {
	if !unconditional(l) || c.bounded(l) || c.mentionsStop(l) {
		return nil
	}
	var first ssa.Instruction
	l.Instrs(func(in ssa.Instruction) {
		if p := c.pause(in); first == nil && (p == sleeping || p == ticking) {
			first = in
		}
	})
	return first
}

// returnsAtOnce reports whether nothing in fn, or in what it calls on its own goroutine, can wait: for its context, for
// anything else, or in a function of another package that is given a context.
func (c *checker) returnsAtOnce(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.Select:
			if in.Blocking {
				return false
			}
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				return false
			}
		case *ssa.Send:
			if !buffered(in.Chan) {
				return false
			}
		case *ssa.Call:
			if !c.passes(in, seen) {
				return false
			}
		}
	}
	return len(endlessBlocks(fn)) == 0
}

// passes reports whether call comes back at once, as far as can be told.
func (c *checker) passes(call *ssa.Call, seen map[*ssa.Function]bool) bool {
	if callee := c.pkg.Callee(&call.Call); callee != nil {
		return c.returnsAtOnce(callee, seen)
	}
	if _, waits := c.table.Of(call); waits {
		return false
	}
	if _, serves := c.serveOf(&call.Call); serves {
		return false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		_, builtin := call.Call.Value.(*ssa.Builtin)
		return builtin || contextArg(&call.Call) == nil
	}
	if _, io := c.table.SlowOf(call); io {
		return true
	}
	return contextArg(&call.Call) == nil || kube.IsContext(call.Type()) || fn.Name() != "Start" && fn.Name() != "Run" && fn.Name() != "Wait"
}

// endlessBlocks are the headers of the loops of fn that nothing leaves.
func endlessBlocks(fn *ssa.Function) []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	for _, l := range flow.Loops(fn) {
		if len(l.Exits()) == 0 {
			out = append(out, l.Header)
		}
	}
	return out
}

// talks reports whether the goroutine that spawn starts calls an API server.
func (c *checker) talks(spawn *ssa.Go) bool {
	for in := range c.behind(spawn) {
		if s, ok := c.table.SlowOf(in); ok && s.Kind == blocking.IO {
			return true
		}
	}
	return false
}

// behind yields the instructions of the functions of this package that from may run, goroutines and functions that are
// handed on included.
func (c *checker) behind(from ssa.CallInstruction) iter.Seq[ssa.Instruction] {
	common := from.Common()
	start := []*ssa.Function{c.pkg.Callee(common)}
	for _, a := range common.Args {
		if flow.IsFunc(a) {
			start = append(start, flow.FuncValue(a))
		}
	}
	return c.reached(start...)
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
