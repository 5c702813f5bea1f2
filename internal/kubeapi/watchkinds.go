package kubeapi

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A KindAt is the kind of an object that is passed to a watch at Pos.
type KindAt struct {
	Kind types.Type
	Pos  token.Pos
}

// callsAway limits the calls between a watch and the caller that passes its object.
const callsAway = 2

// CallerKinds returns the kinds of the objects of w that its function does not know: those that callers in the
// package pass, and those of a list literal. There are none if a test of the object decides about the watch.
func (w *Watch) CallerKinds(p Package) []KindAt {
	if w.Kind != nil || w.object == nil {
		return nil
	}
	return givenFor(p, w.object, w.set, w.Pos, callsAway)
}

// SameObject reports whether w and o are set up for one object, whatever its kind.
func (w *Watch) SameObject(o *Watch) bool { return w.object != nil && w.object == o.object }

// givenFor returns the kinds of v, which is passed in block b at pos, at most so many calls away.
func givenFor(p Package, v ssa.Value, b *ssa.BasicBlock, pos token.Pos, calls int) []KindAt {
	v = flow.Resolve(v)
	if OneKind(v.Type()) != nil {
		return []KindAt{{v.Type(), pos}}
	}
	if decides(v, b) {
		return nil
	}
	var all []KindAt
	switch x := v.(type) {
	case *ssa.Parameter:
		eachArgument(p, x, calls, func(call ssa.CallInstruction, a ssa.Value) {
			all = append(all, givenFor(p, a, call.Block(), call.Pos(), calls-1)...)
		})
	case *ssa.UnOp:
		if of, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			return listedFor(p, of.X, pos, calls)
		}
	}
	return all
}

// listedFor returns the kinds of the elements of list, which is passed at pos.
func listedFor(p Package, list ssa.Value, pos token.Pos, calls int) (all []KindAt) {
	if param, ok := flow.Resolve(list).(*ssa.Parameter); ok {
		eachArgument(p, param, calls, func(call ssa.CallInstruction, a ssa.Value) {
			all = append(all, listedFor(p, a, call.Pos(), calls-1)...)
		})
		return all
	}
	elements, _ := flow.Appended(list)
	for _, e := range elements {
		if e = flow.Unwrap(e); OneKind(e.Type()) != nil {
			all = append(all, KindAt{e.Type(), pos})
		}
	}
	return all
}

// eachArgument returns what callers in the package pass as param, if calls is not 0.
func eachArgument(p Package, param *ssa.Parameter, calls int, to func(call ssa.CallInstruction, a ssa.Value)) {
	at := flow.ParamIndex(param.Parent(), param)
	for _, call := range p.Callers(param.Parent()) {
		if args := flow.AllArgs(call.Common()); calls > 0 && at >= 0 && at < len(args) {
			to(call, args[at])
		}
	}
}

// decides reports whether b is control-dependent on a test of obj, other than for an error.
func decides(obj ssa.Value, b *ssa.BasicBlock) bool {
	for test := range flow.PathCondition(b) {
		if x, _, ok := flow.NilTest(test.Cond); (!ok || !flow.IsError(x.Type())) && values.DependsOn(test.Cond, func(x ssa.Value) bool { return x == obj }) {
			return true
		}
	}
	return false
}
