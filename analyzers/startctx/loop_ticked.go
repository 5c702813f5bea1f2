package startctx

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// leftByTick reports whether the case i of recv, a choice, notes in a variable that the end has come, no case takes that back, and the case of a ticker, which is
// sure to come, leaves the loop on each way because of it: the loop has one more turn of the ticker.
func leftByTick(recv ssa.Instruction, i int) bool {
	choice, ok := recv.(*ssa.Select)
	if !ok || !choice.Blocking || !slices.ContainsFunc(choice.States, func(s *ssa.SelectState) bool { return ticksOn(s, choice) }) {
		return false
	}
	noted, back, whole := comesBackWith(choice, i, nil)
	if !whole || !back || len(noted) == 0 {
		return false
	}
	left := false
	for j, s := range choice.States {
		kept, back, whole := comesBackWith(choice, j, noted)
		if !whole {
			return false
		}
		if !back && ticksOn(s, choice) {
			left = true
		}
		if back && !maps.Equal(kept, noted) {
			return false
		}
	}
	return left
}

// comesBackWith follows the ways of case i of the choice, where known holds: whether one comes back to it, and what is then known, on all of these, of the variables that
// the loop carries. Whole is false where not all ways were followed.
func comesBackWith(choice *ssa.Select, i int, known map[ssa.Value]flow.Truth) (kept map[ssa.Value]flow.Truth, back, whole bool) {
	carried := carriedTo(choice)
	w := paths.Exploration{
		Visit: func(in ssa.Instruction, k *paths.State) bool {
			if in != ssa.Instruction(choice) {
				return false
			}
			here := map[ssa.Value]flow.Truth{}
			for _, phi := range carried {
				if t := k.Value(phi); t != flow.Unknown && (!back || kept[phi] == t) {
					here[phi] = t
				}
			}
			kept, back = here, true
			return true
		},
		Decide: func(cond ssa.Value, _ *paths.State) (flow.Truth, bool) {
			for j := range choice.States {
				if test := flow.CaseTest(choice, j); test != nil && test.Cond == cond {
					return flow.TruthOf(j == i), false
				}
			}
			return flow.Unknown, false
		},
	}
	whole = w.From(choice, known)
	return kept, back, whole
}

// carriedTo are the bools that loops around the choice carry from turn to turn.
func carriedTo(choice *ssa.Select) (out []*ssa.Phi) {
	for in := range flow.Instrs(choice.Parent()) {
		if phi, ok := in.(*ssa.Phi); ok && flow.IsBool(phi.Type()) && phi.Block().Dominates(choice.Block()) && flow.BlocksFrom(choice.Block())[phi.Block()] {
			out = append(out, phi)
		}
	}
	return out
}

// ticksOn reports whether the case s of the choice receives from a ticker that its function has made outside of the loop, and that nobody stops or sets anew before
// the function returns.
func ticksOn(s *ssa.SelectState, choice *ssa.Select) bool {
	if s.Dir != types.RecvOnly || !stable(s.Chan, choice.Block()) {
		return false
	}
	if call, ok := flow.Resolve(s.Chan).(*ssa.Call); ok {
		return (kubeapi.Symbol{Pkg: "time", Name: "Tick"}).Is(flow.Callee(&call.Call))
	}
	field := flow.LoadedFrom(s.Chan)
	if field == nil {
		return false
	}
	made, ok := flow.Resolve(field.X).(*ssa.Call)
	return ok && (kubeapi.Symbol{Pkg: "time", Name: "NewTicker"}).Is(flow.Callee(&made.Call)) && made.Parent() == choice.Parent() && !slices.ContainsFunc(*made.Referrers(), touched)
}

// touched reports whether r, a use of a ticker, may end it, or have others do so, before the function returns.
func touched(r ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.FieldAddr:
		return slices.ContainsFunc(*r.Referrers(), func(in ssa.Instruction) bool { _, stored := in.(*ssa.Store); return stored })
	case *ssa.Defer:
		return kubeapi.Called(&r.Call).Name != "Stop"
	}
	return true
}
