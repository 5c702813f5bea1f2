package lock

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// A ReceiverExit is a receiver that may stop receiving and return, for example when a stop channel is closed.
type ReceiverExit struct {
	At         link.At   // of the select
	By         string    // its function, and base file name and line of the select
	OnStop     bool      // it returns on a stop channel, at any time
	Once       bool      // it takes one value at most: what is sent besides stays in the buffer
	Call       bool      // it is a call that is given the channel to wait for
	HeldOnStop [][]Class // the lock classes that are held where the stop channel is closed; nil if that is not known
	AfterExit
}

// An AfterExit is what a function does after it left.
type AfterExit struct {
	Takes []Taken // the locks that it acquires
	Sets  []Class // the fields that it stores to
}

// receiverExits are the receivers, where all of them receive in a select that ends for another reason as well: a sender
// that does not look at the same reason may be left alone.
func (e *engine) receiverExits(receivers []peerOp, g origin.Group) []ReceiverExit {
	return e.peers.exits.Ask(g, nil, func() []ReceiverExit { return e.findReceiverExits(receivers, g) })
}

func (e *engine) findReceiverExits(receivers []peerOp, g origin.Group) []ReceiverExit {
	var out []ReceiverExit
	for _, r := range receivers {
		var b *ssa.BasicBlock
		var fired [][]Class
		onStop, once, call := true, false, false
		switch in := r.instr.(type) {
		case *ssa.Select:
			var ch ssa.Value
			if b, ch = e.stopCase(in, g); b != nil {
				fired, once = e.heldOnStop(ch), e.takesOne(in, g)
			}
		case *ssa.UnOp:
			b, onStop = e.loopExit(in), false
		case ssa.CallInstruction: // it takes one value at most
			b, once, call = in.Block(), true, true
		}
		if b == nil {
			return nil
		}
		var way AfterExit
		if _, spawned := r.instr.(*ssa.Go); !spawned {
			way = e.peers.afterExits.Ask(b, AfterExit{}, func() AfterExit { return e.afterExit(b) })
		}
		by := fmt.Sprintf("%s at %s", flow.FuncName(r.fn), e.at(flow.Pos(r.instr)))
		out = append(out, ReceiverExit{
			At: e.at(flow.Pos(r.instr)), By: by, OnStop: onStop, Once: once, Call: call, HeldOnStop: fired, AfterExit: way,
		})
	}
	return out
}

// takesOne reports whether sel is left for good once it has received from the channel g.
func (e *engine) takesOne(sel *ssa.Select, g origin.Group) bool {
	if !e.cfg.inLoop(sel.Block()) {
		return true
	}
	for i, st := range sel.States {
		if e.origins.GroupOf(st.Chan) != g {
			continue
		}
		if b := flow.CaseOf(sel, i); b == nil || flow.BlocksFrom(b)[sel.Block()] {
			return false
		}
	}
	return true
}

// loopExit is a successor of the loop around the receive recv other than through the receive itself; nil for none.
func (e *engine) loopExit(recv *ssa.UnOp) *ssa.BasicBlock {
	for _, l := range e.cfg.loopsAround(recv.Block()) {
		for _, b := range e.cfg.exits(l) {
			for _, s := range b.Succs {
				if b != recv.Block() && !l.Blocks[s] {
					return s
				}
			}
		}
	}
	return nil
}

// heldOnStop is what is held at each place that sends to the channel ch or closes it; nil where there are others.
func (e *engine) heldOnStop(ch ssa.Value) [][]Class {
	g := e.origins.GroupOf(ch)
	if !g.Known() || g.Unknown() || g.Escape()&(origin.Passed|origin.Sent) != 0 {
		return nil
	}
	o := e.peers.groups[g]
	var out [][]Class
	for _, op := range slices.Concat(o[sends], o[closes]) {
		var held []Class
		for _, h := range e.heldAt[op.instr] {
			held = append(held, h.Class)
		}
		out = append(out, held)
	}
	return out
}

// afterExit is what the function of b does from b on.
func (e *engine) afterExit(b *ssa.BasicBlock) AfterExit {
	fn, way := b.Parent(), AfterExit{}
	reached := e.cfg.scratch(fn)
	flow.Mark(reached, []*ssa.BasicBlock{b}, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
	for in := range flow.Instrs(fn) {
		if st, ok := in.(*ssa.Store); ok && reached[in.Block().Index] {
			if c := classOf(st.Addr); c != "" && !slices.Contains(way.Sets, c) {
				way.Sets = append(way.Sets, c)
			}
		}
	}
	res := e.results[fn]
	if res == nil {
		return way
	}
	for _, o := range res.Events {
		if _, late := o.Instr.(*ssa.Defer); o.Acquire == nil || !late && !reached[o.Instr.Block().Index] {
			continue
		}
		if len(way.Takes) == maxEvents {
			e.pkg.Cut(tooManyEvents, fn)
			break
		}
		way.Takes = append(way.Takes, Taken{
			Class: o.Acquire.Lock.Class, Mode: o.Acquire.Mode, At: o.Acquire.At, path: o.Lock, fn: fn, instr: o.Instr,
		})
	}
	return way
}

// FlagGuardsReceiver reports whether a test on the path to the send o excludes all exits of receivers: the receiver
// resets the tested field when it exits, or the stop channel is closed only under the lock h, which the test is
// under.
func (o *Occurrence) FlagGuardsReceiver(h Hold) bool {
	tests := append(testsBefore(o.Instr), testsBefore(o.Block.Peers.at)...)
	for _, l := range o.Block.Peers.Exits {
		if !l.OnStop {
			continue
		}
		under := len(l.HeldOnStop) > 0 && !slices.ContainsFunc(l.HeldOnStop, func(held []Class) bool {
			return !slices.ContainsFunc(held, func(c Class) bool { return c != "" && c.same(h.Class) })
		})
		if !under && !slices.ContainsFunc(l.Sets, func(c Class) bool { return slices.Contains(tests, c) }) {
			return false
		}
	}
	return true
}

// stopCase is where a case of sel for the end of the work, or of a time, other than that of the channel g itself, leads
// away from it for good; nil where there is none.
func (e *engine) stopCase(sel *ssa.Select, g origin.Group) (*ssa.BasicBlock, ssa.Value) {
	for i, st := range sel.States {
		if e.origins.GroupOf(st.Chan) == g || e.endsWithManager(sel, st.Chan) {
			continue
		}
		if st.Dir == types.RecvOnly && (blocking.IsDone(st.Chan) || blocking.IsTimer(st.Chan)) {
			if b := flow.CaseOf(sel, i); b != nil && !flow.BlocksFrom(b)[sel.Block()] {
				return b, st.Chan
			}
		}
	}
	return nil, nil
}

// ExitingReceiver is a receiver of the send o that may exit; needs reports whether it then acquires the lock h, so
// that no state under h can announce the exit before. It is empty if some receiver never exits.
func (o *Occurrence) ExitingReceiver(h Hold, writer func(Class) bool) (receiver Witness, needs bool) {
	n, p := need{hold: h, writer: writer}, o.Block.Peers
	// Room for one value more does not help where each receiver takes one and leaves.
	if p.Buffered && slices.ContainsFunc(p.Exits, func(l ReceiverExit) bool { return !l.Once }) {
		return Witness{}, false
	}
	for _, l := range p.Exits {
		place := Place{l.At, "the receiver can exit here"}
		if receiver.By == "" && l.OnStop && (!p.Buffered || l.Call) {
			receiver = Witness{By: l.By, Places: []Place{place}}
		}
		for _, t := range l.Takes {
			if n.blocks(t.fn, t.Class, t.path, t.Mode) {
				return Witness{By: l.By, Places: []Place{place, {t.At, "and then acquires the same lock here"}}}, true
			}
		}
	}
	return receiver, false
}
