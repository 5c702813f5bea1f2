package tombstone

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// notUnwrapped returns an assertion that fails on the tombstone which the assertion a recognised, because the code uses
// the tombstone itself as the object instead of its Obj; the failure panics or drops the deletion. It is nil if there
// is none, or if the code reads a field of the tombstone.
func notUnwrapped(a *ssa.TypeAssert) *ssa.TypeAssert {
	v := assertedValue(a)
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
				case !holds(b.AssertedType, v.Type()) && (panicsNotUnwrapped(a, b) || dropsNotUnwrapped(a, b)):
					found = b
				}
			}
		}
	}
	return found
}

// assertedValue returns the result of the assertion a if it holds, nil if it is not used.
func assertedValue(a *ssa.TypeAssert) ssa.Value {
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

// viewNotUnwrapped returns the function of a and b with the branches that are possible for a tombstone, for which a
// holds and b fails.
func viewNotUnwrapped(a, b *ssa.TypeAssert) *paths.Feasible {
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

// panicsNotUnwrapped reports whether b panics on the tombstone that a recognised, or its nil result is dereferenced.
func panicsNotUnwrapped(a, b *ssa.TypeAssert) bool {
	if !b.CommaOk {
		return true
	}
	v := assertedValue(b)
	if v == nil {
		return false
	}
	view := viewNotUnwrapped(a, b)
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		return view.Reaches(r.Block()) && panicsOnNil(r, v)
	})
}

// panicsOnNil reports whether in, which uses v, a pointer or an interface, panics if v is nil.
func panicsOnNil(in ssa.Instruction, v ssa.Value) bool {
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

// dropsNotUnwrapped reports whether nothing but logging happens after b fails on the tombstone that a recognised, and
// the function returns nothing but false.
func dropsNotUnwrapped(a, b *ssa.TypeAssert) bool {
	view, block := viewNotUnwrapped(a, b), b.Block()
	acts := func(in ssa.Instruction) bool { return hasEffect(in, view, false) }
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
