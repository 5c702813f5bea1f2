package losterror

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// An errorUse is what a function does with an error, flow-insensitively: with all that is the error on some path.
type errorUse struct {
	same   *values.Worklist         // the error, what wraps it, and texts of it
	asks   map[*ssa.Call]string     // the calls that ask for its kind, with the kind
	hands  map[ssa.Instruction]bool // what gives it to code that may act on it
	failed map[*ssa.BasicBlock]bool // the blocks whose path condition says that it is not nil
	keeps  map[*ssa.BasicBlock]bool // those of failed behind which a variable tells of the failure
}

// useOf returns what the function of err does with it.
func useOf(err ssa.Value) *errorUse {
	u := &errorUse{
		same: values.From(err), asks: map[*ssa.Call]string{}, hands: map[ssa.Instruction]bool{},
		failed: map[*ssa.BasicBlock]bool{}, keeps: map[*ssa.BasicBlock]bool{},
	}
	for in, v := range u.same.Uses() {
		u.hands[in] = !u.reads(in, v) || u.hands[in]
	}
	for assert := range flow.InstrsOf[*ssa.TypeAssert](err.Parent()) {
		u.hands[assert] = u.same.Has(assert.X)
	}
	for _, b := range err.Parent().Blocks {
		u.failed[b] = flow.Any2(paths.Facts(b), func(v ssa.Value, t flow.Truth) bool {
			return t == flow.False && flow.IsError(v.Type()) && u.same.Has(v)
		})
	}
	for b, failed := range u.failed {
		u.keeps[b] = failed && slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool {
			return !u.failed[s] && u.remembers(b, s)
		})
	}
	return u
}

// reads reports whether in does no more with v than to compare it with nil, ask for its kind, wrap, print or return it.
func (u *errorUse) reads(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.Return:
		return true
	case *ssa.BinOp:
		_, _, ok := flow.NilTest(in)
		return ok
	case *ssa.Call:
		fn := flow.Callee(&in.Call)
		if kind, ok := kubeapi.ErrorKind(&in.Call); ok && in.Call.Args[0] == v {
			if u.asks[in] = kind; flow.IsError(in.Type()) {
				u.same.Add(in)
			}
			return true
		}
		if !kubeapi.GivesLogger(fn) {
			u.same.Add(in)
		}
		return !kubeapi.IgnoredErrors.Has(fn) && tells(fn)
	}
	return false
}

// isHanded reports whether code that may act on the error is given it.
func (u *errorUse) isHanded() bool {
	return slices.Contains(slices.Collect(maps.Values(u.hands)), true)
}

// remembers reports whether a phi of s has a value from b that it has from no block where the error may be nil. Errors
// and bools are left out: explorations know their values.
func (u *errorUse) remembers(b, s *ssa.BasicBlock) bool {
	for phi := range flow.Phis(s) {
		here, also := phi.Edges[slices.Index(s.Preds, b)], false
		for i, pred := range s.Preds {
			also = also || !u.failed[pred] && phi.Edges[i] == here
		}
		if !also && !flow.IsError(phi.Type()) && !flow.IsBool(phi.Type()) && kubeapi.BesidesLogs(phi) {
			return true
		}
	}
	return false
}

// handles reports whether in, on a path on which the error is not nil, may act on the error, make a note of it for what
// comes later, or is other work: a function that goes on does without what has failed on purpose.
func (u *errorUse) handles(in ssa.Instruction) bool {
	if u.hands[in] {
		return true
	}
	if call, ok := in.(*ssa.Call); ok {
		_, asks := u.asks[call]
		fn, name := flow.Callee(&call.Call), flow.Builtin(&call.Call)
		_, pure := kubeapi.OfPure(fn)
		reads := asks || pure || name == "len" || name == "cap" || kubeapi.GetterOf(fn) != ""
		return !reads && !tells(fn) && !kubeapi.GivesLogger(fn) && !kubeapi.OnlyLogs(call)
	}
	if !u.failed[in.Block()] {
		return false
	}
	switch in := in.(type) {
	case *ssa.Store:
		base, local := flow.Base(in.Addr).(*ssa.Alloc)
		return !local || ssa.Value(base) != in.Addr && !u.failed[base.Block()]
	case *ssa.BinOp:
		return in.Op == token.ADD && kubeapi.BesidesLogs(in)
	case *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer, *ssa.Panic:
		return true
	case *ssa.Jump, *ssa.If:
		return u.keeps[in.Block()]
	}
	return false
}

// tells reports whether fn makes an error of what it is given, or observes that.
func tells(fn *types.Func) bool {
	return kubeapi.MakesError(fn) || kubeapi.WrapsError(fn) || kubeapi.Observes(fn)
}
