package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Position of an instruction inside its block.
func indexOf(in ssa.Instruction) int {
	for i, x := range in.Block().Instrs {
		if x == in {
			return i
		}
	}
	return -1
}

// Dominates reports whether every path to b has passed a.
func Dominates(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return indexOf(a) < indexOf(b)
	}
	return a.Block().Dominates(b.Block())
}

// Reaches reports whether control can go from after a to b, without passing an instruction for which stop is true.
// A nil stop never stops. Back edges count.
func Reaches(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return reaches(a, b, stop, false)
}

// ReachesForward is Reaches without loop back edges: b comes later in the same pass.
func ReachesForward(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return reaches(a, b, stop, true)
}

func reaches(a, b ssa.Instruction, stop func(ssa.Instruction) bool, forward bool) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(blk *ssa.BasicBlock, from int) bool
	walk = func(blk *ssa.BasicBlock, from int) bool {
		for _, in := range blk.Instrs[from:] {
			if in == b {
				return true
			}
			if stop != nil && stop(in) {
				return false
			}
		}
		for _, s := range blk.Succs {
			if forward && s.Dominates(blk) { // a back edge
				continue
			}
			if !seen[s] {
				seen[s] = true
				if walk(s, 0) {
					return true
				}
			}
		}
		return false
	}
	return walk(a.Block(), indexOf(a)+1)
}

// Mark sets seen, which is by block index, for the blocks of work and all to which next leads from there.
func Mark(seen []bool, work []*ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) {
	work = append([]*ssa.BasicBlock(nil), work...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b.Index] {
			seen[b.Index] = true
			work = append(work, next(b)...)
		}
	}
}

// ComesTo reports whether control can come from block a to block b, in no step or in many.
func ComesTo(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{a}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x] {
			seen[x] = true
			work = append(work, x.Succs...)
		}
	}
	return false
}

// BlocksFrom is the set of blocks that control can reach from b, b included.
func BlocksFrom(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	return blocksBy(b, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
}

// BlocksTo is the set of blocks from which control can reach b, b included.
func BlocksTo(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	return blocksBy(b, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
}

// blocksBy is b and all that next leads to from there.
func blocksBy(b *ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range next(b) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// ReturnsWithout reports whether control can go from b to a return without passing block without.
func ReturnsWithout(b, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{b: true, without: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			return true
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// InLoop reports whether b lies on a cycle.
func InLoop(b *ssa.BasicBlock) bool {
	for _, s := range b.Succs {
		if ComesTo(s, b) {
			return true
		}
	}
	return false
}

// Cyclic is InLoop for all blocks of fn, by block index: those whose strongly connected component (Tarjan, 1972) is more
// than a block, or a block that is its own successor.
func Cyclic(fn *ssa.Function) []bool {
	n := len(fn.Blocks)
	out, on := make([]bool, n), make([]bool, n)
	index, low := make([]int, n), make([]int, n)
	var stack []*ssa.BasicBlock
	count := 0
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		count++
		index[b.Index], low[b.Index] = count, count
		stack, on[b.Index] = append(stack, b), true
		for _, s := range b.Succs {
			if s == b {
				out[b.Index] = true
			}
			if index[s.Index] == 0 {
				visit(s)
				low[b.Index] = min(low[b.Index], low[s.Index])
			} else if on[s.Index] {
				low[b.Index] = min(low[b.Index], index[s.Index])
			}
		}
		if low[b.Index] != index[b.Index] {
			return
		}
		first := len(stack) - 1
		for stack[first] != b {
			first--
		}
		for _, x := range stack[first:] {
			on[x.Index] = false
			out[x.Index] = out[x.Index] || len(stack)-first > 1
		}
		stack = stack[:first]
	}
	for _, b := range fn.Blocks {
		if index[b.Index] == 0 {
			visit(b)
		}
	}
	return out
}

// Decl is the declared function that fn is, or lies in as a function literal.
func Decl(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// FuncName names fn's declaration as (*T).M, T.M or F.
func FuncName(fn *ssa.Function) string {
	fn = Decl(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return ObjectName(obj)
	}
	return fn.Name()
}

// ObjectName names a function or method as (*T).M, T.M or F.
func ObjectName(obj *types.Func) string {
	recv := obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return obj.Name()
	}
	name := Named(recv.Type())
	if _, ptr := types.Unalias(recv.Type()).(*types.Pointer); ptr {
		return "(*" + name + ")." + obj.Name()
	}
	return name + "." + obj.Name()
}

// Pos is the position of an instruction, or that of the nearest one before it in its block that has one. The call of an iterator
// is at the word range.
func Pos(in ssa.Instruction) token.Pos {
	if p := in.Pos(); p.IsValid() {
		return p
	}
	if c, ok := in.(ssa.CallInstruction); ok {
		for _, arg := range c.Common().Args {
			if body := FuncValue(arg); body != nil {
				if loop, ok := body.Syntax().(*ast.RangeStmt); ok {
					return loop.Range
				}
			}
		}
	}
	instrs := in.Block().Instrs
	for i := indexOf(in); i >= 0; i-- {
		if p := instrs[i].Pos(); p.IsValid() {
			return p
		}
	}
	return in.Parent().Pos()
}

// Calls yields the call instructions of fn (plain, deferred and spawned).
func Calls(fn *ssa.Function, yield func(ssa.CallInstruction)) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				yield(c)
			}
		}
	}
}
