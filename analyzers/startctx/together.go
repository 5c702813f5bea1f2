package startctx

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// together reports the waits for a group of goroutines of which one runs a manager, and another goes on when the manager has ended by
// itself: it has lost its lease, or one of its Runnables has failed. The process stays then without its controllers, and nobody
// starts it again.
func (c *checker) together(fn *ssa.Function) {
	flow.Calls(fn, func(at ssa.CallInstruction) {
		wait, ok := at.(*ssa.Call)
		if !ok || !c.waitsForGoroutines(&wait.Call) {
			return
		}
		group := flow.Recv(&wait.Call)
		members := c.members(fn, group)
		if group == nil || len(members) < 2 || !isLocal(group) || cancels(fn) {
			return
		}
		for _, m := range members {
			start := c.runsManager(m)
			if start == nil {
				continue
			}
			for _, other := range members {
				if op := c.outlives(other); other != m && op != nil {
					c.report(rule.Finding{
						Pos: flow.Pos(wait), Sub: "unmanaged",
						Message: fmt.Sprintf("%s waits for the manager (line %d) and for what the end of the manager does not end: when its lease is lost, or a Runnable fails, %s at line %d, and the process stays without controllers; end both together, as an errgroup WithContext does",
							flow.FuncName(fn), c.line(flow.Pos(start)), op.text, c.line(op.pos)),
						Related: []analysis.RelatedInformation{{Pos: flow.Pos(start), Message: "the manager runs here"}, {Pos: op.pos, Message: "this goes on"}},
					})
					return
				}
			}
		}
	})
}

// members are the functions that fn runs as goroutines of group: by a method of it, or with a deferred Done.
func (c *checker) members(fn *ssa.Function, group ssa.Value) (out []*ssa.Function) {
	if group == nil {
		return nil
	}
	same := func(v ssa.Value) bool { return v != nil && flow.PathOf(v) == flow.PathOf(group) }
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if callee := flow.Callee(call.Common()); blocking.StartsMember(callee) && same(flow.Recv(call.Common())) {
			args := flow.Args(call.Common())
			if m := c.pkg.Own(flow.FuncValue(args[len(args)-1])); m != nil {
				out = append(out, m)
			}
			return
		}
		spawn, ok := call.(*ssa.Go)
		if !ok {
			return
		}
		m := c.pkg.Own(flow.FuncValue(spawn.Call.Value))
		if m == nil {
			return
		}
		flow.Calls(m, func(in ssa.CallInstruction) {
			if _, late := in.(*ssa.Defer); late && (kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}).Is(flow.Callee(in.Common())) && same(flow.Recv(in.Common())) {
				out = append(out, m)
			}
		})
	})
	return out
}

// isLocal reports whether group is a variable of the function, and so none that comes with a context, which ends when one of its members fails.
func isLocal(group ssa.Value) bool {
	_, ok := flow.Resolve(group).(*ssa.Alloc)
	return ok
}

// cancels reports whether fn, before it returns, or a literal in it calls a function that cancels a context: the one end may bring about the other.
func cancels(fn *ssa.Function) bool {
	found := false
	for _, f := range append([]*ssa.Function{fn}, flow.Literals(fn)...) {
		flow.Calls(f, func(call ssa.CallInstruction) {
			_, late := call.(*ssa.Defer)
			found = found || !(late && f == fn) && isCancel(call)
		})
	}
	return found
}

// runsManager is the call by which fn runs a manager, where nothing but words about it follows; nil for none.
func (c *checker) runsManager(fn *ssa.Function) (start *ssa.Call) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if in, ok := call.(*ssa.Call); ok && (kube.Symbol{Pkg: kube.Manager, Recv: "Manager", Name: "Start"}).Is(flow.Callee(&in.Call)) {
			start = in
		}
	})
	if start == nil {
		return nil
	}
	acts := false
	flow.Calls(fn, func(call ssa.CallInstruction) {
		_, late := call.(*ssa.Defer)
		if call == ssa.CallInstruction(start) || !late && !flow.Reaches(start, call, nil) {
			return
		}
		callee := flow.Callee(call.Common())
		done := callee != nil && kube.SymbolOf(callee) == kube.Symbol{Pkg: "sync", Recv: "WaitGroup", Name: "Done"}
		acts = acts || !done && !kube.Logs(callee) && !kube.MakesError(callee)
	})
	if acts {
		return nil
	}
	return start
}

// outlives is what fn, or what it calls, waits for until somebody from outside ends it: a server, a component, or the end of a context.
func (c *checker) outlives(fn *ssa.Function) *operation {
	for f := range c.pkg.Reach(program.Calls, fn) {
		for in := range flow.Instrs(f) {
			if text := c.lastsUntilTold(in, fn); text != "" {
				return &operation{flow.Pos(in), text, f, nil}
			}
		}
	}
	return nil
}

// lastsUntilTold is the clause for what goes on until somebody ends it who is not the manager, in a goroutine that runs from.
func (c *checker) lastsUntilTold(in ssa.Instruction, from *ssa.Function) string {
	switch in := in.(type) {
	case *ssa.UnOp:
		if ctx := blocking.DoneOf(in.X); ctx != nil && !in.CommaOk && c.bounds.Of(ctx, nil).Limit != blocking.Deadline {
			return "the receive from " + spell(in.X) + " goes on"
		}
	case *ssa.Call:
		if s, ok := c.serveOf(&in.Call); ok && !slices.ContainsFunc(s.Ends, func(v ssa.Value) bool { return c.shutDownOutside(v, from) }) {
			return s.What + " goes on serving"
		}
		if w, ok := c.table.Call(&in.Call); ok && w.Kind == blocking.Run {
			return w.What + " goes on"
		}
	}
	return ""
}

// shutDownOutside reports whether something else than the goroutine that runs from, or what that starts, shuts v down.
func (c *checker) shutDownOutside(v ssa.Value, from *ssa.Function) bool {
	if !c.bounds.ShutDown(v) {
		return false
	}
	inside := false
	for f := range c.pkg.Reach(program.Calls|program.Spawns, from) {
		flow.Calls(f, func(call ssa.CallInstruction) {
			fn := flow.Callee(call.Common())
			inside = inside || fn != nil && blocking.IsShutdown(fn.Name()) && flow.Recv(call.Common()) != nil &&
				flow.Resolve(flow.Recv(call.Common())) == flow.Resolve(v)
		})
	}
	return !inside
}
