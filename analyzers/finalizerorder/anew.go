package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/ways"
)

// A lookup that finds nothing may be the reason to make the object. What fails then only waits for the new one, as for a job that does the cleanup.

// madeAnew reports whether an object of the type t is created behind call, in the world w: the next try finds it.
func (a *analyzer) madeAnew(w *ways.View, call *ssa.Call, t *types.Named) bool {
	if t == nil {
		return false
	}
	from := w.From(call.Block())
	return slices.ContainsFunc(call.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return from[b] && slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(*ssa.Call)
			return ok && a.outers(c)[outer{t, grows}] != nil
		})
	})
}
