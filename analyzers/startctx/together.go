package startctx

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
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
						Pos: flow.Pos(wait), Sub: "unmanaged", Site: "waited-companion",
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

// UntilTold is the fact of a function that, where it waits for anything, does so until somebody ends the context or stop channel that it is given, or the process.
type UntilTold struct {
	Text string // how it goes on
	At   link.At
}

// AFact marks UntilTold as a fact.
func (*UntilTold) AFact() {}

// String is for the tests of facts.
func (u *UntilTold) String() string { return fmt.Sprintf("%s at %s", u.Text, u.At) }

// exportUntilTold tells importing packages of the functions that go on until they are told to end.
func (c *checker) exportUntilTold() {
	var first program.Answers[*ssa.Function, *operation]
	var find func(fn *ssa.Function) *operation
	find = func(fn *ssa.Function) *operation {
		return first.Ask(fn, nil, func() *operation {
			if op := c.lastsUntilTold(fn, nil); op != nil {
				return op
			}
			for _, next := range c.pkg.Next(program.Calls, fn) {
				if op := find(next); op != nil {
					return op
				}
			}
			return nil
		})
	}
	for _, fn := range c.pkg.Funcs {
		obj := flow.Object(fn)
		if obj == nil || !obj.Exported() || fn.Parent() != nil {
			continue
		}
		if op := find(fn); op != nil && !givenBy(op) && !c.endsOutside(op, fn) && !c.stoppedOtherwise(fn, op) {
			c.pass.ExportObjectFact(obj, &UntilTold{op.text, link.AtOf(c.pass, op.pos)})
		}
	}
}

// outlives is what fn, or what it calls, waits for until somebody from outside ends it: a server, a component, or the end of a context.
func (c *checker) outlives(fn *ssa.Function) *operation {
	for f := range c.pkg.Reach(program.Calls, fn) {
		if op := c.lastsUntilTold(f, fn); op != nil {
			return op
		}
	}
	return nil
}

// lastsUntilTold is what fn itself waits for until somebody ends it who is not the goroutine that runs from. Without that, it is for the caller to ask who may,
// and counts a context only where fn is given it.
func (c *checker) lastsUntilTold(fn, from *ssa.Function) *operation {
	for in := range flow.Instrs(fn) {
		op := &operation{pos: flow.Pos(in), fn: fn}
		switch in := in.(type) {
		case *ssa.UnOp:
			ctx := blocking.DoneOf(in.X)
			if ctx != nil && !in.CommaOk && (from != nil && c.bounds.Of(ctx, nil).Limit != blocking.Deadline || flow.ParamIndex(fn, flow.Resolve(ctx)) >= 0) {
				op.text = "the receive from " + spell(in.X) + " goes on"
			}
		case *ssa.Call:
			if s, ok := c.serveOf(&in.Call); ok {
				op.text, op.on = s.What+" goes on serving", s.Ends
			} else if w, ok := c.table.Call(&in.Call); ok && w.Kind == blocking.Run {
				op.text = w.What + " goes on"
			} else if u := c.untilTold(&in.Call); u != nil {
				op.text = c.called(in) + " goes on (" + u.String() + ")"
			}
		}
		if op.text != "" && (from == nil || !c.endsOutside(op, from)) {
			return op
		}
	}
	for _, p := range fn.Params {
		if blocking.IsBound(p.Type()) && loopsUntil(fn, p) && endsAlone(fn, p) {
			return &operation{fn.Pos(), flow.FuncName(fn) + " goes on", fn, nil}
		}
	}
	return nil
}

// untilTold is what is known of the function of another package that call runs, where it goes on until it is told to end, and is not by a deadline.
func (c *checker) untilTold(call *ssa.CallCommon) *UntilTold {
	var u UntilTold
	callee := flow.StaticCallee(call)
	if callee == nil || c.pkg.Own(callee) != nil {
		return nil
	}
	obj := flow.Object(callee)
	if obj == nil || !c.pass.ImportObjectFact(obj.Origin(), &u) || slices.ContainsFunc(flow.AllArgs(call), func(a ssa.Value) bool {
		return blocking.IsBound(a.Type()) && c.bounds.Of(a, nil).Limit == blocking.Deadline
	}) {
		return nil
	}
	return &u
}

// endsOutside reports whether something else than the goroutine that runs from, or what that starts, shuts down what op waits for.
func (c *checker) endsOutside(op *operation, from *ssa.Function) bool {
	return slices.ContainsFunc(op.on, func(v ssa.Value) bool { return c.shutDownOutside(v, from) })
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
