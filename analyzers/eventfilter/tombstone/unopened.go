package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// unopened is the assertion, to something that no tombstone is, that the tombstone which a gives comes to as it is, and which panics or drops it;
// nil where there is none, or somebody looks into it.
func unopened(a *ssa.TypeAssert) *ssa.TypeAssert {
	v := given(a)
	if v == nil {
		return nil
	}
	var found *ssa.TypeAssert
	for r := range flow.Referrers[ssa.Instruction](v) {
		boxed, ok := r.(*ssa.MakeInterface)
		if !ok {
			return nil
		}
		for phi := range flow.Referrers[*ssa.Phi](boxed) {
			for b := range flow.Referrers[*ssa.TypeAssert](phi) {
				switch {
				case kubeapi.Tombstone.Is(b.AssertedType):
					return nil
				case !holds(b.AssertedType, v.Type()) && (panicsUnopened(a, b) || dropsUnopened(a, b)):
					found = b
				}
			}
		}
	}
	return found
}

// given is what the assertion a gives where it holds, nil where nobody takes it.
func given(a *ssa.TypeAssert) ssa.Value {
	if !a.CommaOk {
		return a
	}
	return flow.Extracted(a, 0)
}

// holds reports whether an assertion to the type asserted may hold for a value of type t.
func holds(asserted, t types.Type) bool {
	if i, ok := asserted.Underlying().(*types.Interface); ok {
		return types.Implements(t, i)
	}
	return types.Identical(asserted, t)
}

// viewUnopened is the function of a and b as it is for a tombstone, which a finds and b fails on.
func viewUnopened(a, b *ssa.TypeAssert) *paths.Feasible {
	return paths.Reachable(b.Parent(), func(v ssa.Value) flow.Truth {
		x, isNil, test := flow.NilTest(v)
		if !test {
			x = v
		}
		failed, ok := x.(*ssa.Extract)
		switch {
		case !ok || test != (failed.Index == 0):
			return flow.Unknown
		case failed.Tuple == a && !test:
			return flow.True
		case failed.Tuple == b:
			return flow.TruthOf(test && isNil)
		}
		return flow.Unknown
	}, nil)
}

// panicsUnopened reports whether b panics on the tombstone that a gives, or what b gives for it, nil, is used where that panics.
func panicsUnopened(a, b *ssa.TypeAssert) bool {
	if !b.CommaOk {
		return true
	}
	v := given(b)
	if v == nil {
		return false
	}
	view := viewUnopened(a, b)
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return view.Reaches(r.Block()) && fallsOver(r, v) })
}

// fallsOver reports whether in, which uses v, a pointer or an interface, panics where that is nil.
func fallsOver(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return true
	case *ssa.UnOp:
		return true
	case ssa.CallInstruction:
		return in.Common().IsInvoke() && in.Common().Value == v
	}
	return false
}

// dropsUnopened reports whether nothing but logging happens behind b on the tombstone that a gives, and the function gives no other answer than no.
func dropsUnopened(a, b *ssa.TypeAssert) bool {
	view, block := viewUnopened(a, b), b.Block()
	acts := func(in ssa.Instruction) bool { return heeds(in, view, false) }
	if slices.ContainsFunc(block.Instrs[slices.Index(block.Instrs, ssa.Instruction(b))+1:], acts) {
		return false
	}
	for after := range view.From(block) {
		if slices.ContainsFunc(after.Instrs, acts) {
			return false
		}
	}
	return true
}
