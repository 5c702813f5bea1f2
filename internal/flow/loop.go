package flow

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Loop is a natural loop: the blocks from which back edges lead to Header, without the paths through Header.
type Loop struct {
	Header *ssa.BasicBlock
	Blocks Blocks // Header included
}

// Loops returns the natural loops of fn, one a header, in the order of their headers.
func Loops(fn *ssa.Function) []*Loop {
	var loops []*Loop
	for _, header := range fn.Blocks {
		var loop *Loop
		for _, tail := range header.Preds {
			if !header.Dominates(tail) {
				continue
			}
			if loop == nil {
				loop = &Loop{header, Blocks{header: true}}
				loops = append(loops, loop)
			}
			loop.add(tail)
		}
	}
	return loops
}

// LoopOf returns the loop with that header; nil if it is the header of none.
func LoopOf(header *ssa.BasicBlock) *Loop {
	for _, l := range Loops(header.Parent()) {
		if l.Header == header {
			return l
		}
	}
	return nil
}

func (l *Loop) add(b *ssa.BasicBlock) {
	if l.Blocks[b] {
		return
	}
	l.Blocks[b] = true
	for _, p := range b.Preds {
		l.add(p)
	}
}

// Exits returns the blocks with an edge that leaves the loop. Each ends in a branch.
func (l *Loop) Exits() []*ssa.BasicBlock {
	var exits []*ssa.BasicBlock
	for _, b := range l.Header.Parent().Blocks {
		if !l.Blocks[b] {
			continue
		}
		for _, s := range b.Succs {
			if !l.Blocks[s] {
				exits = append(exits, b)
				break
			}
		}
	}
	return exits
}

// Instrs calls yield for each instruction of the loop, in block order.
func (l *Loop) Instrs() iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for in := range Instrs(l.Header.Parent()) {
			if l.Blocks[in.Block()] && !yield(in) {
				return
			}
		}
	}
}

// MayChange reports whether the loop assigns to the map at p, to its entries or to what has it as a part, or passes one
// of them on. It compares access paths, and does not follow what callees reach in other ways.
func (l *Loop) MayChange(p Path) bool {
	return Any(l.Instrs(), func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.Phi, *ssa.Store, *ssa.MapUpdate, *ssa.MakeClosure, ssa.CallInstruction:
			return slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool { _, has := PathOf(*v).Below(p); return has })
		}
		return false
	})
}

// OverElements reports whether the loop ranges over the elements of something.
func (l *Loop) OverElements() bool {
	return slices.ContainsFunc(l.Header.Instrs, func(in ssa.Instruction) bool {
		if _, next := in.(*ssa.Next); next {
			return true
		}
		v, ok := in.(ssa.Value)
		return ok && RangeHeader(v) == l.Header
	})
}

// Turns returns the trip count of a loop that counts from zero up to it, and has no other exit; nil for other loops.
func (l *Loop) Turns() ssa.Value {
	exits := l.Exits()
	if len(exits) != 1 {
		return nil
	}
	return l.counted(exits[0])
}

// MostTurns returns an upper bound of the trip count of a loop that counts so, and may have other exits; nil for other
// loops.
func (l *Loop) MostTurns() ssa.Value {
	for _, b := range l.Exits() {
		passed := func(p *ssa.BasicBlock) bool { return l.Blocks[p] && !b.Dominates(p) }
		if most := l.counted(b); most != nil && !slices.ContainsFunc(l.Header.Preds, passed) {
			return most
		}
	}
	return nil
}

// counted returns the bound of the loop's counter, which starts at zero, in the test at the end of b; nil for other
// tests.
func (l *Loop) counted(b *ssa.BasicBlock) ssa.Value {
	test := Branch(b)
	if test == nil || !l.Blocks[b.Succs[0]] {
		return nil
	}
	below, ok := test.Cond.(*ssa.BinOp)
	if !ok || below.Op != token.LSS {
		return nil
	}
	if in, ok := below.Y.(ssa.Instruction); ok && l.Blocks[in.Block()] {
		return nil
	}
	count, first := below.X, []string{"0"}
	if next, ok := count.(*ssa.BinOp); ok && next.Op == token.ADD { // the test is on the next value
		count = next.X
		if b == l.Header {
			first = append(first, "-1")
		}
	}
	phi, ok := count.(*ssa.Phi)
	if !ok {
		return nil
	}
	for i, edge := range phi.Edges {
		if !l.Blocks[phi.Block().Preds[i]] {
			if k, ok := edge.(*ssa.Const); !ok || k.Value == nil || !slices.Contains(first, k.Value.ExactString()) {
				return nil
			}
			continue
		}
		next, ok := edge.(*ssa.BinOp)
		if !ok || next.Op != token.ADD || next.X != ssa.Value(phi) {
			return nil
		}
		if one, ok := next.Y.(*ssa.Const); !ok || one.Value == nil || one.Value.ExactString() != "1" {
			return nil
		}
	}
	return below.Y
}
