package paths

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// empty is the Const of a slice without elements, nil or not.
const empty = "empty"

// filled is the Condition that a slice parameter of fn has elements, if cond with the outcome truth says so by its length. That it
// has none is no Condition, as callers seldom show it.
func filled(fn *ssa.Function, cond ssa.Value, truth bool) (Condition, bool) {
	v, is := flow.StripNot(flow.Resolve(cond))
	cmp, ok := v.(*ssa.BinOp)
	if !ok {
		return Condition{}, false
	}
	length, other, op := cmp.X, cmp.Y, cmp.Op
	if _, left := length.(*ssa.Const); left {
		length, other, op = other, length, mirrored(op)
	}
	k, ok := other.(*ssa.Const)
	list := lengthOf(length)
	if list == nil || !ok || k.Value == nil {
		return Condition{}, false
	}
	n := k.Int64()
	some := n == 0 && (op == token.NEQ || op == token.GTR) || n > 0 && (op == token.EQL || op == token.GTR || op == token.GEQ)
	none := n == 0 && (op == token.EQL || op == token.LEQ) || n == 1 && op == token.LSS
	i := flow.ParamIndex(fn, flow.Resolve(list))
	holds := truth == is
	return Condition{Param: i, Const: empty, Not: true}, i >= 0 && (holds && some || !holds && none)
}

// lengthOf is the slice that v is the length of; nil for other values.
func lengthOf(v ssa.Value) ssa.Value {
	call, ok := flow.Resolve(v).(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
		return nil
	}
	list := call.Call.Args[0]
	if _, ok := list.Type().Underlying().(*types.Slice); !ok {
		return nil
	}
	return list
}

// mirrored is the comparison with its sides exchanged.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// filledAt are the Conditions that slices have elements if cond has the outcome truth: that of cond, or, of a flag, those common to
// all assignments of that value.
func (g *Conditions) filledAt(cond ssa.Value, truth bool) []Condition {
	if own, ok := filled(g.fn, cond, truth); ok {
		return []Condition{own}
	}
	v, is := flow.StripNot(flow.Resolve(cond))
	flag, ok := v.(*ssa.Phi)
	if !ok {
		return nil
	}
	var all []Condition
	first := true
	for i, e := range flag.Edges {
		from := flag.Block().Preds[i]
		if flag.Block().Dominates(from) {
			return nil // what it was in the turn before
		}
		if flow.ConstTruth(e) == flow.TruthOf(truth != is) {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(g.At(from)), func(o Condition) bool { return o.Const != empty })
		if own, ok := filled(g.fn, e, truth == is); ok {
			here = append(here, own)
		}
		if first {
			all, first = here, false
		}
		all = slices.DeleteFunc(all, func(o Condition) bool { return !slices.Contains(here, o) })
	}
	return all
}
