package startctx

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/controllers"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// Fails is the fact of a function that surely gives an error once the context which it is given has ended: it asks a server with it.
type Fails struct {
	Param int // the index of the context in ssa.Function.Params
}

// AFact marks Fails as a fact.
func (*Fails) AFact() {}

// String is for the tests of facts.
func (f *Fails) String() string { return fmt.Sprintf("fails when p%d has ended", f.Param) }

// retries reports the loops that take the error of an ended context for one that passes: each request with that context fails at once,
// the loop asks again, and nothing leaves it. The contexts are those of runnables and reconcilers, in what these call and wait for, and
// those with a deadline.
func (c *checker) retries() {
	seen := map[ended]bool{}
	for _, r := range c.runnables {
		c.retriesOf(ended{r.Fn, r.Stop}, afterStop(r), c.awaited(r), seen)
	}
	for _, fn := range c.pkg.Funcs {
		if ctx := atHand(fn); ctx != nil && kube.IsReconcile(flow.Object(fn)) {
			r := controllers.Runnable{Fn: fn, Stop: ctx, Managed: true}
			c.retriesOf(ended{fn, ctx}, afterStop(r), c.awaited(r), seen)
		}
	}
	for _, fn := range c.pkg.Funcs {
		flow.Calls(fn, func(call ssa.CallInstruction) {
			c.endedArgs(call, func(arg ssa.Value) bool { return c.bounds.Of(arg, nil).Limit == blocking.Deadline }, func(e ended) {
				c.retriesOf(e, "for ever", nil, seen)
			})
		})
	}
}

// retriesOf reports those of e and of what it calls, which is in awaited unless that is nil; how is how long they go on.
func (c *checker) retriesOf(e ended, how string, awaited map[*ssa.Function]bool, seen map[ended]bool) {
	if seen[e] || awaited != nil && !awaited[e.fn] {
		return
	}
	seen[e] = true
	c.retriesIn(e, how)
	flow.Calls(e.fn, func(call ssa.CallInstruction) {
		further := func(e ended) { c.retriesOf(e, how, awaited, seen) }
		c.endedArgs(call, func(arg ssa.Value) bool { return c.endsWith(arg, e.ctx) }, further)
		for _, v := range append(slices.Clip(flow.Args(call.Common())), call.Common().Value) {
			if lit := c.pkg.Own(flow.FuncValue(v)); flow.IsFunc(v) && lit != nil && lit.Parent() != nil {
				further(ended{lit, e.ctx})
			}
		}
	})
}

// endedArgs yields the functions that call may run, with the context that they are given, where has says that it has ended.
func (c *checker) endedArgs(call ssa.CallInstruction, has func(ssa.Value) bool, yield func(ended)) {
	if !slices.ContainsFunc(flow.Args(call.Common()), func(a ssa.Value) bool { return kube.IsContext(a.Type()) && has(a) }) {
		return
	}
	args := flow.AllArgs(call.Common())
	for _, callee := range c.pkg.MayRun(call) {
		from := 0
		if callee.Signature.Recv() != nil && len(args) == len(callee.Params)-1 {
			from = 1 // the method value has its receiver
		}
		for i, a := range args {
			if i+from < len(callee.Params) && kube.IsContext(a.Type()) && has(a) {
				yield(ended{callee, callee.Params[i+from]})
			}
		}
	}
}

// ended is a function, or a literal in one, in a world in which the context that is a parameter has ended.
type ended struct {
	fn  *ssa.Function
	ctx *ssa.Parameter
}

// retriesIn reports the loops of e that nothing leaves any more.
func (c *checker) retriesIn(e ended, how string) {
	var view *ways.View
	for _, l := range flow.Loops(e.fn) {
		if !unconditional(l) {
			continue
		}
		var asks *ssa.Call
		l.Instrs(func(in ssa.Instruction) {
			if call, ok := in.(*ssa.Call); ok && asks == nil && c.failsAfter(call, e.ctx) {
				asks = call
			}
		})
		if asks == nil || c.seen[asks] || len(l.Exits()) == 0 && c.goesOnIn(l) {
			continue
		}
		if view == nil {
			view = c.after(e)
		}
		if leavesLoop(view, l) || !view.From(l.Header)[asks.Block()] && asks.Block() != l.Header {
			continue
		}
		c.seen[asks] = true
		c.report(rule.Finding{
			Pos: flow.Pos(asks), Sub: "loop", Site: "retried-end",
			Message: fmt.Sprintf("once %s has ended %s fails at once, and the loop in %s takes that for an error that passes: it asks again and again, and goes on %s; leave it where %s.Err() is not nil",
				e.ctx.Name(), c.called(asks), flow.FuncName(e.fn), how, e.ctx.Name()),
			Related: []analysis.RelatedInformation{{Pos: e.ctx.Pos(), Message: "the context that has ended"}},
		})
	}
}

// goesOnIn reports whether l waits by something that endlessLoops knows.
func (c *checker) goesOnIn(l *flow.Loop) bool {
	found := false
	l.Instrs(func(in ssa.Instruction) { found = found || c.pause(in) != "" })
	return found
}

// leavesLoop reports whether some way from the header of l leaves it.
func leavesLoop(view *ways.View, l *flow.Loop) bool {
	for b := range view.From(l.Header) {
		if !l.Blocks[b] {
			return true
		}
	}
	return false
}

// after is e.fn in a world in which the context of e has ended.
func (c *checker) after(e ended) *ways.View {
	return ways.See(e.fn, func(x ssa.Value) flow.Truth {
		call, ok := x.(*ssa.Call)
		switch {
		case !ok:
		case kube.EndAsked(call) != nil && c.endsWith(call.Call.Value, e.ctx):
			return flow.No
		case kube.AsksKind(flow.Callee(&call.Call)):
			if failed, _ := flow.ResultOf(flow.Resolve(call.Call.Args[0])); failed != nil && c.failsAfter(failed, e.ctx) {
				return flow.No
			}
		}
		return flow.Either
	}, func(_ *ways.View, call *ssa.Call) []flow.Truth {
		if !c.failsAfter(call, e.ctx) {
			return nil
		}
		out := make([]flow.Truth, call.Call.Signature().Results().Len())
		out[flow.ErrorResult(call.Call.Signature())] = flow.No
		return out
	})
}

// failsAfter reports whether call surely gives an error once ctx has ended: it asks a server with it, or a function that does.
func (c *checker) failsAfter(call *ssa.Call, ctx *ssa.Parameter) bool {
	if flow.ErrorResult(call.Call.Signature()) < 0 {
		return false
	}
	for i, a := range flow.AllArgs(&call.Call) {
		if !kube.IsContext(a.Type()) || !c.endsWith(a, ctx) {
			continue
		}
		if own := c.pkg.Callee(&call.Call); own != nil { // its body says it, whatever it is called
			return i < len(own.Params) && c.failsWhen(own.Params[i])
		}
		if s, ok := c.table.SlowOf(call); ok && s.Kind == blocking.IO {
			return !s.Cached
		}
		var f Fails
		if callee := flow.StaticCallee(&call.Call); callee != nil && flow.Object(callee) != nil {
			return c.pass.ImportObjectFact(flow.Object(callee), &f) && f.Param == i
		}
	}
	return false
}

// failsWhen reports whether the function of ctx surely gives an error once that has ended.
func (c *checker) failsWhen(ctx *ssa.Parameter) bool {
	return c.failing.Ask(ctx, false, func() bool {
		i := flow.ErrorResult(ctx.Parent().Signature)
		results := c.after(ended{ctx.Parent(), ctx}).Results()
		return i >= 0 && i < len(results) && results[i] == flow.No
	})
}

// exportFails tells importing packages of the functions that fail when their context has ended.
func (c *checker) exportFails() {
	for _, fn := range c.pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || flow.ErrorResult(fn.Signature) < 0 {
			continue
		}
		for i, p := range fn.Params {
			if kube.IsContext(p.Type()) && c.failsWhen(p) {
				c.pass.ExportObjectFact(obj, &Fails{i})
				break
			}
		}
	}
}

// endsWith reports whether the context v ends when p does: it is p, or made of it, with values, a deadline or a cancel function added.
func (c *checker) endsWith(v ssa.Value, p *ssa.Parameter) bool {
	for {
		if c.derivedFrom(v, p) {
			return true
		}
		call, _ := flow.ResultOf(flow.Resolve(v))
		if call == nil || len(call.Call.Args) == 0 || kube.SymbolOf(flow.Callee(&call.Call)).Pkg != "context" || !kube.IsContext(call.Call.Args[0].Type()) ||
			flow.Callee(&call.Call).Name() == "WithoutCancel" {
			return false
		}
		v = call.Call.Args[0]
	}
}
