package lockheld

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// apart reports whether control never comes from where its function takes the lock h to the acquisition o with the lock held, as the tests on the way
// exclude each other: one flag decides about both, or the lock is taken for one element of a list, of which there is no second.
func apart(h lock.Hold, o *lock.Occurrence) bool {
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

// releases reports whether in unlocks h, by itself.
func releases(in ssa.Instruction, h lock.Hold) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	fn, recv := flow.Callee(&call.Call), flow.Recv(&call.Call)
	return fn != nil && recv != nil && (fn.Name() == "Unlock" || fn.Name() == "RUnlock") && flow.PathOf(recv) == h.Path
}

// forOneElement reports whether call is made in a loop over a list where the element equals something that is the same in each turn, and what is listed
// are names: a list has each one once.
func forOneElement(call *ssa.Call) bool {
	for test, side := range flow.PathCondition(call.Block()) {
		bin, ok := test.Cond.(*ssa.BinOp)
		if !ok || flow.Equal(bin, side) != flow.True || !flow.IsString(bin.X.Type()) {
			continue
		}
		if ofTurn(bin.X, test) && !ofTurn(bin.Y, test) || ofTurn(bin.Y, test) && !ofTurn(bin.X, test) {
			return true
		}
	}
	return false
}

// ofTurn reports whether v is the element that a turn of the loop around test is about.
func ofTurn(v ssa.Value, test *ssa.If) bool {
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
