package flow

import "golang.org/x/tools/go/ssa"

// Loop is a natural loop: the blocks from which control comes back to Header without leaving.
type Loop struct {
	Header *ssa.BasicBlock
	Blocks map[*ssa.BasicBlock]bool // Header included
}

// Loops are the natural loops of fn, one a header, in the order of their headers.
func Loops(fn *ssa.Function) []*Loop {
	var loops []*Loop
	for _, header := range fn.Blocks {
		var loop *Loop
		for _, tail := range header.Preds {
			if !header.Dominates(tail) {
				continue
			}
			if loop == nil {
				loop = &Loop{header, map[*ssa.BasicBlock]bool{header: true}}
				loops = append(loops, loop)
			}
			loop.add(tail)
		}
	}
	return loops
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

// Exits are the edges that leave the loop, as the block that they leave from.
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
		if len(b.Succs) == 0 {
			exits = append(exits, b)
		}
	}
	return exits
}

// Instrs calls yield for each instruction of the loop, in block order.
func (l *Loop) Instrs(yield func(ssa.Instruction)) {
	for _, b := range l.Header.Parent().Blocks {
		if l.Blocks[b] {
			for _, in := range b.Instrs {
				yield(in)
			}
		}
	}
}
