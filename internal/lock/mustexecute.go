package lock

import (
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// Must-execute analysis: an event is certain if every normal execution of the function has it. Otherwise a caller, or
// the state of an object, may avoid it.

// avoidable reports whether a path through the function reaches a normal return, neither a panic nor an error, without
// instr. Branches on parameters are taken as instr requires: guards cover them.
func (in *interp) avoidable(instr ssa.Instruction) bool {
	return in.avoided.Ask(instr.Block(), false, func() bool { return in.reachesEndWithout(instr.Block()) })
}

// reachesEndWithout is avoidable for a block.
func (in *interp) reachesEndWithout(target *ssa.BasicBlock) bool {
	settled := map[*ssa.If]*ssa.BasicBlock{} // where a test of a parameter leads
	for test, t := range flow.PathCondition(target) {
		if t != flow.Unknown && in.guarded.Has(test.Cond) {
			settled[test] = flow.Side(test, t)
		}
	}
	seen := in.e.cfg.scratch(in.fn)
	found := false
	for work := []*ssa.BasicBlock{in.fn.Blocks[0]}; len(work) > 0 && !found; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == target || seen[b.Index] {
			continue
		}
		seen[b.Index] = true
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Return:
			found = !in.failing.Ask(last, false, func() bool { return fails(last) })
		case *ssa.If:
			if only := settled[last]; only != nil {
				work = append(work, only)
				continue
			}
		}
		work = append(work, b.Succs...)
	}
	return found
}

// fails reports whether ret returns an error that is not nil: a value converted to error, or any value if the path
// condition of ret has an error that is not nil.
func fails(ret *ssa.Return) bool {
	v := flow.ReturnedError(ret)
	if v == nil || flow.IsNil(v) {
		return false
	}
	if flow.IsBoxed(v) {
		return true
	}
	return flow.Any2(paths.Facts(ret.Block()),
		func(x ssa.Value, t flow.Truth) bool { return t == flow.False && flow.IsError(x.Type()) })
}
