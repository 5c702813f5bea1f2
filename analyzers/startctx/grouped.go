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

// A member of a group is a literal that the group runs, or something else that it does.
type member struct {
	start ssa.CallInstruction
	lit   *ssa.Function // nil where it is none
}

// grouped reports the members of an error group that go on until the context ends of which that of the group is made: where another member fails, the
// context of the group ends, and who waits for the group waits for them nevertheless.
func (c *checker) grouped(fn *ssa.Function) {
	flow.Calls(fn, func(at ssa.CallInstruction) {
		made, ok := at.(*ssa.Call)
		if !ok || !(kube.Symbol{Pkg: "golang.org/x/sync/errgroup", Name: "WithContext"}).Is(flow.Callee(&made.Call)) {
			return
		}
		parent, ok := flow.Resolve(made.Call.Args[0]).(*ssa.Parameter)
		group, ctx := flow.Extracted(made, 0), flow.Extracted(made, 1)
		if !ok || group == nil || ctx == nil || !flow.Used(ctx) || !c.waitsForGroup(fn, group) {
			return
		}
		members := membersOf(fn, group)
		for _, m := range members {
			if m.lit == nil || captures(m.lit, ctx) {
				continue
			}
			until := c.lastsUntil(m.lit, parent)
			if until == nil {
				continue
			}
			for _, other := range members {
				if other.start == m.start || !mayFail(other.lit) {
					continue
				}
				c.report(rule.Finding{
					Pos: flow.Pos(until), Sub: "replaced", Site: "ungrouped-wait",
					Message: fmt.Sprintf("this goes on until %s ends, and not with its group: where another member of it fails (line %d), the context that errgroup.WithContext has given ends, and %s waits for this one nevertheless; use that context here",
						parent.Name(), c.line(flow.Pos(other.start)), flow.FuncName(fn)),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(made), Message: "the group is made here"}, {Pos: flow.Pos(other.start), Message: "this member may fail"}},
				})
				break
			}
		}
	})
}

// waitsForGroup reports whether fn waits for group.
func (c *checker) waitsForGroup(fn *ssa.Function, group ssa.Value) (waits bool) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		recv := flow.Recv(call.Common())
		waits = waits || recv != nil && flow.Resolve(recv) == group && c.waitsForGoroutines(call.Common())
	})
	return waits
}

// membersOf are the members that fn starts in group.
func membersOf(fn *ssa.Function, group ssa.Value) (members []member) {
	flow.Calls(fn, func(call ssa.CallInstruction) {
		if !blocking.StartsMember(flow.Callee(call.Common())) || flow.Resolve(flow.Recv(call.Common())) != group {
			return
		}
		lit := flow.FuncValue(flow.Args(call.Common())[0])
		if lit != nil && lit.Parent() != fn {
			lit = nil
		}
		members = append(members, member{call, lit})
	})
	return members
}

// captures reports whether the literal lit has v, or its variable.
func captures(lit *ssa.Function, v ssa.Value) bool {
	for _, free := range lit.FreeVars {
		b := flow.Binding(free)
		if b == nil || flow.Resolve(b) == v || flow.SingleStore(b) == v {
			return true
		}
	}
	return false
}

// mayFail reports whether the literal lit may give an error; true for nil.
func mayFail(lit *ssa.Function) bool {
	if lit == nil {
		return true
	}
	for ret := range flow.Returns(lit) {
		if i := flow.ErrorResult(lit.Signature); i >= 0 && !flow.IsNil(ret.Results[i]) {
			return true
		}
	}
	return false
}

// lastsUntil is where lit waits, for nothing else, until ctx ends, by itself or in what it runs; nil for nowhere.
func (c *checker) lastsUntil(lit *ssa.Function, ctx *ssa.Parameter) ssa.Instruction {
	for in := range flow.Instrs(lit) {
		switch in := in.(type) {
		case *ssa.UnOp:
			if done := blocking.DoneOf(in.X); done != nil && in.Op == token.ARROW && c.endsWith(done, ctx) {
				return in
			}
		case *ssa.Call:
			args := flow.Args(&in.Call)
			if kind, i, ok := c.table.Given(flow.Callee(&in.Call)); ok && kind == blocking.Run && i >= 0 && i < len(args) && c.endsWith(contextBehind(args[i]), ctx) {
				return in
			}
			run := c.pkg.Callee(&in.Call)
			for i, a := range flow.AllArgs(&in.Call) {
				if run != nil && i < len(run.Params) && kube.IsContext(a.Type()) && c.endsWith(a, ctx) && loopsUntil(run, run.Params[i]) && endsAlone(run, run.Params[i]) {
					return in
				}
			}
		}
	}
	return nil
}

// contextBehind is the context that stop is or tells of the end of, or stop itself.
func contextBehind(stop ssa.Value) ssa.Value {
	if ctx := blocking.DoneOf(stop); ctx != nil {
		return ctx
	}
	return stop
}
