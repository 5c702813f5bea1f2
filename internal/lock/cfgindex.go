package lock

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A cfgIndex answers queries about the order of instructions in the functions of a package. It indexes each block and
// function on its first query, since there can be as many queries as instructions.
type cfgIndex struct {
	positions map[*ssa.BasicBlock]map[ssa.Instruction]int
	cyclic    map[*ssa.Function][]bool // by block index
	loops     map[*ssa.BasicBlock][]*flow.Loop
	looked    map[*ssa.Function]bool // whose loops are known
	ways      map[*flow.Loop][]*ssa.BasicBlock
	marks     []bool
	turns     []bool // as marks, for cyclesWithout
}

// scratch is a mark for each block of fn, none of them set: the same memory each time.
func (w *cfgIndex) scratch(fn *ssa.Function) []bool {
	n := len(fn.Blocks)
	if cap(w.marks) < n {
		w.marks = make([]bool, n)
	}
	w.marks = w.marks[:n]
	clear(w.marks)
	return w.marks
}

func newCFGIndex() *cfgIndex {
	return &cfgIndex{
		positions: map[*ssa.BasicBlock]map[ssa.Instruction]int{},
		cyclic:    map[*ssa.Function][]bool{},
		loops:     map[*ssa.BasicBlock][]*flow.Loop{},
		looked:    map[*ssa.Function]bool{},
		ways:      map[*flow.Loop][]*ssa.BasicBlock{},
	}
}

// position is the index of in in its block.
func (w *cfgIndex) position(in ssa.Instruction) int {
	b := in.Block()
	p := w.positions[b]
	if p == nil {
		p = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, x := range b.Instrs {
			p[x] = i
		}
		w.positions[b] = p
	}
	return p[in]
}

// dominates is flow.Dominates.
func (w *cfgIndex) dominates(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return w.position(a) < w.position(b)
	}
	return a.Block().Dominates(b.Block())
}

// inLoop is flow.InLoop.
func (w *cfgIndex) inLoop(b *ssa.BasicBlock) bool {
	fn := b.Parent()
	c, ok := w.cyclic[fn]
	if !ok {
		c = flow.Cyclic(fn)
		w.cyclic[fn] = c
	}
	return c[b.Index]
}

// reachableFrom is flow.Reaches from a, for many instructions of its function.
func (w *cfgIndex) reachableFrom(a ssa.Instruction) func(ssa.Instruction) bool {
	var reached []bool
	return func(b ssa.Instruction) bool {
		if a.Block() == b.Block() && w.position(a) < w.position(b) {
			return true
		}
		if a.Parent() != b.Parent() {
			return false
		}
		if reached == nil {
			reached = make([]bool, len(a.Parent().Blocks))
			flow.Mark(reached, a.Block().Succs, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
		}
		return reached[b.Block().Index]
	}
}

// cyclesWithout reports whether a path leads from the end of b back to b without other.
func (w *cfgIndex) cyclesWithout(b, other *ssa.BasicBlock) bool {
	if b == other {
		return false
	}
	if n := len(b.Parent().Blocks); cap(w.turns) < n {
		w.turns = make([]bool, n)
	}
	w.turns = w.turns[:len(b.Parent().Blocks)]
	clear(w.turns)
	w.turns[other.Index] = true // the search ends there
	flow.Mark(w.turns, b.Succs, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
	return w.turns[b.Index]
}

// loopsAround are the loops that b lies in, in the order of their headers.
func (w *cfgIndex) loopsAround(b *ssa.BasicBlock) []*flow.Loop {
	fn := b.Parent()
	if !w.looked[fn] {
		w.looked[fn] = true
		for _, l := range flow.Loops(fn) {
			for x := range l.Blocks {
				w.loops[x] = append(w.loops[x], l)
			}
		}
	}
	return w.loops[b]
}

// exits are those of l.
func (w *cfgIndex) exits(l *flow.Loop) []*ssa.BasicBlock {
	out, ok := w.ways[l]
	if !ok {
		out = l.Exits()
		w.ways[l] = out
	}
	return out
}
