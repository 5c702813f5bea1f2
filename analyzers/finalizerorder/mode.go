package finalizerorder

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A mode is the value of a parameter for which an event happens, as in a helper that is told whether to add or to
// remove. The zero mode is no condition.
type mode struct {
	param *ssa.Parameter
	value string // of the constant that the parameter is compared with
	equal bool   // it happens where the parameter has that value, or else where it has not
}

// modeOf is the comparison of a parameter with a constant that decides about in.
func modeOf(in ssa.Instruction) mode {
	for test, t := range flow.Decided(in.Block()) {
		if m, ok := comparison(test.Cond); ok && t != flow.Either {
			m.equal = m.equal == (t == flow.Yes)
			return m
		}
	}
	return mode{}
}

// comparison takes apart the condition param == constant, param != constant, or param itself.
func comparison(cond ssa.Value) (mode, bool) {
	cond = flow.Resolve(cond)
	if p, ok := cond.(*ssa.Parameter); ok {
		return mode{p, "true", true}, true
	}
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			m, ok := comparison(c.X)
			m.equal = !m.equal
			return m, ok
		}
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return mode{}, false
		}
		p, isParam := flow.Resolve(c.X).(*ssa.Parameter)
		k, isConst := c.Y.(*ssa.Const)
		if isParam && isConst && k.Value != nil {
			return mode{p, k.Value.ExactString(), c.Op == token.EQL}, true
		}
	}
	return mode{}, false
}

// under is m for a caller that passes v for its parameter: another mode where v is a parameter of the caller's, none
// where the condition holds. ok is false where it does not hold, or cannot be judged.
func (m mode) under(v ssa.Value) (next mode, ok bool) {
	switch v := flow.Resolve(v).(type) {
	case *ssa.Const:
		return mode{}, v.Value != nil && (v.Value.ExactString() == m.value) == m.equal
	case *ssa.Parameter:
		return mode{v, m.value, m.equal}, true
	}
	return mode{}, false
}
