package spread

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/values"
)

// built yields what a loop builds by additions that depend on its element, with the instruction that adds: lists that it appends to or
// fills, and text. What each turn begins anew is not yielded.
func built(loop *flow.Loop, element func(ssa.Value) bool) iter.Seq2[ssa.Instruction, ssa.Value] {
	return func(yield func(ssa.Instruction, ssa.Value) bool) {
		for in := range loop.Instrs() {
			for _, to := range additions(loop, in, element) {
				if !picksOne(loop, in, element) && !merges(loop, in, to) && !yield(in, to) {
					return
				}
			}
		}
	}
}

// additions are what in adds something of the element to.
func additions(loop *flow.Loop, in ssa.Instruction, element func(ssa.Value) bool) (to []ssa.Value) {
	of := func(vs ...ssa.Value) bool {
		return slices.ContainsFunc(vs, func(v ssa.Value) bool { return values.DependsOn(v, element) })
	}
	switch in := in.(type) {
	case *ssa.BinOp:
		if in.Op == token.ADD && flow.IsString(in.Type()) && of(in.Y) {
			return carried(loop, in)
		}
	case *ssa.Store:
		load, slot := in.Addr.(*ssa.IndexAddr)
		if slot && flow.WrittenOut(load.X) == "" && outside(loop, load.X) && of(in.Val) && !of(load.Index) {
			return []ssa.Value{load.X}
		}
		if call, ok := in.Val.(*ssa.Call); ok && flow.Builtin(&call.Call) == "append" && outside(loop, in.Addr) && of(call.Call.Args[1]) &&
			flow.PathOf(call.Call.Args[0]) == flow.PathOf(in.Addr) {
			return []ssa.Value{in.Addr}
		}
	case *ssa.Call:
		args := flow.AllArgs(&in.Call)
		if flow.Builtin(&in.Call) == "append" && of(args[1]) {
			return carried(loop, in)
		}
		if kubeapi.AppendsText(flow.Callee(&in.Call)) && of(args[1:]...) && outside(loop, flow.Unwrap(args[0])) {
			return []ssa.Value{flow.Unwrap(args[0])}
		}
	}
	return nil
}

// carried are the variables of the loop that have v in the next turn, and of which v is made.
func carried(loop *flow.Loop, v ssa.Value) (phis []ssa.Value) {
	before := chain(loop, v)
	for _, in := range loop.Header.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok || !before[phi] {
			continue
		}
		for i, edge := range phi.Edges {
			if loop.Blocks[loop.Header.Preds[i]] && chain(loop, edge)[v] {
				phis = append(phis, phi)
				break
			}
		}
	}
	return phis
}

// chain are the values in the loop that v is made of by additions, and v.
func chain(loop *flow.Loop, v ssa.Value) map[ssa.Value]bool {
	all := map[ssa.Value]bool{}
	work := values.From(v)
	for v := range work.All() {
		all[v] = true
		if phi, ok := v.(*ssa.Phi); ok && phi.Block() == loop.Header {
			continue
		}
		switch x := v.(type) {
		case *ssa.Phi:
			work.Add(x.Edges...)
		case *ssa.Slice:
			work.Add(x.X)
		case *ssa.BinOp:
			work.Add(x.X)
		case *ssa.Call:
			if flow.Builtin(&x.Call) == "append" {
				work.Add(x.Call.Args[0])
			}
		}
	}
	return all
}

// outside reports whether the variable at v, or that has v, is the same in all turns of the loop.
func outside(loop *flow.Loop, v ssa.Value) bool {
	for {
		in, ok := v.(ssa.Instruction)
		if !ok || !loop.Blocks[in.Block()] {
			return true
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if !outside(loop, x.Index) {
				return false
			}
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return false
		}
	}
}

// picksOne reports whether control comes to in only for elements that are equal to something, of which there is one at most.
func picksOne(loop *flow.Loop, in ssa.Instruction, element func(ssa.Value) bool) bool {
	one := func(v ssa.Value) bool {
		v = flow.Resolve(v)
		x, ok := v.(*ssa.Extract)
		return element(v) && !(ok && x.Index == 2)
	}
	for test, outcome := range flow.PathCondition(in.Block()) {
		bin, ok := test.Cond.(*ssa.BinOp)
		if ok && loop.Blocks[test.Block()] && flow.Equal(bin, outcome) == flow.True && (one(bin.X) || one(bin.Y)) {
			return true
		}
	}
	return false
}

// merges reports whether in adds only what a function does not find in what to had before the loop: what is there keeps its order.
func merges(loop *flow.Loop, in ssa.Instruction, to ssa.Value) bool {
	had := to
	if phi, ok := to.(*ssa.Phi); ok {
		outer := slices.IndexFunc(loop.Header.Preds, func(b *ssa.BasicBlock) bool { return !loop.Blocks[b] })
		had = phi.Edges[outer]
	}
	if values.Fresh(had, nil) || flow.IsEmpty(had) || flow.IsNil(had) {
		return false
	}
	finds := func(v ssa.Value) bool {
		call, ok := v.(*ssa.Call)
		return ok && slices.ContainsFunc(flow.AllArgs(&call.Call), func(a ssa.Value) bool {
			return flow.PathOf(a) == flow.PathOf(to) || chain(loop, a)[to]
		})
	}
	return flow.Any2(flow.PathCondition(in.Block()), func(test *ssa.If, outcome flow.Truth) bool {
		return outcome != flow.Unknown && loop.Blocks[test.Block()] && values.DependsOn(test.Cond, finds)
	})
}
