package finalizerorder

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// A deletion that has failed harms nobody where somebody looks behind it whether any of these objects is left: the finalizer goes once there is none.

// seenGone reports whether control comes from the cleanup call, in which inner asks for the deletion of an object, to the removal r only where a list of
// objects of that kind has come out empty.
func (a *analyzer) seenGone(call, inner *ssa.Call, r event) bool {
	kind := deletedType(inner)
	if kind == nil || r.deferred {
		return false
	}
	return !flow.BlocksAlong(func(from, to *ssa.BasicBlock) bool {
		test, t := flow.EdgeTest(from, to)
		return t == flow.Unknown || !a.saysNone(test.Cond, t, kind)
	}, call.Block())[r.in.Block()]
}

// saysNone reports whether cond is t only where a list of objects of that kind is empty: it asks so itself, or a function of the package does, which gives that alone.
func (a *analyzer) saysNone(cond ssa.Value, t flow.Truth, kind *types.Named) bool {
	cond, is := flow.StripNot(cond)
	if !is {
		t = t.Not()
	}
	if asksNone(cond, t, kind) {
		return true
	}
	if x, isNil, ok := flow.NilTest(cond); ok && flow.IsError(x.Type()) {
		cond, t = flow.Resolve(x), flow.TruthOf(t == flow.TruthOf(isNil)) // yes where it gives none
	}
	look, ok := cond.(*ssa.Call)
	if !ok || look.Call.Signature().Results().Len() != 1 || flow.IsError(look.Type()) && t == flow.False {
		return false
	}
	callee := a.pkg.Callee(&look.Call)
	if callee == nil {
		return false
	}
	return !flow.Any(flow.Returns(callee), func(ret *ssa.Return) bool {
		gives := flow.Resolve(ret.Results[0])
		return !paths.Fails(ret) && flow.ConstTruth(gives) != t.Not() && !asksNone(gives, t, kind) && !behindNone(ret.Block(), kind)
	})
}

// behindNone reports whether the path condition of b implies that a list of objects of that kind is empty.
func behindNone(b *ssa.BasicBlock, kind *types.Named) bool {
	return flow.Any2(paths.Facts(b), func(v ssa.Value, empty flow.Truth) bool { return empty == flow.True && isListOf(v, kind) })
}

// asksNone reports whether cond is t only if a list of objects of that kind is empty.
func asksNone(cond ssa.Value, t flow.Truth, kind *types.Named) bool {
	return flow.Any2(paths.Implied(cond, t), func(v ssa.Value, empty flow.Truth) bool { return empty == flow.True && isListOf(v, kind) })
}

// isListOf reports whether v is the list of objects of that kind that a request has given.
func isListOf(v ssa.Value, kind *types.Named) bool {
	return isSlice(v) && listed(v.Type()) == kind && isListed(v)
}

// isListed reports whether a request for a list, whose error somebody asks for, has filled the list, or given it.
func isListed(list ssa.Value) bool {
	root := flow.PathOf(list).Root
	in, ok := root.(ssa.Instruction)
	if !ok {
		return false
	}
	given, _ := flow.ResultOf(root)
	found := false
	for c := range flow.Calls(in.Parent()) {
		call, ok := c.(*ssa.Call)
		if !ok {
			continue
		}
		r, ok := kubeapi.RequestOf(&call.Call)
		if !ok || r.Verb != kubeapi.VerbList || flow.ErrorOf(call) == nil || len(*flow.ErrorOf(call).Referrers()) == 0 {
			continue
		}
		found = found || call == given
		for _, arg := range flow.Args(&call.Call) {
			found = found || flow.PathOf(flow.Unwrap(arg)).Root == root
		}
	}
	return found
}
