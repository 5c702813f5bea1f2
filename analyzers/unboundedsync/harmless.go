package unboundedsync

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// harmless reports whether nobody is worse off for the wait w of call, which end does not end: it is a poll that makes one round,
// or that its own condition ends, a goroutine is in it for which nobody waits, or the process alone.
func (c *checker) harmless(call ssa.CallInstruction, w wait, end blocking.Bound) bool {
	return w.Kind == blocking.Poll && (c.oneRound(call) || c.endsItself(call)) || c.alone(call) || c.keepsNobody(call, w, end)
}

// oneRound reports whether the condition that call, a poll, is given never asks for another round: it says that it holds, or gives an error.
func (c *checker) oneRound(call ssa.CallInstruction) bool {
	for _, a := range flow.Args(call.Common()) {
		cond := c.pkg.Own(flow.FuncValue(a))
		if cond == nil || cond.Signature.Results().Len() != 2 {
			continue
		}
		some := false
		for ret := range flow.Returns(cond) {
			some = true
			k, constant := ret.Results[0].(*ssa.Const)
			if constant && k.Value != nil && k.Value.ExactString() == "true" || paths.Fails(ret) {
				continue
			}
			return false
		}
		return some
	}
	return false
}

// endsItself reports whether the condition that call, a poll, is given asks for a context or stop channel that may fire, and ends the poll then.
func (c *checker) endsItself(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(flow.Args(call.Common()), func(a ssa.Value) bool {
		cond := c.pkg.Own(flow.FuncValue(a))
		return cond != nil && cond.Signature.Results().Len() == 2 && flow.Any(flow.Instrs(cond), c.endsPoll)
	})
}

// endsPoll reports whether in asks whether something has fired that may fire, and what follows then ends the poll of which it is the condition.
func (c *checker) endsPoll(in ssa.Instruction) bool {
	fires := func(v ssa.Value) bool { return c.bounds.Of(v, in).Limit != blocking.Never }
	var then *ssa.BasicBlock
	switch in := in.(type) {
	case *ssa.Select:
		for i, s := range in.States {
			if s.Dir == types.RecvOnly && blocking.IsBound(s.Chan.Type()) && fires(s.Chan) {
				then = flow.CaseOf(in, i)
			}
		}
	case *ssa.If:
		x, isNil, ok := flow.NilTest(in.Cond)
		if ctx := kubeapi.EndAsked(x); ok && ctx != nil && fires(ctx) {
			then = flow.Side(in, flow.False)
			if !isNil {
				then = flow.Side(in, flow.True)
			}
		}
	}
	if then == nil {
		return false
	}
	return flow.Any(flow.Returns(then.Parent()), func(ret *ssa.Return) bool {
		return then.Dominates(ret.Block()) && (flow.ConstTruth(ret.Results[0]) == flow.True || blocking.SurelyError(ret.Results[1], ret.Block()))
	})
}

// alone reports whether call is made by a goroutine that is started once, outside of loops and of what reconciles, and where nobody
// hears of its end: all that is amiss is that it goes on until the process ends.
func (c *checker) alone(call ssa.CallInstruction) bool {
	fn := call.Parent()
	starts := c.pkg.Callers(fn)
	if len(starts) == 0 && !c.again(fn) {
		starts = handedTo(fn)
	}
	if len(starts) == 0 {
		return false
	}
	for _, s := range starts {
		if _, spawned := s.(*ssa.Go); !spawned || flow.InLoop(s.Block()) || c.again(s.Parent()) {
			return false
		}
	}
	return !flow.Any(flow.Instrs(fn), tells)
}

// handedTo are the calls that get the function literal fn, where nothing else has it.
func handedTo(fn *ssa.Function) (calls []ssa.CallInstruction) {
	mc := flow.ClosureSite(fn)
	if mc == nil {
		return nil
	}
	for in := range values.Uses(mc) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return nil
		}
		calls = append(calls, call)
	}
	return calls
}

// again reports whether fn is one that is run again and again: for each request of a reconciler, or each event. What of other packages is run
// like that is noted on the way.
func (c *checker) again(fn *ssa.Function) bool {
	if c.repeated == nil {
		c.repeated, c.elsewhere = map[*ssa.Function]bool{}, map[*types.Func]bool{}
		roots := c.turns()
		runs := func(v ssa.Value) {
			if fn := flow.FuncValue(v); c.pkg.Own(fn) != nil {
				roots = append(roots, c.pkg.Own(fn))
			} else if fn != nil {
				c.elsewhere[flow.Object(fn)] = true
			}
		}
		for _, h := range kubeapi.Handlers(c.pkg) {
			for _, part := range []kubeapi.HandlerFunc{h.Created, h.Updated, h.Deleted} {
				if part.Val != nil {
					runs(part.Val)
				}
			}
		}
		for _, f := range c.pkg.Funcs {
			if f.Name() == "ServeHTTP" || servesHTTP(f) || servesGRPC(f) {
				roots = append(roots, f)
			}
			for call := range flow.Calls(f) {
				// what wait.Until and its kin run
				if kind, _, ok := c.table.Given(flow.Callee(call.Common())); ok && kind == blocking.Run {
					for _, a := range flow.Args(call.Common()) {
						runs(a)
					}
				}
			}
		}
		for f := range c.pkg.Reach(program.Calls|program.Spawns|program.Mentions, roots...) {
			c.repeated[f] = true
		}
	}
	return c.repeated[fn]
}

// servesHTTP reports whether fn takes what a handler of HTTP requests does.
func servesHTTP(fn *ssa.Function) bool {
	p := fn.Params
	if fn.Signature.Recv() != nil {
		p = p[1:]
	}
	return len(p) == 2 && kubeapi.IsType(p[0].Type(), "net/http", "ResponseWriter") && kubeapi.IsType(p[1].Type(), "net/http", "Request")
}

// servesGRPC reports whether fn is a method that has the parameters of one which serves calls of gRPC: a message, or a stream of them.
func servesGRPC(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Recv() == nil || !token.IsExported(fn.Name()) || flow.ErrorResult(sig) < 0 {
		return false
	}
	p := fn.Params[1:]
	switch {
	case len(p) == 0 || len(p) > 2:
		return false
	case sig.Results().Len() == 1: // the answers are sent on the stream
		last := p[len(p)-1].Type()
		return types.IsInterface(last) && kubeapi.HasMethod(last, "SendMsg") && kubeapi.HasMethod(last, "Context")
	}
	return len(p) == 2 && sig.Results().Len() == 2 && kubeapi.IsContext(p[0].Type()) && kubeapi.HasMethod(p[1].Type(), "ProtoMessage")
}

// tells reports whether others hear of in: a send, a close, the Done of a group, an unlock.
func tells(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		fn := flow.Callee(in.Common())
		return fn == nil || fn.Pkg() != nil && fn.Pkg().Path() == "sync" // a function value may cancel something
	}
	return false
}

// turns are the reconcilers and the handlers of events of the package.
func (c *checker) turns() (fns []*ssa.Function) {
	for _, f := range c.pkg.Funcs {
		if kubeapi.IsReconcile(flow.Object(f)) {
			fns = append(fns, f)
		}
	}
	for _, h := range kubeapi.Handlers(c.pkg) {
		fns = slices.Concat(fns, h.Created.Fns, h.Updated.Fns, h.Deleted.Fns)
	}
	return fns
}
