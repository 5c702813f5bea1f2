package blocking

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// ended reports whether the context ctx has ended whenever control comes to the instruction at: on every way there the function
// has cancelled it, or has received from its Done channel already.
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

// sameContext reports whether two contexts, one of which may be nil, are one for certain.
func sameContext(x, y ssa.Value) bool {
	if x == nil || y == nil {
		return false
	}
	p, q := flow.PathOf(x), flow.PathOf(y)
	return flow.Resolve(x) == flow.Resolve(y) || p.Known() && p == q
}

// callMayCancel reports whether call is one of a function that may cancel ctx, or of one of the package that calls such a function.
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

// mayCancel reports whether a call of f may cancel ctx: f is a function that cancels a context, and not one that is seen to be of
// another context than ctx and those it comes from.
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

// derivation is the call of package context that gives v, a context or what cancels it; nil where that is not seen.
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
