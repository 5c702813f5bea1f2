package lock

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Guard says that an event happens only where a parameter of the function has a value, or has not: whether it happens
// is the caller's choice.
type Guard struct {
	Param int
	Const string // "true", "false", "nil" or the exact constant
	Not   bool
}

// maxGuards is the number of guards that one event is followed with. An event with more is forgotten: each caller would have
// to choose all of them, and a fact would carry them (TestLimits).
const maxGuards = 4

// guards are the tests of the function's own parameters that lie on every path to instr, the nearest first. More than
// maxGuards are too many for any event: then there is one more than that.
func (in *interp) guards(instr ssa.Instruction) []Guard {
	// Down the dominator tree, so that the tests of a long row of branches are not collected again for each of them.
	var up []*ssa.BasicBlock
	for b := instr.Block(); b != nil; b = b.Idom() {
		if _, ok := in.guarded[b]; ok {
			break
		}
		up = append(up, b)
	}
	for _, b := range slices.Backward(up) {
		out := in.guardsOf(b)
		if d := b.Idom(); d != nil {
			for _, g := range in.guarded[d] {
				if !slices.Contains(out, g) && len(out) <= maxGuards {
					out = append(out, g)
				}
			}
		}
		in.guarded[b] = out
	}
	return in.guarded[instr.Block()]
}

// guardsOf are the tests on the one edge that leads to b.
func (in *interp) guardsOf(b *ssa.BasicBlock) []Guard {
	var out []Guard
	test, t := flow.Passed(b)
	if t == flow.Either {
		return nil
	}
	v, pos := flow.Positive(test.Cond)
	truth := (t == flow.Yes) == pos
	if i := in.paramIndex(v); i >= 0 {
		if t, ok := v.Type().Underlying().(*types.Basic); ok && t.Kind() == types.Bool {
			out = append(out, Guard{i, constant.MakeBool(truth).ExactString(), false})
		}
		return out
	}
	cmp, ok := v.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return nil
	}
	p, k := cmp.X, cmp.Y
	if in.paramIndex(p) < 0 {
		p, k = k, p
	}
	if i := in.paramIndex(p); i >= 0 {
		if text, ok := constText(k); ok {
			out = append(out, Guard{i, text, truth != (cmp.Op == token.EQL)})
		}
	}
	return out
}

// paramIndex is the index of the function's own parameter that v is, -1 for other values.
func (in *interp) paramIndex(v ssa.Value) int {
	return flow.ParamIndex(in.fn, flow.Resolve(v))
}

// constText is how a Guard spells the constant v.
func constText(v ssa.Value) (string, bool) {
	c, ok := flow.Unwrap(v).(*ssa.Const)
	switch {
	case !ok:
		return "", false
	case c.Value == nil:
		return "nil", true
	}
	return c.Value.ExactString(), true
}

// choose evaluates guards of a callee for the arguments args. What is left of them are guards of the caller, where it
// passes parameters of its own on. The second result is false where the event does not happen, or where that is not
// known: that a parameter is nil, or a flag set, is an exception that has to be seen.
func (in *interp) choose(guards []Guard, args []ssa.Value) ([]Guard, bool) {
	var left []Guard
	for _, g := range guards {
		if g.Param >= len(args) || args[g.Param] == nil {
			if g.Not {
				continue
			}
			return nil, false
		}
		v := flow.Resolve(args[g.Param])
		if text, ok := constText(v); ok {
			if (text == g.Const) == g.Not {
				return nil, false
			}
			continue
		}
		if i := in.paramIndex(v); i >= 0 {
			left = append(left, Guard{i, g.Const, g.Not})
			continue
		}
		if !g.Not {
			return nil, false
		}
	}
	return left, in.fewGuards(left)
}

// fewGuards reports whether an event with these guards is followed.
func (in *interp) fewGuards(guards []Guard) bool {
	if len(guards) > maxGuards {
		in.e.pkg.Cut("functions have events that depend on too many parameters", in.fn)
	}
	return len(guards) <= maxGuards
}

// chosen reports whether some guard waits for an exception.
func chosen(guards []Guard) bool {
	for _, g := range guards {
		if !g.Not {
			return true
		}
	}
	return false
}
