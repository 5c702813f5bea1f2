package sharing

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/words"
)

// fillsNil reports whether in, which writes val, puts an empty map where it has found none, or, in a function that
// returns it, a struct with nothing in it: readers cannot tell them apart, or ask by that function. What is put
// into it is another write.
func fillsNil(in ssa.Instruction, val ssa.Value) bool {
	switch made := flow.Unwrap(val).(type) {
	case *ssa.MakeMap:
		for range flow.Referrers[*ssa.MapUpdate](made) {
			return false
		}
	case *ssa.Alloc:
		if st, ok := in.(*ssa.Store); !ok || !givesOut(st) {
			return false
		}
		for _, r := range *made.Referrers() { // other functions that get it may put something into it
			if r != in {
				return false
			}
		}
	default:
		return false
	}
	for x, t := range paths.Facts(in.Block()) {
		if t == flow.True && !flow.IsBool(x.Type()) && reads(x, in) {
			return true
		}
	}
	return false
}

// restoresOrder reports whether in, which sorts list, runs only if a test found the list unsorted. Code that tests
// first assumes that the list is sorted, as the cache keeps it.
func restoresOrder(in ssa.Instruction, list ssa.Value) bool {
	for v, t := range paths.Facts(in.Block()) {
		call, ok := v.(*ssa.Call)
		if ok && t == flow.False && asksOrder(&call.Call) && sameAddr(flow.Unwrap(call.Call.Args[0]), flow.Unwrap(list)) {
			return true
		}
	}
	return false
}

// asksOrder reports whether call asks the standard library whether a list is sorted.
func asksOrder(call *ssa.CallCommon) bool {
	fn := flow.Callee(call)
	return IsOrdering(fn) && fn.Signature().Results().Len() == 1 && flow.IsBool(fn.Signature().Results().At(0).Type())
}

// IsOrdering reports whether fn is one of the standard library that is about the order of a list.
func IsOrdering(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	return fn.Pkg().Path() == "sort" || fn.Pkg().Path() == "slices" && words.Has(fn.Name(), "sort", "sorted")
}

// givesOut reports whether the function of st returns what it has put there, or has found there.
func givesOut(st *ssa.Store) bool {
	return flow.Any(flow.Returns(st.Parent()), func(ret *ssa.Return) bool {
		return slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
			load, ok := flow.Unwrap(v).(*ssa.UnOp)
			return ok && load.Op == token.MUL && sameAddr(load.X, st.Addr)
		})
	})
}

// isFilled reports whether v is read from a field of a struct of this function's, into which a map is put that the
// function makes: what the copy of an object gets where it has none is its own, and whether the cached one has one is
// not known.
func (a *Sharing) isFilled(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	root, sel := place(load.X)
	return root.Referrers() != nil && slices.ContainsFunc(a.storesTo(root), func(st *ssa.Store) bool {
		_, at := place(st.Addr)
		_, made := flow.Unwrap(st.Val).(*ssa.MakeMap)
		return made && at == sel
	})
}

// reads reports whether x is read from where in writes.
func reads(x ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		load, ok := x.(*ssa.UnOp)
		return ok && load.Op == token.MUL && sameAddr(load.X, in.Addr)
	case ssa.CallInstruction:
		get, ok := x.(*ssa.Call)
		if !ok {
			return false
		}
		getter, setter := flow.Callee(&get.Call), flow.Callee(in.Common())
		return kubeapi.GetterOf(getter) != "" && kubeapi.GetterOf(getter) == kubeapi.SetterOf(setter) && sameAddr(flow.Recv(&get.Call), flow.Recv(in.Common()))
	}
	return false
}

// sameAddr reports whether both are the same value, or the addresses of the same field or element.
func sameAddr(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && sameAddr(x.X, y.X)
	case *ssa.IndexAddr:
		y, ok := y.(*ssa.IndexAddr)
		return ok && x.Index == y.Index && sameAddr(x.X, y.X)
	case *ssa.UnOp:
		y, ok := y.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && sameAddr(x.X, y.X)
	}
	return false
}

// isReplaced reports whether in is dominated by a loop that has put a copy in the place of each element of list.
func isReplaced(list ssa.Value, in ssa.Instruction) bool {
	return slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		at, ok := r.(*ssa.IndexAddr)
		if !ok || at.X != list {
			return false
		}
		return slices.ContainsFunc(*at.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(at) {
				return false
			}
			copied, ok := flow.Unwrap(st.Val).(*ssa.Call)
			if !ok {
				return false
			}
			fn := flow.Callee(&copied.Call)
			return fn != nil && kubeapi.IsDeepCopy(fn) && overAll(list, at.Index, st.Block(), in.Block())
		})
	})
}

// overAll reports whether control reaches the block behind only after a loop over all indices i of list that runs the
// block of.
func overAll(list, i ssa.Value, of, behind *ssa.BasicBlock) bool {
	head := i.(ssa.Instruction).Block()
	test, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	less, ok := test.Cond.(*ssa.BinOp)
	if !ok || less.Op != token.LSS || less.X != i || !isLen(less.Y, list) || !head.Succs[1].Dominates(behind) || len(head.Succs[1].Preds) != 1 {
		return false
	}
	return !slices.ContainsFunc(head.Preds, func(pred *ssa.BasicBlock) bool {
		return head.Dominates(pred) && !of.Dominates(pred)
	})
}

// isLen reports whether v is the length of list.
func isLen(v, list ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	l, ok := call.Call.Value.(*ssa.Builtin)
	return ok && l.Name() == "len" && call.Call.Args[0] == list
}

// impliedOn reports whether the edge from one block to the other implies that v has the truth t.
func impliedOn(from, to *ssa.BasicBlock, v ssa.Value, t flow.Truth) bool {
	return flow.Any2(paths.EdgeFacts(from, to), func(x ssa.Value, is flow.Truth) bool { return x == v && is == t })
}

// nothingAt reports whether v is nil on all paths to b, or was not read for an error.
func nothingAt(b *ssa.BasicBlock, v ssa.Value) bool {
	err := ssa.Value(nil)
	if read, i := flow.ResultOf(v); read != nil && i == 0 {
		err = flow.ErrorOf(read)
	}
	nothing := func(from, to *ssa.BasicBlock) bool {
		return impliedOn(from, to, v, flow.True) || err != nil && impliedOn(from, to, err, flow.False)
	}
	for ; b != nil && len(b.Preds) > 0; b = b.Preds[0] {
		if !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return !nothing(p, b) }) {
			return true
		}
		if len(b.Preds) > 1 {
			break
		}
	}
	return false
}
