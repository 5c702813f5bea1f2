package lock

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/paths"
)

// guardedReceive reports whether the receive at instr, from the channel v of the group g, never blocks: a test that
// the channel is not empty dominates it, and all receives from the group hold one lock class for writing, so that no
// other one comes in between.
func (e *engine) guardedReceive(instr ssa.Instruction, v ssa.Value, g origin.Group) bool {
	ch := flow.PathOf(v)
	if !ch.Known() || g.Escape()&(origin.Passed|origin.Received) != 0 || g.Unknown() {
		return false
	}
	test := notEmpty(instr, func(length ssa.Value) bool {
		return isBuiltin(length, "len") && flow.PathOf(length.(*ssa.Call).Call.Args[0]) == ch
	})
	if test == nil {
		return false
	}
	all := e.peers.groups[g][receives]
	for _, r := range all {
		if r.instr != instr && r.fn == instr.Parent() && flow.Dominates(test, r.instr) &&
			flow.Reaches(r.instr, instr, func(in ssa.Instruction) bool { return in == test }) {
			return false
		}
	}
	if takenAfter(e.heldAt[instr], test) {
		return false
	}
	return e.peers.commonLock.Ask(g, false, func() bool { return e.haveCommonLock(all, g) })
}

// emptiedSend reports whether the send at instr, to the buffered channel v of the group g, never blocks: a
// non-blocking receive dominates it, and all sends to the group hold one lock class for writing, so that no other one
// comes in between.
func (e *engine) emptiedSend(instr ssa.Instruction, v ssa.Value, g origin.Group) bool {
	ch := flow.PathOf(v)
	if !ch.Known() || g.Escape()&(origin.Passed|origin.Sent) != 0 || g.Unknown() {
		return false
	}
	o := e.peers.groups[g]
	return slices.ContainsFunc(o[receives], func(r peerOp) bool {
		if !drainsChannel(r.instr, ch) || r.fn != instr.Parent() || !flow.Dominates(r.instr, instr) {
			return false
		}
		emptied := func(in ssa.Instruction) bool { return in == r.instr }
		return !slices.ContainsFunc(o[sends],
			func(s peerOp) bool { return s.fn == r.fn && flow.Reaches(s.instr, instr, emptied) }) &&
			e.haveCommonLock(o[sends], g)
	})
}

// drainsChannel reports whether in is a non-blocking receive from the channel ch.
func drainsChannel(in ssa.Instruction, ch flow.Path) bool {
	sel, ok := in.(*ssa.Select)
	return ok && !sel.Blocking && len(sel.States) == 1 && sel.States[0].Dir == types.RecvOnly &&
		flow.PathOf(sel.States[0].Chan) == ch
}

// guardedGet reports whether get, from a work queue, never blocks: a test that the queue is not empty dominates it,
// under locks that are held since.
func guardedGet(get ssa.CallInstruction, held []Hold) bool {
	queue := flow.PathOf(flow.Recv(get.Common()))
	test := notEmpty(get, func(length ssa.Value) bool {
		call, ok := length.(*ssa.Call)
		fn := (*types.Func)(nil)
		if ok {
			fn = flow.Callee(&call.Call)
		}
		return fn != nil && kubeapi.QueueOp(fn.Name()) == kubeapi.QueueLen && flow.Recv(&call.Call) != nil &&
			flow.PathOf(flow.Recv(&call.Call)) == queue
	})
	return test != nil && queue.Known() && len(held) > 0 && !takenAfter(held, test)
}

// takenAfter reports whether one of the locks held was taken in the function of test and not before it.
func takenAfter(held []Hold, test ssa.Instruction) bool {
	return slices.ContainsFunc(held, func(h Hold) bool {
		return h.Site != nil && h.Site.Parent() == test.Parent() && !flow.Dominates(h.Site, test)
	})
}

// notEmpty is the length, for which isLength holds, that the path condition of instr excludes to be zero; nil for none.
func notEmpty(instr ssa.Instruction, isLength func(ssa.Value) bool) ssa.Instruction {
	for v, t := range paths.Facts(instr.Block()) {
		if t == flow.False && isLength(v) {
			return v.(ssa.Instruction)
		}
	}
	return nil
}

// haveCommonLock reports whether one kind of lock is held on all ways to ops.
func (e *engine) haveCommonLock(ops []peerOp, g origin.Group) bool {
	var common []Class
	for i, op := range ops {
		for j, c := range e.contextsOf(op, g) {
			if i == 0 && j == 0 {
				for _, h := range c.held {
					if h.Class != "" && h.Mode == Write {
						common = append(common, h.Class)
					}
				}
				continue
			}
			common = slices.DeleteFunc(common, func(k Class) bool {
				return !slices.ContainsFunc(c.held, func(h Hold) bool { return h.Mode == Write && h.Class.same(k) })
			})
		}
	}
	return len(common) > 0
}

// closedBefore reports whether the function of the receive at has closed the channel before, at one of closes.
func closedBefore(at ssa.Instruction, closes []peerOp) bool {
	recv, ok := at.(*ssa.UnOp)
	return ok && slices.ContainsFunc(closes, func(c peerOp) bool {
		call, ok := c.instr.(*ssa.Call)
		return ok && c.fn == at.Parent() && flow.Dominates(call, at) &&
			flow.Resolve(call.Call.Args[0]) == flow.Resolve(recv.X)
	})
}

// receivesOwn reports whether a send of the same function precedes each receive from the group g: the channels are
// semaphores, and a receive never blocks.
func (e *engine) receivesOwn(g origin.Group) bool {
	return e.peers.receivesOwn.Ask(g, false, func() bool {
		o := e.peers.groups[g]
		return g.Escape()&(origin.Passed|origin.Received) == 0 && e.tokens(g, o[sends], o[receives]) &&
			!slices.ContainsFunc(o[receives], func(r peerOp) bool { return !comesAfter(r, o[sends]) })
	})
}
