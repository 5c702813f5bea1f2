package flow

import (
	"go/constant"
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Truth is a value of three-valued logic.
type Truth uint8

// What is known of a condition.
const (
	Unknown Truth = iota
	True
	False
)

// String is for tests.
func (t Truth) String() string { return [...]string{"unknown", "true", "false"}[t] }

// ConstTruth returns the truth of a boolean constant, Unknown for other values.
func ConstTruth(v ssa.Value) Truth {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		return TruthOf(constant.BoolVal(c.Value))
	}
	return Unknown
}

// TruthOf is True or False.
func TruthOf(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Not returns the truth of the negation.
func (t Truth) Not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return t
}

// Branch returns the test at the end of b, nil if b does not end with one.
func Branch(b *ssa.BasicBlock) *ssa.If {
	if len(b.Instrs) == 0 {
		return nil
	}
	test, _ := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return test
}

// Side returns the successor of test for a condition with the truth t, which is True or False.
func Side(test *ssa.If, t Truth) *ssa.BasicBlock {
	if t == True {
		return test.Block().Succs[0]
	}
	return test.Block().Succs[1]
}

// EntersOnlyFrom reports whether the edge from pred to b dominates b: every other edge into b is a back edge.
func EntersOnlyFrom(b, pred *ssa.BasicBlock) bool {
	for _, p := range b.Preds {
		if p != pred && !b.Dominates(p) {
			return false
		}
	}
	return len(pred.Succs) < 2 || pred.Succs[0] != pred.Succs[1]
}

// EdgeTest returns the test at the end of from, nil for none, and its outcome on the edge to to, Unknown if both
// outcomes lead there.
func EdgeTest(from, to *ssa.BasicBlock) (*ssa.If, Truth) {
	test := Branch(from)
	if test == nil || from.Succs[0] == from.Succs[1] {
		return test, Unknown
	}
	return test, TruthOf(from.Succs[0] == to)
}

// LastTest returns the test at the end of the immediate dominator of b, and its outcome on every path to b, Unknown
// if both outcomes lead there; nil if that block does not end with a test.
func LastTest(b *ssa.BasicBlock) (*ssa.If, Truth) {
	d := b.Idom()
	if d == nil {
		return nil, Unknown
	}
	if slices.Contains(d.Succs, b) && EntersOnlyFrom(b, d) {
		return EdgeTest(d, b)
	}
	return Branch(d), Unknown
}

// PathCondition yields the tests on every path to b, the nearest first, with their outcomes: Unknown if both outcomes
// of the test lead to b. A test in a loop is yielded once, with its last outcome.
func PathCondition(b *ssa.BasicBlock) iter.Seq2[*ssa.If, Truth] {
	return func(yield func(*ssa.If, Truth) bool) {
		for ; b != nil; b = b.Idom() {
			if test, t := LastTest(b); test != nil && !yield(test, t) {
				return
			}
		}
	}
}

// Conditional reports whether the path condition of b has a test with a known outcome.
func Conditional(b *ssa.BasicBlock) bool {
	return Any2(PathCondition(b), func(_ *ssa.If, t Truth) bool { return t != Unknown })
}

// StripNot takes the negations off a condition: is reports whether v has the truth of cond, or the opposite one.
func StripNot(cond ssa.Value) (v ssa.Value, is bool) {
	for is = true; ; is = !is {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, is
		}
		cond = not.X
	}
}

// Equal reports whether the sides of bin are equal if it has the truth t: Unknown if it is no test for equality.
func Equal(bin *ssa.BinOp, t Truth) Truth {
	switch bin.Op {
	case token.EQL:
		return t
	case token.NEQ:
		return t.Not()
	}
	return Unknown
}

// NilTest takes apart x == nil and x != nil, in either order: isNil reports whether x is nil if cond holds.
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
