package unboundedsync

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// startOf is what runs the function of in as a goroutine of fn: a literal of it, a function that is given the channel, or the one that gives it; nil where anything else does.
func (u *chanUses) startOf(in ssa.Instruction, fn *ssa.Function) ssa.CallInstruction {
	if start := startedBy(in.Parent(), fn); start != nil {
		return start
	}
	if start, ok := u.given[in.Parent()].(*ssa.Go); ok && start.Parent() == fn {
		return start
	}
	if u.out != nil && u.out.Parent() == fn && fn != flow.StaticCallee(&u.out.Call) && u.startOf(in, flow.StaticCallee(&u.out.Call)) != nil {
		return u.out
	}
	return nil
}

// comesBefore reports whether what ch tells comes before s, or in place of the receive of it: its goroutine always comes to s, and nothing
// that is done behind s can tell anybody anything. The channel is one of this very call, so that what is left behind piles up with the calls.
func (c *checker) comesBefore(u *chanUses, s *ssa.Send, ch ssa.Value) bool {
	return sure(s) && isLastAction(s) && !namesService(s.Parent()) && ofThisCall(ch, u) && !c.toldByJoin(ch)
}

// sure reports whether the function of s comes to it on all ways, and once.
func sure(s *ssa.Send) bool {
	return !flow.Conditional(s.Block()) && !flow.InLoop(s.Block())
}

// isLastAction reports whether the function of s does nothing behind it: it calls nothing, sends nothing and has deferred nothing.
func isLastAction(s *ssa.Send) bool {
	for in := range flow.Instrs(s.Parent()) {
		switch in.(type) {
		case *ssa.Defer:
			return false
		case ssa.CallInstruction, *ssa.Send, *ssa.Select:
			if in != ssa.Instruction(s) && flow.Reaches(s, in, nil) {
				return false
			}
		}
	}
	return true
}

// ofThisCall reports whether the channel ch is made by a function that receives from u, or comes from what that has made or called: it is not
// one of its arguments, its object or a variable around it, which may end with all that the function has left.
func ofThisCall(ch ssa.Value, u *chanUses) bool {
	if kubeapi.IsType(chanElem(ch.Type()), "os", "Signal") {
		return false
	}
	root := flow.PathOf(flow.Unwrap(flow.Resolve(ch))).Root
	switch root.(type) {
	case *ssa.MakeChan, *ssa.Call, *ssa.Extract, *ssa.Alloc:
		return slices.ContainsFunc(u.receives, func(r ssa.Instruction) bool { return r.Parent() == root.Parent() })
	}
	return false
}

// chanElem is what the channel type t carries.
func chanElem(t types.Type) types.Type {
	if ch, ok := t.Underlying().(*types.Chan); ok {
		return ch.Elem()
	}
	return types.Typ[types.Invalid]
}

// toldByJoin reports whether one that waits for other goroutines sends to ch or closes it, or nobody does, as far as all that is done with it is in sight.
func (c *checker) toldByJoin(ch ssa.Value) bool {
	made, ok := flow.Resolve(ch).(*ssa.MakeChan)
	if !ok {
		return false
	}
	other, whole := c.usesOf(made, nil)
	if !whole {
		return false
	}
	var tells []ssa.Instruction
	for _, s := range other.sends {
		tells = append(tells, s)
	}
	for _, cl := range other.closes {
		tells = append(tells, cl)
	}
	return len(tells) == 0 || slices.ContainsFunc(tells, func(in ssa.Instruction) bool { return c.joins(in.Parent()) })
}
