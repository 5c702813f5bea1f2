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

// guardedReceive reports whether the receive at instr, from the channel v of the group g, finds a value there: it comes behind a test
// that there is one, and all who receive from such a channel hold one kind of lock, and not for reading, so that nobody takes it in between.
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
		if r.instr != instr && r.fn == instr.Parent() && flow.Dominates(test, r.instr) && flow.Reaches(r.instr, instr, func(in ssa.Instruction) bool { return in == test }) {
			return false
		}
	}
	if takenAfter(e.heldAt[instr], test) {
		return false
	}
	return e.peers.apart.Ask(g, false, func() bool { return e.together(all, g) })
}

// emptiedSend reports whether the send at instr, to the channel v of the group g, which has a buffer, finds room there: the function has taken out what
// there was, and all who send to such a channel hold one kind of lock, and not for reading, so that nobody fills it in between.
func (e *engine) emptiedSend(instr ssa.Instruction, v ssa.Value, g origin.Group) bool {
	ch := flow.PathOf(v)
	if !ch.Known() || g.Escape()&(origin.Passed|origin.Sent) != 0 || g.Unknown() {
		return false
	}
	o := e.peers.groups[g]
	return slices.ContainsFunc(o[receives], func(r peerOp) bool {
		if !takesIfAny(r.instr, ch) || r.fn != instr.Parent() || !flow.Dominates(r.instr, instr) {
			return false
		}
		emptied := func(in ssa.Instruction) bool { return in == r.instr }
		return !slices.ContainsFunc(o[sends], func(s peerOp) bool { return s.fn == r.fn && flow.Reaches(s.instr, instr, emptied) }) &&
			e.together(o[sends], g)
	})
}

// takesIfAny reports whether in is a select that takes a value out of the channel ch if there is one, and else goes on.
func takesIfAny(in ssa.Instruction, ch flow.Path) bool {
	sel, ok := in.(*ssa.Select)
	return ok && !sel.Blocking && len(sel.States) == 1 && sel.States[0].Dir == types.RecvOnly && flow.PathOf(sel.States[0].Chan) == ch
}

// guardedGet reports whether get, from a work queue, finds an item there: it comes behind a test that there is one, and with a lock held that has
// been held since.
func guardedGet(get ssa.CallInstruction, held []Hold) bool {
	queue := flow.PathOf(flow.Recv(get.Common()))
	test := notEmpty(get, func(length ssa.Value) bool {
		call, ok := length.(*ssa.Call)
		fn := (*types.Func)(nil)
		if ok {
			fn = flow.Callee(&call.Call)
		}
		return fn != nil && kubeapi.QueueOp(fn.Name()) == kubeapi.QueueLen && flow.Recv(&call.Call) != nil && flow.PathOf(flow.Recv(&call.Call)) == queue
	})
	return test != nil && queue.Known() && len(held) > 0 && !takenAfter(held, test)
}

// takenAfter reports whether one of the locks held was taken in the function of test and not before it.
func takenAfter(held []Hold, test ssa.Instruction) bool {
	return slices.ContainsFunc(held, func(h Hold) bool {
		return h.Site != nil && h.Site.Parent() == test.Parent() && !flow.Dominates(h.Site, test)
	})
}

// notEmpty is the length, of those that isLength knows, that a test in front of instr has found not to be zero; nil if there is none.
func notEmpty(instr ssa.Instruction, isLength func(ssa.Value) bool) ssa.Instruction {
	for v, t := range paths.Facts(instr.Block()) {
		if t == flow.False && isLength(v) {
			return v.(ssa.Instruction)
		}
	}
	return nil
}

// together reports whether one kind of lock is held on all ways to ops.
func (e *engine) together(ops []peerOp, g origin.Group) bool {
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
		return ok && c.fn == at.Parent() && flow.Dominates(call, at) && flow.Resolve(call.Call.Args[0]) == flow.Resolve(recv.X)
	})
}

// givesBack reports whether each receive from the channels of the group g takes out what its own function has put there before: they are
// semaphores, in which there is always something for those who have a share.
func (e *engine) givesBack(g origin.Group) bool {
	return e.peers.returned.Ask(g, false, func() bool {
		o := e.peers.groups[g]
		return g.Escape()&(origin.Passed|origin.Received) == 0 && e.tokens(g, o[sends], o[receives]) &&
			!slices.ContainsFunc(o[receives], func(r peerOp) bool { return !comesAfter(r, o[sends]) })
	})
}

// comesAfter reports whether the function of r, a receive, has done one of sends before, each time.
func comesAfter(r peerOp, sends []peerOp) bool {
	return slices.ContainsFunc(sends, func(s peerOp) bool {
		at := r.instr
		if s.fn != r.fn {
			at = startOf(r.fn, s.fn)
		}
		return at != nil && at.Parent() == s.fn && flow.Dominates(s.instr, at) && !flow.Reaches(at, at, func(in ssa.Instruction) bool { return in == s.instr })
	})
}

// joinedBefore reports whether somebody is seen to join the group g before wait, which is the wait for it or a call that leads there: one
// function comes to both, in that order.
func (e *engine) joinedBefore(wait peerOp, g origin.Group) bool {
	// What a go statement leads to may come later.
	joins := e.peers.joins.Ask(g, sites{}, func() sites { return e.leadTo(e.peers.groups[g][adds]) })
	waits := e.peers.waiters.Ask(wait.instr, sites{}, func() sites { return e.leads([]peerOp{wait}, true) })
	for fn, from := range joins.at {
		for _, a := range from {
			if slices.ContainsFunc(waits.at[fn], func(w ssa.Instruction) bool { return a != w && flow.Reaches(a, w, nil) }) {
				return true
			}
		}
	}
	return false
}

// Unjoined reports whether the group that o waits for may be empty by then, as nobody is seen to have joined it before.
func (o *Occurrence) Unjoined() bool {
	p := o.Block.Peers
	return p.joined.Known() && o.Instr != nil && !p.engine.joinedBefore(peerOp{o.Instr.Parent(), o.Instr}, p.joined)
}
