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

// A Leaver is a receiver that can go away without receiving: to block, for another reason, when the work is told to stop.
type Leaver struct {
	At    link.At   // of the select
	By    string    // its function, and base file name and line of the select
	Told  bool      // it leaves when the work is told to stop, which can be any time
	Once  bool      // it takes one value at most: what is sent besides stays in the buffer
	Call  bool      // it is a call that is given the channel to wait for
	Fired [][]Class // what is held where it is told so; nil where that is not known
	WayOut
}

// A WayOut is what a function does after it left.
type WayOut struct {
	Takes []Taken // the locks that it acquires
	Sets  []Class // the fields that it stores to
}

// leaversOf are the receivers, where all of them receive in a select that ends for another reason as well: a sender that
// does not look at the same reason may be left alone.
func (e *engine) leaversOf(receivers []peerOp, g origin.Group) []Leaver {
	return e.peers.leavers.Ask(g, nil, func() []Leaver { return e.findLeavers(receivers, g) })
}

func (e *engine) findLeavers(receivers []peerOp, g origin.Group) []Leaver {
	var out []Leaver
	for _, r := range receivers {
		var b *ssa.BasicBlock
		var fired [][]Class
		told, once, call := true, false, false
		switch in := r.instr.(type) {
		case *ssa.Select:
			var ch ssa.Value
			if b, ch = e.exitOf(in, g); b != nil {
				fired, once = e.firing(ch), e.takesOne(in, g)
			}
		case *ssa.UnOp:
			b, told = e.breakOf(in), false
		case ssa.CallInstruction: // it takes one value at most
			b, once, call = in.Block(), true, true
		}
		if b == nil {
			return nil
		}
		var way WayOut
		if _, spawned := r.instr.(*ssa.Go); !spawned {
			way = e.peers.ways.Ask(b, WayOut{}, func() WayOut { return e.goesOn(b) })
		}
		by := fmt.Sprintf("%s at %s", flow.FuncName(r.fn), e.at(flow.Pos(r.instr)))
		out = append(out, Leaver{e.at(flow.Pos(r.instr)), by, told, once, call, fired, way})
	}
	return out
}

// takesOne reports whether sel is left for good once it has received from the channel g.
func (e *engine) takesOne(sel *ssa.Select, g origin.Group) bool {
	if !e.within.inLoop(sel.Block()) {
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

// breakOf is where the loop around the receive recv goes on when it ends for another reason than the channel's closing;
// nil where there is no such way out.
func (e *engine) breakOf(recv *ssa.UnOp) *ssa.BasicBlock {
	for _, l := range e.within.loopsAround(recv.Block()) {
		for _, b := range e.within.exits(l) {
			for _, s := range b.Succs {
				if b != recv.Block() && !l.Blocks[s] {
					return s
				}
			}
		}
	}
	return nil
}

// firing is what is held at each place that sends to the channel ch or closes it; nil where there are others.
func (e *engine) firing(ch ssa.Value) [][]Class {
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

// goesOn is what the function of b does from b on.
func (e *engine) goesOn(b *ssa.BasicBlock) WayOut {
	fn, way := b.Parent(), WayOut{}
	reached := e.within.scratch(fn)
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
		way.Takes = append(way.Takes, Taken{Class: o.Acquire.Lock.Class, Mode: o.Acquire.Mode, At: o.Acquire.At, path: o.Lock, fn: fn, instr: o.Instr})
	}
	return way
}

// Promised reports whether a test on the way to the send o keeps every receiver that can leave from leaving it alone: the
// receiver takes back what is tested when it leaves, or it is told to leave under the lock h only, where the test is made.
func (o *Occurrence) Promised(h Hold) bool {
	tests := append(testsBefore(o.Instr), testsBefore(o.Block.Peers.at)...)
	for _, l := range o.Block.Peers.Leavers {
		if !l.Told {
			continue
		}
		under := len(l.Fired) > 0 && !slices.ContainsFunc(l.Fired, func(held []Class) bool {
			return !slices.ContainsFunc(held, func(c Class) bool { return c != "" && c.same(h.Class) })
		})
		if !under && !slices.ContainsFunc(l.Sets, func(c Class) bool { return slices.Contains(tests, c) }) {
			return false
		}
	}
	return true
}

// exitOf is where a case of sel for the end of the work, or of a time, other than that of the channel g itself, leads away from it for
// good; nil where there is none.
func (e *engine) exitOf(sel *ssa.Select, g origin.Group) (*ssa.BasicBlock, ssa.Value) {
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

// Leaves is a receiver that can leave the sender o alone; needs reports whether it wants the lock h next, so that
// nothing that is kept under h can have told the sender. It is nobody where some receiver always comes back.
func (o *Occurrence) Leaves(h Hold, writer func(Class) bool) (who Witness, needs bool) {
	n, p := need{hold: h, writer: writer}, o.Block.Peers
	// Room for one value more does not help where each receiver takes one and leaves.
	if p.Buffered && slices.ContainsFunc(p.Leavers, func(l Leaver) bool { return !l.Once }) {
		return Witness{}, false
	}
	for _, l := range p.Leavers {
		place := Place{l.At, "the receiver can exit here"}
		if who.By == "" && l.Told && (!p.Buffered || l.Call) {
			who = Witness{By: l.By, Places: []Place{place}}
		}
		for _, t := range l.Takes {
			if n.blocks(t.fn, t.Class, t.path, t.Mode) {
				return Witness{By: l.By, Places: []Place{place, {t.At, "and then acquires the same lock here"}}}, true
			}
		}
	}
	return who, false
}
