package unboundedsync

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
)

// asker is where a function of the package that has made a channel for the field reply of a request, and has given it to nobody but whoever receives the
// request, waits for the answer with no way out but the end of its caller's context; nil for none.
func (c *checker) asker(reply *types.Var) ssa.Instruction {
	for _, fn := range c.pkg.Funcs {
		for st, fa := range flow.FieldStores(fn) {
			made, ok := flow.Resolve(st.Val).(*ssa.MakeChan)
			if !ok || flow.Field(fa.X.Type(), fa.Field) != reply || made.Parent() != fn || !onlyAsks(fa.X, made) {
				continue
			}
			for in := range flow.Instrs(fn) {
				if c.waitsForAnswer(in, func(ch ssa.Value) bool {
					return flow.Resolve(ch) == ssa.Value(made) || flow.PathOf(ch) == flow.PathOf(fa)
				}) {
					return in
				}
			}
		}
	}
	return nil
}

// onlyAsks reports whether the request at owner, and the channel made for its answer, are given to nobody but by sends on channels.
func onlyAsks(owner ssa.Value, made *ssa.MakeChan) bool {
	if _, ok := owner.(*ssa.Alloc); !ok {
		return false
	}
	for _, v := range []ssa.Value{owner, made} {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.FieldAddr, *ssa.Send, *ssa.Select:
			case *ssa.Store:
				if r.Val == owner {
					return false
				}
			case *ssa.UnOp: // the request as a value, or an answer
				if r.Op == token.MUL && slices.ContainsFunc(*r.Referrers(), func(r ssa.Instruction) bool { return !isSend(r) }) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// waitsForAnswer reports whether in receives from a channel for which is holds, and may leave for nothing but the end of a context that others give.
func (c *checker) waitsForAnswer(in ssa.Instruction, is func(ssa.Value) bool) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op == token.ARROW && is(in.X)
	case *ssa.Select:
		return in.Blocking && slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && is(s.Chan) }) &&
			!slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return !is(s.Chan) && !c.lasts(s.Chan, in) })
	}
	return false
}

// lasts reports whether ch tells of the end of a context that ends, if ever, when the caller's does.
func (c *checker) lasts(ch ssa.Value, at ssa.Instruction) bool {
	if blocking.DoneOf(ch) == nil {
		return false
	}
	limit := c.bounds.Of(ch, at).Limit
	return limit == blocking.Parameter || limit == blocking.Never
}

// isSend reports whether in sends, or may.
func isSend(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Send, *ssa.Select, *ssa.DebugRef:
		return true
	}
	return false
}
