package finalizerorder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// Objects that are being deleted are still there, and it is they that need their owner for their cleanup. Who counts those that are left has to count them.

// passesOver is the test by which a loop, on the way to e, that gathers objects of type t goes past those that are being deleted; nil where there is none.
func (a *analyzer) passesOver(e event, t *types.Named) *ssa.If {
	for fn := range a.pkg.Reach(program.Calls|program.Mentions, e.in.Parent()) {
		for _, l := range flow.Loops(fn) {
			if !a.gathers(l) {
				continue
			}
			for _, b := range fn.Blocks {
				test := flow.Branch(b)
				if test == nil || !l.Blocks[b] {
					continue
				}
				if when, ok := asksDeleted(l, test, t); ok && goesOn(l, flow.Side(test, flow.Settled(when))) {
					return test
				}
			}
		}
	}
	return nil
}

// gathers reports whether l puts something on a list, turn by turn, and asks for no deletion.
func (a *analyzer) gathers(l *flow.Loop) bool {
	appends, asks := false, false
	l.Instrs(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		b, builtin := call.Call.Value.(*ssa.Builtin)
		appends = appends || builtin && b.Name() == "append"
		asks = asks || deletedType(call) != nil || a.undoes(call)
	})
	return appends && !asks
}

// asksDeleted reports whether test asks if an object of type t, one of a turn of l, is being deleted, and which value says so.
func asksDeleted(l *flow.Loop, test *ssa.If, t *types.Named) (when, ok bool) {
	l.Instrs(func(in ssa.Instruction) {
		v, is := in.(ssa.Value)
		if !ok && is && kube.Named(v.Type()) == t {
			when, ok = deleting(test.Cond, objectOf(v).path)
		}
	})
	return when, ok
}

// goesOn reports whether the next turn of l begins behind the start of b, and nothing is done before that is seen.
func goesOn(l *flow.Loop, b *ssa.BasicBlock) bool {
	for seen := 0; b != l.Header; seen++ {
		if len(b.Succs) != 1 || seen > len(l.Blocks) || slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			call, ok := in.(*ssa.Call)
			return ok && !isQuiet(call)
		}) {
			return false
		}
		b = b.Succs[0]
	}
	return true
}
