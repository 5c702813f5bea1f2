package lockheld

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// excluded reports whether the path conditions of the acquisition h and of the acquisition o in the same function
// exclude each other: an exploration of the feasible paths from h, cut at releases of the lock, does not meet o. For
// one acquisition in a loop, the condition has to select one element.
func excluded(h lock.Hold, o *lock.Occurrence) bool {
	site, ok := h.Site.(*ssa.Call)
	if !ok || h.By != "" || site.Parent() != o.Instr.Parent() {
		return false
	}
	if ssa.Instruction(site) == o.Instr {
		return forOneElement(site)
	}
	met := false
	w := &paths.Exploration{Visit: func(in ssa.Instruction, _ *paths.State) bool {
		met = met || in == o.Instr
		return met || releases(in, h)
	}}
	return w.From(site, nil) && !met
}

// releases reports whether in is a call that unlocks h.
func releases(in ssa.Instruction, h lock.Hold) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	fn, recv := flow.Callee(&call.Call), flow.Recv(&call.Call)
	return fn != nil && recv != nil && (fn.Name() == "Unlock" || fn.Name() == "RUnlock") && flow.PathOf(recv) == h.Path
}

// forOneElement reports whether call is in a loop over a list and its path condition compares the element with a string
// that is loop-invariant. It assumes that a list has each name once.
func forOneElement(call *ssa.Call) bool {
	for test, side := range flow.PathCondition(call.Block()) {
		bin, ok := test.Cond.(*ssa.BinOp)
		if !ok || flow.Equal(bin, side) != flow.True || !flow.IsString(bin.X.Type()) {
			continue
		}
		if isElement(bin.X, test) != isElement(bin.Y, test) {
			return true
		}
	}
	return false
}

// isElement reports whether v is an element at an index that changes in the loop around test.
func isElement(v ssa.Value, test *ssa.If) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	at, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	i, ok := at.Index.(ssa.Instruction)
	return ok && flow.InLoop(test.Block()) && flow.BlocksFrom(test.Block())[i.Block()]
}
