package values

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// Uses yields what is done with v: see [Worklist.Uses].
func Uses(v ssa.Value) iter.Seq2[ssa.Instruction, ssa.Value] { return From(v).Uses() }

// Uses yields each instruction that does something with a value of the worklist, and the value. Instructions after
// which another value is that one are not uses but lead on, by adding the other one: conversions, type assertions,
// phis, local variables, also in literals that capture them, loads, and slices that are written out, such as the
// arguments of a variadic call. Stores at a value, an address, are no uses of it.
func (w *Worklist) Uses() iter.Seq2[ssa.Instruction, ssa.Value] {
	return func(yield func(ssa.Instruction, ssa.Value) bool) {
		for v := range w.All() {
			for in := range flow.Referrers[ssa.Instruction](v) {
				if w.Skip != nil && w.Skip(in) {
					continue
				}
				to, same := next(in, v)
				w.Add(to...)
				if !same && !yield(in, v) {
					return
				}
			}
		}
	}
}

// next returns the values that are v because of in; not same if in is a use of v.
func next(in ssa.Instruction, v ssa.Value) (to []ssa.Value, same bool) {
	switch in := in.(type) {
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Phi:
		return []ssa.Value{in.(ssa.Value)}, true
	case *ssa.Extract:
		if _, assert := in.Tuple.(*ssa.TypeAssert); assert && in.Index != 0 {
			return nil, true
		}
		return []ssa.Value{in}, true
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return []ssa.Value{in}, true
		}
	case *ssa.Store:
		if in.Addr == v {
			return nil, true
		}
		switch addr := in.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return []ssa.Value{addr}, true
		case *ssa.IndexAddr:
			if flow.WrittenOut(addr.X) != "" {
				return []ssa.Value{addr.X}, true
			}
		}
	case *ssa.IndexAddr: // see Store
		return nil, flow.WrittenOut(v) != ""
	case *ssa.Slice:
		if flow.WrittenOut(v) != "" {
			return []ssa.Value{in}, true
		}
	case *ssa.MakeClosure:
		if fn := in.Fn.(*ssa.Function); fn.Synthetic == "" {
			return []ssa.Value{fn.FreeVars[slices.Index(in.Bindings, v)]}, true
		}
	}
	return nil, false
}

// MethodCall is in as a call of a method of v that gets v in no other way, nil for other uses.
func MethodCall(in ssa.Instruction, v ssa.Value) ssa.CallInstruction {
	call, ok := in.(ssa.CallInstruction)
	if !ok || flow.Recv(call.Common()) != v || slices.Contains(flow.Args(call.Common()), v) {
		return nil
	}
	return call
}
