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

// startedBriefly reports the informers that fn starts with a context that it has given a timeout, to wait until they have synced, where it goes on to
// serve, or to run things, behind that: the timeout ends the informers, too, and what they keep is as old as that from then on.
func (c *checker) startedBriefly(fn *ssa.Function) {
	flow.Calls(fn, func(start ssa.CallInstruction) {
		if !c.startsInformers(start) || flow.InLoop(start.Block()) {
			return
		}
		ctx := timed(start)
		if ctx == nil || !c.onlySyncs(ctx) {
			return
		}
		on := c.goesOnBehind(start)
		if on == nil {
			return
		}
		c.report(rule.Finding{
			Pos: flow.Pos(start), Sub: "replaced", Site: "sync-timeout-context",
			Message: fmt.Sprintf("%s gets the context with the timeout for the caches to sync: when that is over the informers end, and %s goes on (line %d) with what they had then; start them with a context that lasts",
				c.called(start), flow.FuncName(fn), c.line(flow.Pos(on))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(ctx.Tuple.(*ssa.Call)), Message: "the timeout is set here"}},
		})
	})
}

// startsInformers reports whether call starts informers that go on: those of a factory, or on a goroutine of their own an informer or a cache.
func (c *checker) startsInformers(call ssa.CallInstruction) bool {
	callee, recv := flow.Callee(call.Common()), flow.Recv(call.Common())
	if callee == nil || recv == nil {
		return false
	}
	if kube.IsInformerFactory(recv.Type()) {
		return callee.Name() == "Start" || callee.Name() == "StartWithContext"
	}
	_, spawned := call.(*ssa.Go)
	kind, _, ok := c.table.Given(callee)
	return spawned && ok && kind == blocking.Run && (kube.IsInformer(recv.Type()) || kube.SymbolOf(callee).Pkg == kube.CRCache)
}

// timed is the context with a timeout or deadline that the function of call has made, and that call is given, or the Done channel of; nil for others.
func timed(call ssa.CallInstruction) *ssa.Extract {
	for _, arg := range flow.Args(call.Common()) {
		if ctx := blocking.DoneOf(arg); ctx != nil {
			arg = ctx
		}
		x, ok := flow.Resolve(arg).(*ssa.Extract)
		if !ok || x.Index != 0 || x.Parent() != call.Parent() {
			continue
		}
		made, ok := x.Tuple.(*ssa.Call)
		if !ok {
			continue
		}
		if s := kube.SymbolOf(flow.Callee(&made.Call)); s.Pkg == "context" && blocking.SetsDeadline(s.Name) {
			return x
		}
	}
	return nil
}

// onlySyncs reports whether ctx, or its Done channel, goes to those alone that start informers and wait for their caches, and to one that waits: the
// timeout is for that. Where others have it, too, it may be for all that is done.
func (c *checker) onlySyncs(ctx ssa.Value) bool {
	waits := false
	var only func(v ssa.Value) bool
	only = func(v ssa.Value) bool {
		for _, r := range *v.Referrers() {
			if _, debug := r.(*ssa.DebugRef); debug {
				continue
			}
			if conv, ok := r.(*ssa.ChangeType); ok && only(conv) {
				continue
			}
			call, ok := r.(ssa.CallInstruction)
			if !ok {
				return false
			}
			if done, ok := r.(*ssa.Call); ok && blocking.DoneOf(done) == v {
				if !only(done) {
					return false
				}
				continue
			}
			kind, _, ok := c.table.Given(flow.Callee(call.Common()))
			syncs := ok && kind == blocking.CacheSync
			if !syncs && !c.startsInformers(call) {
				return false
			}
			waits = waits || syncs
		}
		return true
	}
	return only(ctx) && waits
}

// goesOnBehind is where the function of start serves behind it, runs a component, or waits for the end of a context; nil where it does none of these.
func (c *checker) goesOnBehind(start ssa.CallInstruction) ssa.Instruction {
	for in := range flow.Instrs(start.Parent()) {
		if in == ssa.Instruction(start) || !c.goesOnAt(in) || !flow.Reaches(start, in, nil) {
			continue
		}
		return in
	}
	return nil
}

// comesFromOutside reports whether ch is the Done channel of a context without a deadline, or a stop channel that the function is given.
func (c *checker) comesFromOutside(ch ssa.Value) bool {
	b := c.bounds.Of(ch, nil)
	return blocking.IsDone(ch) && (b.Limit == blocking.Parameter || b.Limit == blocking.Signal || blocking.DoneOf(ch) != nil && b.Limit != blocking.Deadline)
}

// goesOnAt reports whether in serves, runs a component, or waits for the end of a context or for ever.
func (c *checker) goesOnAt(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && c.comesFromOutside(in.X)
	case *ssa.Select:
		return in.Blocking && len(in.States) == 0
	case *ssa.Call:
		if _, ok := c.serveOf(&in.Call); ok {
			return true
		}
		w, ok := c.table.Call(&in.Call)
		return ok && w.Kind == blocking.Run
	}
	return false
}
