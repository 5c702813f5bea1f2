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

// built yields the loop-carried lists and text to which the loop adds what depends on its element, each with the
// instruction that adds. What each turn begins anew is not carried.
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

// additions returns the carried variables to which in adds what depends on the element.
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

// carried returns the phis of the header on a cycle through v: v is made of them, and they have v in the next turn.
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

// chain is the backward slice of v over additions, up to the phis of the header; v included.
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

// outside reports whether v, or the variable of which v is the address of a part, is loop-invariant.
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

// picksOne reports whether in is control-dependent on an element, other than a value of a map, being equal to
// something. It takes elements for distinct.
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

// merges reports whether in is control-dependent on what a function says about to, which has elements from before the
// loop: it is taken to add what is missing, so that what is there keeps its order.
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
