package paths

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A Guard says that something happens only where a parameter of the function has a value, or has not: whether it happens is
// the caller's choice. The zero Guard is none.
type Guard struct {
	Param int    // receiver first
	Const string // "true", "false", "nil", "empty" or the exact constant
	Not   bool

	of *ssa.Function // for a function literal, the function around it whose parameter it is; nil for its own. Not part of a fact.
}

// Captured reports whether g is about a parameter of a function around a literal: others than those who are in it cannot tell.
func (g Guard) Captured() bool { return g.of != nil }

// String is for the tests of facts.
func (g Guard) String() string {
	op := "=="
	if g.Not {
		op = "!="
	}
	return fmt.Sprintf("p%d %s %s", g.Param, op, g.Const)
}

// MaxGuards is the number of guards that one thing is followed with. Each caller may add its own, so that a chain of calls
// would carry any number along; what has more is forgotten (TestLimits of internal/lock).
const MaxGuards = 4

// Guards are those of one function, by block.
type Guards struct {
	fn       *ssa.Function
	captured bool
	at       map[*ssa.BasicBlock][]Guard
}

// GuardsOf are those of fn.
func GuardsOf(fn *ssa.Function) *Guards { return &Guards{fn, false, map[*ssa.BasicBlock][]Guard{}} }

// GuardsIn are those of fn, a function literal that runs where it is made, with those of the functions around it whose parameters
// it tests.
func GuardsIn(fn *ssa.Function) *Guards { return &Guards{fn, true, map[*ssa.BasicBlock][]Guard{}} }

// guardOf is the Guard that cond is, which has come out as truth.
func (g *Guards) guardOf(cond ssa.Value, truth bool) (Guard, bool) {
	own, ok := guardOf(g.fn, cond, truth)
	if ok || !g.captured {
		return own, ok
	}
	for outer := g.fn.Parent(); outer != nil; outer = outer.Parent() {
		if own, ok := guardOf(outer, cond, truth); ok {
			own.of = outer
			return own, true
		}
	}
	return Guard{}, false
}

// At are the tests of the function's own parameters that lie on every path to b, the nearest first, and those of lengths last. More than MaxGuards are
// too many for anything: then there is one more than that.
func (g *Guards) At(b *ssa.BasicBlock) []Guard {
	// Down the dominator tree, so that the tests of a long row of branches are not collected again for each of them.
	var up []*ssa.BasicBlock
	for d := b; d != nil; d = d.Idom() {
		if _, ok := g.at[d]; ok {
			break
		}
		up = append(up, d)
	}
	for _, b := range slices.Backward(up) {
		var out, lengths []Guard
		if test, t := flow.Passed(b); t != flow.Either {
			lengths = g.filledAt(test.Cond, t == flow.Yes)
			if own, ok := g.guardOf(test.Cond, t == flow.Yes); ok {
				out = append(out, own)
			} else if own, ok := implied(g.fn, test.Cond, t == flow.Yes, b); ok {
				out = append(out, own)
			}
		}
		if d := b.Idom(); d != nil {
			lengths = append(slices.Clone(g.at[d]), lengths...)
		}
		for _, above := range lengths {
			if !slices.Contains(out, above) && len(out) <= MaxGuards {
				out = append(out, above)
			}
		}
		g.at[b] = out
	}
	return g.at[b]
}

// Nearest is the last test of a parameter that control has passed before in; the zero Guard where there is none. In a function
// literal, parameters are those of the declared function around it.
func Nearest(in ssa.Instruction) Guard {
	fn := flow.Decl(in.Parent())
	for test, t := range flow.Decided(in.Block()) {
		if t != flow.Either {
			if g, ok := guardOf(fn, test.Cond, t == flow.Yes); ok {
				return g
			}
			if g, ok := implied(fn, test.Cond, t == flow.Yes, in.Block()); ok {
				return g
			}
		}
	}
	return Guard{}
}

// guardOf reads cond, which has come out as truth, as a test of a parameter of fn.
func guardOf(fn *ssa.Function, cond ssa.Value, truth bool) (Guard, bool) {
	v, is := flow.Positive(flow.Resolve(cond))
	truth = truth == is
	if i := flow.ParamIndex(fn, flow.Resolve(v)); i >= 0 && flow.IsBool(v.Type()) {
		return Guard{Param: i, Const: constant.MakeBool(truth).ExactString()}, true
	}
	cmp, ok := v.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return Guard{}, false
	}
	for _, side := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		if i := flow.ParamIndex(fn, flow.Resolve(side[0])); i >= 0 {
			text, ok := Text(side[1])
			return Guard{Param: i, Const: text, Not: truth != (cmp.Op == token.EQL)}, ok
		}
	}
	return Guard{}, false
}

// implied is what a test that has come out as truth, on the way to b, says of a bool parameter that it was compared with: in
// "if want != have { if have { … } }", want is false.
func implied(fn *ssa.Function, cond ssa.Value, truth bool, b *ssa.BasicBlock) (Guard, bool) {
	if !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return flow.IsBool(p.Type()) }) {
		return Guard{}, false
	}
	have, is := flow.Positive(flow.Resolve(cond))
	holds := truth == is
	for test, t := range flow.Decided(b) {
		cmp, ok := test.Cond.(*ssa.BinOp)
		if !ok || t == flow.Either || cmp.Op != token.EQL && cmp.Op != token.NEQ {
			continue
		}
		for _, side := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
			i := flow.ParamIndex(fn, flow.Resolve(side[0]))
			if i < 0 || !flow.IsBool(side[0].Type()) {
				continue
			}
			other, positive := flow.Positive(flow.Resolve(side[1]))
			if !sameTest(other, have) {
				continue
			}
			equal := (cmp.Op == token.EQL) == (t == flow.Yes)
			value := (holds == positive) == equal
			return Guard{Param: i, Const: constant.MakeBool(value).ExactString()}, true
		}
	}
	return Guard{}, false
}

// sameTest reports whether a and b are one value, or the same comparison of the same values.
func sameTest(a, b ssa.Value) bool {
	same := func(a, b ssa.Value) bool {
		a, b = flow.Resolve(a), flow.Resolve(b)
		if a == b {
			return true
		}
		x, ok1 := Text(a)
		y, ok2 := Text(b)
		return ok1 && ok2 && x == y
	}
	x, ok1 := a.(*ssa.BinOp)
	y, ok2 := b.(*ssa.BinOp)
	return same(a, b) || ok1 && ok2 && x.Op == y.Op && same(x.X, y.X) && same(x.Y, y.Y)
}

// Has reports whether cond is a test that is one of the guards where it decides.
func (g *Guards) Has(cond ssa.Value) bool {
	_, ok := g.guardOf(cond, true)
	return ok
}

// Text is how a Guard spells the constant v, with its type where an interface holds it; false for other values.
func Text(v ssa.Value) (string, bool) {
	c, ok := flow.Unwrap(v).(*ssa.Const)
	if !ok {
		return "", false
	}
	text := "nil"
	if c.Value != nil {
		text = c.Value.ExactString()
	}
	if flow.IsBoxed(v) {
		text = types.TypeString(c.Type(), nil) + "(" + text + ")"
	}
	return text, true
}

// In puts g into the terms of caller, which passes args: a Guard of its own where it passes a parameter on, and the zero
// Guard with Yes or No where g holds or not. Either says that nothing is known of the argument.
func (g Guard) In(caller *ssa.Function, args []ssa.Value) (Guard, flow.Truth) {
	if g.Const == "" {
		return g, flow.Yes
	}
	if g.of != nil {
		for fn := caller; fn != nil; fn = fn.Parent() {
			switch {
			case fn != g.of:
			case fn == caller:
				g.of = nil
				return g, flow.Yes
			default:
				return g, flow.Yes
			}
		}
		return Guard{}, flow.Either
	}
	if g.Param >= len(args) || args[g.Param] == nil {
		return Guard{}, flow.Either
	}
	v := flow.Resolve(args[g.Param])
	if g.Const == empty && flow.IsEmpty(v) {
		return Guard{}, flow.Settled(!g.Not)
	}
	text, ok := Text(v)
	if boxed := flow.IsBoxed(args[g.Param]); boxed && g.Const == "nil" {
		text, ok = "no nil", true
	} else if boxed {
		text, ok = Text(args[g.Param])
	}
	if ok {
		return Guard{}, flow.Settled((text == g.Const) != g.Not)
	}
	if i := flow.ParamIndex(caller, v); i >= 0 {
		return Guard{Param: i, Const: g.Const, Not: g.Not}, flow.Yes
	}
	return Guard{}, flow.Either
}
