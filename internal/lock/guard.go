package lock

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// A Guard is a condition on the arguments of an event.
type Guard = paths.Condition

// guards are the tests of the function's own parameters that lie on every path to instr, the nearest first.
func (in *interp) guards(instr ssa.Instruction) []Guard { return in.guarded.At(instr.Block()) }

// choose evaluates guards of a callee for the arguments args. What is left of them are guards of the caller, where it
// passes parameters of its own on. The second result is false where the event does not happen, or where that is not
// known: that a parameter is nil, or a flag set, is an exception that has to be seen.
func (in *interp) choose(guards []Guard, args []ssa.Value) ([]Guard, bool) {
	var left []Guard
	for _, g := range guards {
		own, t := g.Bind(in.fn, args)
		switch {
		case t == flow.False || t == flow.Unknown && !g.Not:
			return nil, false
		case own != Guard{}:
			left = append(left, own)
		}
	}
	return left, in.fewGuards(left)
}

// fewGuards reports whether an event with these guards is followed.
func (in *interp) fewGuards(guards []Guard) bool {
	if len(guards) > paths.MaxConditions {
		in.e.pkg.Cut("functions have events that depend on too many parameters", in.fn)
	}
	return len(guards) <= paths.MaxConditions
}

// chosen reports whether some guard waits for an exception.
func chosen(guards []Guard) bool {
	return slices.ContainsFunc(guards, func(g Guard) bool { return !g.Not })
}
