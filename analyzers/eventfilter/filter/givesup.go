package filter

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// A givenUp is that a reconciliation ends, without an error or a wish, because of another object.
type givenUp struct {
	kind  types.Type
	state string          // what the object is then
	read  ssa.Instruction // that has asked for it
	named bool            // in the spec of the object that is reconciled
	at    ssa.Instruction // the return
}

// givesUp are those of reconcile and of the functions with whose results it ends, where it would go on else.
func (d *dropped) givesUp(reconcile *ssa.Function, s *sources) (all []*givenUp) {
	for _, fn := range d.attempts(reconcile, s, map[*ssa.Function]bool{}) {
		for _, b := range fn.Blocks {
			test := flow.Branch(b)
			if test == nil || ofDeleted(b) {
				continue
			}
			for _, a := range d.awaits(test, s, callsAway) {
				if a.at = d.leaves(a, s); a.at != nil && d.goesOn(a) && !settles(a, s) {
					all = append(all, &a.givenUp)
				}
			}
		}
	}
	return all
}

// leaves is the return with which control ends on the side of a without an error or a wish, where it does so on all ways but those on which something
// fails, and does nothing there that may wake the reconciler; nil else.
func (d *dropped) leaves(a *awaitedState, s *sources) (at ssa.Instruction) {
	blocks := flow.BlocksFrom(a.side)
	if blocks[a.from] || ofDeleted(a.side) {
		return nil
	}
	for b := range blocks {
		if d.someMayWake(b.Instrs, s) {
			return nil
		}
		ret := flow.ReturnOf(b)
		if ret == nil || failsWithin(b, blocks) {
			continue
		}
		if n := len(ret.Results); n == 0 || n > 2 || n == 2 && !leavesIt(flow.Given(ret, 0)) || !a.noError(flow.Given(ret, n-1)) {
			return nil
		}
		if at == nil || ret.Pos() < at.Pos() {
			at = ret
		}
	}
	return at
}

// noError reports whether the error v is nil in the state a, where no request fails.
func (a *awaitedState) noError(v ssa.Value) bool {
	if of := besidesAbsence(v); of != nil {
		return a.err != nil && flow.Resolve(of) == flow.Resolve(a.err)
	}
	v = flow.Resolve(v)
	if call, _ := flow.ResultOf(v); call != nil && call.Parent() == a.side.Parent() && a.side.Dominates(call.Block()) {
		r, ok := kube.RequestOf(&call.Call)
		return ok && r.Verb.Writes()
	}
	return flow.IsNil(v)
}

// failsWithin reports whether control comes to b only where an error was found in one of the blocks.
func failsWithin(b *ssa.BasicBlock, blocks map[*ssa.BasicBlock]bool) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if x, isNil, ok := flow.NilTest(cond); ok && blocks[test.Block()] && flow.IsError(x.Type()) && t == flow.Settled(isNil != is) {
			return true
		}
	}
	return false
}

// expects reports whether control comes to b only where an error of some kind was found, for which it is there.
func expects(b *ssa.BasicBlock) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if call, ok := cond.(*ssa.Call); ok && kube.AsksKind(flow.Callee(&call.Call)) && t == flow.Settled(is) {
			return true
		}
	}
	return false
}

// goesOn reports whether the function would ask for a change, and not only for a deletion, where a is over and nothing fails. What it does before it knows
// of a, it does anyway.
func (d *dropped) goesOn(a *awaitedState) bool {
	from := flow.BlocksFrom(a.from)
	seen, work := map[*ssa.BasicBlock]bool{a.side: true, a.from: true}, []*ssa.BasicBlock{a.from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !b.Dominates(a.side) && (!failsWithin(b, from) || expects(b)) && slices.ContainsFunc(b.Instrs, d.changes) {
			return true
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// changes reports whether in asks for a change, and not for a deletion, or a function does that it runs.
func (d *dropped) changes(in ssa.Instruction) bool {
	return d.comesTo(in, program.Calls|program.Spawns|program.Mentions|program.Implementations, asksChange)
}

// comesTo reports whether in is such a call, or of a function of the package that makes one, or that leads to one that does over edges of these kinds.
func (d *dropped) comesTo(in ssa.Instruction, edges program.Edge, such func(call ssa.CallInstruction) bool) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if such(call) {
		return true
	}
	callee := d.ps.pkg.Callee(call.Common())
	if callee == nil {
		return false
	}
	for fn := range d.ps.pkg.Reach(edges, callee) {
		for in := range flow.Instrs(fn) {
			if c, ok := in.(ssa.CallInstruction); ok && such(c) {
				return true
			}
		}
	}
	return false
}

func asksChange(call ssa.CallInstruction) bool {
	r, ok := kube.RequestOf(call.Common())
	return ok && r.Verb.Writes() && r.Verb != kube.VerbDelete && r.Verb != kube.VerbDeleteCollection || createdBy(call) != nil
}
