package blocking

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// ended reports whether the context ctx must have ended when control reaches the instruction at: on every path, the
// function has canceled it, or has received from its Done channel.
func ended(ctx ssa.Value, at ssa.Instruction) bool {
	received := map[*ssa.If]bool{} // by the case of its true side
	for sel := range flow.InstrsOf[*ssa.Select](at.Parent()) {
		for i, st := range sel.States {
			if test := flow.CaseTest(sel, i); test != nil && sameContext(DoneOf(st.Chan), ctx) {
				received[test] = true
			}
		}
	}
	ends := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.UnOp:
			return in.Op == token.ARROW && sameContext(DoneOf(in.X), ctx)
		case *ssa.Call:
			return callMayCancel(&in.Call, ctx, map[*ssa.Function]bool{})
		}
		return false
	}
	return !flow.Search{Goal: func(in ssa.Instruction) bool { return in == at }, Barrier: ends, Edge: func(from, to *ssa.BasicBlock) bool {
		test, t := flow.EdgeTest(from, to)
		return t != flow.True || !received[test]
	}}.From(at.Parent().Blocks[0])
}

// sameContext reports whether two contexts, one of which may be nil, must be the same.
func sameContext(x, y ssa.Value) bool {
	if x == nil || y == nil {
		return false
	}
	p, q := flow.PathOf(x), flow.PathOf(y)
	return flow.Resolve(x) == flow.Resolve(y) || p.Known() && p == q
}

// callMayCancel reports whether the callee of call may cancel ctx, itself or by a function of the package that it
// calls.
func callMayCancel(call *ssa.CallCommon, ctx ssa.Value, seen map[*ssa.Function]bool) bool {
	if mayCancel(call.Value, ctx) {
		return true
	}
	fn := flow.StaticCallee(call)
	if fn == nil || seen[fn] {
		return false
	}
	seen[fn] = true
	return flow.Any(flow.Calls(fn), func(c ssa.CallInstruction) bool { return callMayCancel(c.Common(), ctx, seen) })
}

// mayCancel reports whether a call of f may cancel ctx: f is a cancel function, and not one that is known to belong
// to a context other than ctx and its ancestors.
func mayCancel(f, ctx ssa.Value) bool {
	if !kubeapi.IsCancel(f.Type()) {
		return false
	}
	with := derivation(f)
	if with == nil {
		return true
	}
	for c := derivation(ctx); c != nil; c = derivation(flow.Args(&c.Call)[0]) {
		if c == with {
			return true
		}
	}
	return derivation(ctx) == nil
}

// derivation returns the call of package context that returns v, a context or its cancel function; nil if it is not
// known.
func derivation(v ssa.Value) *ssa.Call {
	v = flow.Resolve(v)
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	c, ok := v.(*ssa.Call)
	if !ok || kubeapi.SymbolOf(flow.Callee(&c.Call)).Pkg != "context" || len(flow.Args(&c.Call)) == 0 {
		return nil
	}
	return c
}
