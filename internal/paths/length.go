package paths

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// empty is the Const of a slice without elements, nil or not.
const empty = "empty"

// filled returns the Condition that a slice parameter of fn has elements, if cond with the outcome truth says so by its
// length. That it has none is no Condition, as callers seldom show it.
func filled(fn *ssa.Function, cond ssa.Value, truth bool) (Condition, bool) {
	for v, t := range Implied(flow.Resolve(cond), flow.TruthOf(truth)) {
		i := flow.ParamIndex(fn, flow.Resolve(v))
		if _, slice := v.Type().Underlying().(*types.Slice); slice && i >= 0 && t == flow.False {
			return Condition{Param: i, Const: empty, Not: true}, true
		}
	}
	return Condition{}, false
}

// filledAt returns the Conditions that slices have elements if cond has the outcome truth: that of cond, or, of a flag,
// those common to all assignments of that value.
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
