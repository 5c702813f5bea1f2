package flow

import (
	"go/constant"
	"go/token"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// A Truth is what is known of a condition.
type Truth uint8

// What a condition can be: Either may hold or not.
const (
	Either Truth = iota
	Yes
	No
)

// String is for tests.
func (t Truth) String() string { return [...]string{"either", "yes", "no"}[t] }

// TruthOf is Yes or No for a constant, and Either for other values.
func TruthOf(v ssa.Value) Truth {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		return Settled(constant.BoolVal(c.Value))
	}
	return Either
}

// Settled is Yes or No.
func Settled(b bool) Truth {
	if b {
		return Yes
	}
	return No
}

// Not is the truth of the negation.
func (t Truth) Not() Truth {
	switch t {
	case Yes:
		return No
	case No:
		return Yes
	}
	return t
}

// Branch is the test at the end of b, nil where b does not end with one.
func Branch(b *ssa.BasicBlock) *ssa.If {
	if len(b.Instrs) == 0 {
		return nil
	}
	test, _ := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return test
}

// Side is where control goes from the test when its condition has the truth t, which is Yes or No.
func Side(test *ssa.If, t Truth) *ssa.BasicBlock {
	if t == Yes {
		return test.Block().Succs[0]
	}
	return test.Block().Succs[1]
}

// EntersOnlyFrom reports whether the edge from pred to b dominates b: every other way into b comes from b itself, as to
// the head of a loop.
func EntersOnlyFrom(b, pred *ssa.BasicBlock) bool {
	for _, p := range b.Preds {
		if p != pred && !b.Dominates(p) {
			return false
		}
	}
	return len(pred.Succs) < 2 || pred.Succs[0] != pred.Succs[1]
}

// Passed is the test at the end of the immediate dominator of b, and how it has come out where control is in b; nil where
// there is none.
func Passed(b *ssa.BasicBlock) (*ssa.If, Truth) {
	d := b.Idom()
	if d == nil {
		return nil, Either
	}
	test := Branch(d)
	if test == nil {
		return nil, Either
	}
	for i, s := range d.Succs {
		if s == b && EntersOnlyFrom(b, d) {
			return test, Settled(i == 0)
		}
	}
	return test, Either
}

// Decided yields the tests that control has passed on every way to b, the nearest first, with what they were found to be:
// Either where both ways out of the test lead to b. A test in a loop is yielded once, as it came out the last time.
func Decided(b *ssa.BasicBlock) iter.Seq2[*ssa.If, Truth] {
	return func(yield func(*ssa.If, Truth) bool) {
		for ; b != nil; b = b.Idom() {
			if test, t := Passed(b); test != nil && !yield(test, t) {
				return
			}
		}
	}
}

// Positive takes the negations off a condition: is tells whether v holds where cond does.
func Positive(cond ssa.Value) (v ssa.Value, is bool) {
	for is = true; ; is = !is {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, is
		}
		cond = not.X
	}
}

// Equal is whether the sides of bin are equal where it has come out as t: Either where it asks for something else.
func Equal(bin *ssa.BinOp, t Truth) Truth {
	switch bin.Op {
	case token.EQL:
		return t
	case token.NEQ:
		return t.Not()
	}
	return Either
}

// NilTest takes apart x == nil and x != nil, in either order: isNil tells whether x is nil where cond holds.
func NilTest(cond ssa.Value) (x ssa.Value, isNil, ok bool) {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return nil, false, false
	}
	switch {
	case IsNil(cmp.Y):
		x = cmp.X
	case IsNil(cmp.X):
		x = cmp.Y
	default:
		return nil, false, false
	}
	return x, cmp.Op == token.EQL, true
}

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}
