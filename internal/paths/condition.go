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

// A Condition is one conjunct of a path condition: a parameter of the function has a value, or has not. The zero
// Condition is true.
type Condition struct {
	Param int    // receiver first
	Const string // "true", "false", "nil", "empty" or the exact constant
	Not   bool

	of *ssa.Function // the function around the literal whose parameter it is; nil for its own. Not part of a fact.
}

// Captured reports whether g is over a parameter of a function around the literal.
func (g Condition) Captured() bool { return g.of != nil }

// String is for tests of facts.
func (g Condition) String() string {
	op := "=="
	if g.Not {
		op = "!="
	}
	return fmt.Sprintf("p%d %s %s", g.Param, op, g.Const)
}

// MaxConditions bounds the conjuncts of a summary's path condition, as each caller in a chain of calls may add its own;
// what has more is dropped (TestLimits of internal/lock).
const MaxConditions = 4

// Conditions are the path conditions of the blocks of one function, over its parameters.
type Conditions struct {
	fn       *ssa.Function
	captured bool
	at       map[*ssa.BasicBlock][]Condition
}

// ConditionsOf returns those of fn.
func ConditionsOf(fn *ssa.Function) *Conditions {
	return &Conditions{fn, false, map[*ssa.BasicBlock][]Condition{}}
}

// CapturedConditionsOf returns those of fn, a function literal that runs where it is made, over the parameters of the
// functions around it, too.
func CapturedConditionsOf(fn *ssa.Function) *Conditions {
	return &Conditions{fn, true, map[*ssa.BasicBlock][]Condition{}}
}

// conditionOf reads cond, with the outcome truth, as a Condition.
func (g *Conditions) conditionOf(cond ssa.Value, truth bool) (Condition, bool) {
	own, ok := conditionOf(g.fn, cond, truth)
	if ok || !g.captured {
		return own, ok
	}
	for outer := g.fn.Parent(); outer != nil; outer = outer.Parent() {
		if own, ok := conditionOf(outer, cond, truth); ok {
			own.of = outer
			return own, true
		}
	}
	return Condition{}, false
}

// At returns the path condition of b, the nearest test first, and those of lengths last; at most MaxConditions+1
// conjuncts.
func (g *Conditions) At(b *ssa.BasicBlock) []Condition {
	// Down the dominator tree, so that the tests of a long row of branches are not collected again for each of them.
	var up []*ssa.BasicBlock
	for d := b; d != nil; d = d.Idom() {
		if _, ok := g.at[d]; ok {
			break
		}
		up = append(up, d)
	}
	for _, b := range slices.Backward(up) {
		var out, lengths []Condition
		if test, t := flow.LastTest(b); t != flow.Unknown {
			lengths = g.filledAt(test.Cond, t == flow.True)
			if own, ok := g.conditionOf(test.Cond, t == flow.True); ok {
				out = append(out, own)
			} else if own, ok := implied(g.fn, test.Cond, t == flow.True, b); ok {
				out = append(out, own)
			}
		}
		if d := b.Idom(); d != nil {
			lengths = append(slices.Clone(g.at[d]), lengths...)
		}
		for _, above := range lengths {
			if !slices.Contains(out, above) && len(out) <= MaxConditions {
				out = append(out, above)
			}
		}
		g.at[b] = out
	}
	return g.at[b]
}

// NearestCondition returns the nearest conjunct of the path condition of in; the zero Condition if there is none. In a
// function literal, parameters are those of the declared function around it.
func NearestCondition(in ssa.Instruction) Condition {
	for _, c := range ConditionsOf(flow.Decl(in.Parent())).At(in.Block()) {
		if c.Const != empty {
			return c
		}
	}
	return Condition{}
}

// conditionOf reads cond, with the outcome truth, as a test of a parameter of fn.
func conditionOf(fn *ssa.Function, cond ssa.Value, truth bool) (Condition, bool) {
	v, is := flow.StripNot(flow.Resolve(cond))
	truth = truth == is
	if i := flow.ParamIndex(fn, flow.Resolve(v)); i >= 0 && flow.IsBool(v.Type()) {
		return Condition{Param: i, Const: constant.MakeBool(truth).ExactString()}, true
	}
	cmp, ok := v.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return Condition{}, false
	}
	for _, side := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		if i := flow.ParamIndex(fn, flow.Resolve(side[0])); i >= 0 {
			text, ok := Text(side[1])
			return Condition{Param: i, Const: text, Not: truth != (cmp.Op == token.EQL)}, ok
		}
	}
	return Condition{}, false
}

// implied returns what the outcome of cond implies at b for a bool parameter that it was compared with: in
// "if want != have { if have { … } }", want is false.
func implied(fn *ssa.Function, cond ssa.Value, truth bool, b *ssa.BasicBlock) (Condition, bool) {
	if !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return flow.IsBool(p.Type()) }) {
		return Condition{}, false
	}
	have, is := flow.StripNot(flow.Resolve(cond))
	holds := truth == is
	for test, t := range flow.PathCondition(b) {
		cmp, ok := test.Cond.(*ssa.BinOp)
		if !ok || t == flow.Unknown || cmp.Op != token.EQL && cmp.Op != token.NEQ {
			continue
		}
		for _, side := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
			i := flow.ParamIndex(fn, flow.Resolve(side[0]))
			if i < 0 || !flow.IsBool(side[0].Type()) {
				continue
			}
			other, positive := flow.StripNot(flow.Resolve(side[1]))
			if !sameTest(other, have) {
				continue
			}
			equal := (cmp.Op == token.EQL) == (t == flow.True)
			value := (holds == positive) == equal
			return Condition{Param: i, Const: constant.MakeBool(value).ExactString()}, true
		}
	}
	return Condition{}, false
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

// Has reports whether cond is a Condition.
func (g *Conditions) Has(cond ssa.Value) bool {
	_, ok := g.conditionOf(cond, true)
	return ok
}

// Text returns the constant v as in Condition.Const, with its type if an interface holds it; false for other values.
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

// Bind substitutes the arguments of caller for the parameter of g: a Condition over a parameter that caller passes on,
// or the zero Condition with the truth of g.
func (g Condition) Bind(caller *ssa.Function, args []ssa.Value) (Condition, flow.Truth) {
	if g.Const == "" {
		return g, flow.True
	}
	if g.of != nil {
		for fn := caller; fn != nil; fn = fn.Parent() {
			switch {
			case fn != g.of:
			case fn == caller:
				g.of = nil
				return g, flow.True
			default:
				return g, flow.True
			}
		}
		return Condition{}, flow.Unknown
	}
	if g.Param >= len(args) || args[g.Param] == nil {
		return Condition{}, flow.Unknown
	}
	v := flow.Resolve(args[g.Param])
	if g.Const == empty && flow.IsEmpty(v) {
		return Condition{}, flow.TruthOf(!g.Not)
	}
	text, ok := Text(v)
	if boxed := flow.IsBoxed(args[g.Param]); boxed && g.Const == "nil" {
		text, ok = "no nil", true
	} else if boxed {
		text, ok = Text(args[g.Param])
	}
	if ok {
		return Condition{}, flow.TruthOf((text == g.Const) != g.Not)
	}
	if i := flow.ParamIndex(caller, v); i >= 0 {
		return Condition{Param: i, Const: g.Const, Not: g.Not}, flow.True
	}
	return Condition{}, flow.Unknown
}
