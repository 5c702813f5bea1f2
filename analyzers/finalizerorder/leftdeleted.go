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

// passesOver is the test by which a loop, on the way to e, that tells of objects of type t goes past those that are being deleted; nil where there is none, or where
// none at all may be left.
func (a *analyzer) passesOver(e event, t *types.Named) (test *ssa.If) {
	for to := range a.leadingTo(e.in) {
		if behindNone(to.Block(), t) {
			return nil
		}
		before := flow.BlocksTo(to.Block())
		for _, b := range to.Parent().Blocks {
			if !before[b] || test != nil {
				continue
			}
			for _, in := range b.Instrs {
				if call, ok := in.(*ssa.Call); ok && test == nil && in != to {
					test = a.passesIn(t, a.pkg.MayRun(call)...)
				}
			}
		}
		if test == nil {
			test = passedIn(a, to.Parent(), t, before)
		}
	}
	return test
}

// passesIn is the test of such a loop in fns, or in what they run; nil where there is none.
func (a *analyzer) passesIn(t *types.Named, fns ...*ssa.Function) *ssa.If {
	for fn := range a.pkg.Reach(program.Calls|program.Mentions, fns...) {
		if test := passedIn(a, fn, t, nil); test != nil {
			return test
		}
	}
	return nil
}

// passedIn is the test of such a loop of fn itself, among the blocks within, or anywhere where that is nil.
func passedIn(a *analyzer, fn *ssa.Function, t *types.Named, within map[*ssa.BasicBlock]bool) *ssa.If {
	for _, l := range flow.Loops(fn) {
		if within != nil && !within[l.Header] || !a.gathers(l) {
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
	return nil
}

// gathers reports whether l tells what it has come by, as by a list, a number or where it ends, and neither asks for a deletion nor writes anything.
func (a *analyzer) gathers(l *flow.Loop) bool {
	tells, asks := endsBetween(l), false
	l.Instrs(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Phi:
			tells = tells || usedBehind(l, in)
		case *ssa.Call:
			b, builtin := in.Call.Value.(*ssa.Builtin)
			tells = tells || builtin && b.Name() == "append"
			r, request := kube.RequestOf(&in.Call)
			asks = asks || request && r.Verb.Writes() || a.undoes(in)
		}
	})
	return tells && !asks
}

// usedBehind reports whether what l makes of v, turn by turn, decides something behind it, or is given to who has called its function.
func usedBehind(l *flow.Loop, v *ssa.Phi) bool {
	if flow.IsError(v.Type()) {
		return false
	}
	for _, r := range *v.Referrers() {
		if x, ok := r.(ssa.Value); ok && !l.Blocks[r.Block()] && goesTo(x, isVerdict) || !l.Blocks[r.Block()] && isVerdict(r) {
			return true
		}
	}
	return false
}

// isVerdict reports whether in decides something, or is the end of its function.
func isVerdict(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.If, *ssa.Return:
		return true
	}
	return false
}

// endsBetween reports whether l ends before it has come by all turns, and not for an error.
func endsBetween(l *flow.Loop) bool {
	return slices.ContainsFunc(l.Exits(), func(b *ssa.BasicBlock) bool {
		test := flow.Branch(b)
		if test == nil || b == l.Header || flow.TestsLoop(b) {
			return false
		}
		x, _, ok := flow.NilTest(test.Cond)
		return !ok || !flow.IsError(x.Type())
	})
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
