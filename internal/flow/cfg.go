package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// indexOf returns the position of in inside its block.
func indexOf(in ssa.Instruction) int { return slices.Index(in.Block().Instrs, in) }

// Dominates reports whether every path to b passes a.
func Dominates(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return indexOf(a) < indexOf(b)
	}
	return a.Block().Dominates(b.Block())
}

// A Search looks for instructions on the paths of a control-flow graph.
type Search struct {
	Goal    func(ssa.Instruction) bool          // what is looked for
	Barrier func(ssa.Instruction) bool          // where paths end; nil for no barrier. What is a goal, too, is found.
	Edge    func(from, to *ssa.BasicBlock) bool // the edges that paths take; nil for all of them
}

// From reports whether a path from the start of b leads to a goal.
func (s Search) From(b *ssa.BasicBlock) bool { return s.find(b, 0) }

// After reports whether a path from behind in leads to a goal. Back edges count.
func (s Search) After(in ssa.Instruction) bool { return s.find(in.Block(), indexOf(in)+1) }

func (s Search) find(b *ssa.BasicBlock, first int) bool {
	seen := make([]bool, len(b.Parent().Blocks))
	seen[b.Index] = first == 0
	work := []*ssa.BasicBlock{b}
next:
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		instrs := b.Instrs[first:]
		first = 0
		for _, in := range instrs {
			if s.Goal(in) {
				return true
			}
			if s.Barrier != nil && s.Barrier(in) {
				continue next
			}
		}
		for _, to := range b.Succs {
			if !seen[to.Index] && (s.Edge == nil || s.Edge(b, to)) {
				seen[to.Index] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// Reaches reports whether a path leads from behind a to b, without an instruction for which stop is true; nil for none.
// Back edges count.
func Reaches(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	return Search{Goal: func(in ssa.Instruction) bool { return in == b }, Barrier: stop}.After(a)
}

// ReachesForward is Reaches without the back edges of loops.
func ReachesForward(a, b ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	forward := func(from, to *ssa.BasicBlock) bool { return !to.Dominates(from) }
	return Search{Goal: func(in ssa.Instruction) bool { return in == b }, Barrier: stop, Edge: forward}.After(a)
}

// IsReturn reports whether in is a return statement.
func IsReturn(in ssa.Instruction) bool { _, ok := in.(*ssa.Return); return ok }

// Mark sets seen, by block index, for the closure of work under next.
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

// Blocks is a set of basic blocks.
type Blocks map[*ssa.BasicBlock]bool

// BlocksFrom returns the set of blocks reachable from b, b included.
func BlocksFrom(b *ssa.BasicBlock) Blocks { return BlocksAlong(nil, b) }

// BlocksAlong returns the set of blocks reachable from these, which are included, over edges for which take is true;
// nil for all.
func BlocksAlong(take func(from, to *ssa.BasicBlock) bool, from ...*ssa.BasicBlock) Blocks {
	return blocksBy(from, func(b *ssa.BasicBlock) []*ssa.BasicBlock {
		if take == nil {
			return b.Succs
		}
		return slices.DeleteFunc(slices.Clone(b.Succs), func(s *ssa.BasicBlock) bool { return !take(b, s) })
	})
}

// BlocksTo returns the set of blocks that reach b, b included.
func BlocksTo(b *ssa.BasicBlock) Blocks {
	return blocksBy([]*ssa.BasicBlock{b}, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
}

// blocksBy returns the closure of from under next.
func blocksBy(from []*ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) Blocks {
	out := Blocks{}
	if len(from) == 0 {
		return out
	}
	blocks := from[0].Parent().Blocks
	seen := make([]bool, len(blocks))
	Mark(seen, from, next)
	for _, b := range blocks {
		if seen[b.Index] {
			out[b] = true
		}
	}
	return out
}

// InLoop reports whether b lies on a cycle.
func InLoop(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return BlocksFrom(s)[b] })
}

// Cyclic is InLoop for all blocks of fn, by block index: those whose strongly connected component (Tarjan, 1972) is
// more than a block, or a block that is its own successor.
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

// Decl returns the declared function that fn is, or lies in as a function literal.
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

// Pos returns the position of an instruction, or that of the nearest one before it in its block that has one. The
// call of an iterator is at the word range.
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
