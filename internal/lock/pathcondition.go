package lock

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A test is the outcome of a condition on a path, and the instruction that computes it: executing it again makes the
// outcome unknown.
type test struct {
	truth bool
	by    ssa.Value
}

// condKey names a condition so that two tests of the same thing have one name: a comparison of the same operands, or
// loads of one variable or field. The second result is false where the name stands for the opposite of v. What a call
// in between may have changed is taken not to have: that costs a path, and never invents one.
func condKey(v ssa.Value) (string, bool) {
	v, pos := flow.StripNot(v)
	if b, ok := v.(*ssa.BinOp); ok {
		op := b.Op
		switch op {
		case token.NEQ:
			op, pos = token.EQL, !pos
		case token.GEQ:
			op, pos = token.LSS, !pos
		case token.LEQ:
			op, pos = token.GTR, !pos
		}
		switch op {
		case token.EQL, token.LSS, token.GTR:
			return op.String() + "|" + operandKey(b.X) + "|" + operandKey(b.Y), pos
		}
	}
	return operandKey(v), pos
}

func operandKey(v ssa.Value) string {
	v = flow.Unwrap(v)
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil {
			return "nil"
		}
		return x.Value.ExactString()
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return placeKey(flow.PathOf(x))
		}
	case *ssa.Call:
		if isBuiltin(x, "len") {
			return "len(" + operandKey(x.Call.Args[0]) + ")"
		}
	case *ssa.FreeVar, *ssa.Parameter:
		return placeKey(flow.PathOf(x))
	}
	return fmt.Sprintf("%p", v)
}

func placeKey(p flow.Path) string { return fmt.Sprintf("%p%s;", p.Root, p.Sel) }

// decide notes the outcome of the condition named key.
func (s *state) decide(key string, truth bool, by ssa.Value) {
	if s.conds == nil {
		s.conds = map[string]test{}
	}
	s.conds[key] = test{truth, by}
}

// written is the effect of a store of val to the place p on the known outcomes.
func (s *state) written(p flow.Path, val ssa.Value, tested map[string]int) {
	if !p.Known() {
		return
	}
	k := placeKey(p)
	for c := range s.conds {
		if strings.Contains(c, k) {
			delete(s.conds, c)
		}
	}
	s.learn(k, val, tested)
}

// learn notes what is known of a place or value that has become val: its truth for a bool constant, whether it is nil.
func (s *state) learn(key string, val ssa.Value, tested map[string]int) {
	val = flow.Unwrap(val)
	c, ok := val.(*ssa.Const)
	if ok && c.Value != nil && c.Value.Kind() == constant.Bool && tested[key] > 0 {
		s.decide(key, constant.BoolVal(c.Value), nil)
	}
	if n := "==|" + key + "|nil"; tested[n] > 0 {
		switch {
		case ok && c.IsNil():
			s.decide(n, true, nil)
		case notNil(val, 0):
			s.decide(n, false, nil)
		}
	}
}

// renamed is called when another name is assigned to v: a lock with a path through the old name may be released through
// the new one, as in hand-over-hand locking of a list.
func (s *state) renamed(v ssa.Value) {
	if len(s.held) == 0 || isConst(v) {
		return
	}
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
		return
	}
	p := flow.PathOf(v)
	s.held = slices.Clone(s.held) // events that were recorded keep what was held then
	for i, h := range s.held {
		if _, ok := p.Below(h.Path); ok {
			s.held[i].Stale = true
		}
	}
}

// enter is the transition on the edge from from to to: phis are assigned the values of that edge.
func (s *state) enter(from, to *ssa.BasicBlock, tested map[string]int) {
	for i, pred := range to.Preds {
		if pred != from {
			continue
		}
		before := maps.Clone(s.conds)
		for phi := range flow.Phis(to) {
			k := operandKey(phi)
			for c := range s.conds {
				if strings.Contains(c, k) {
					delete(s.conds, c)
				}
			}
			e := phi.Edges[i]
			s.renamed(e)
			s.learn(k, e, tested)
			// What was found out about the value holds for the phi.
			for _, form := range []string{"%s", "==|%s|nil"} {
				if to := fmt.Sprintf(form, k); tested[to] > 0 {
					if t, ok := before[fmt.Sprintf(form, operandKey(e))]; ok {
						s.decide(to, t.truth, nil)
					}
				}
			}
		}
		return
	}
}
