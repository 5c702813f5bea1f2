package lock

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
)

// acquire records that the function itself takes a lock at instr.
func (in *interp) acquire(instr ssa.Instruction, o op, s *state) {
	occ := Occurrence{
		Instr: instr, Held: slices.Clone(s.held), Lock: o.lock,
		Acquire: &AcquireEvent{Event: in.e.event(instr), Lock: Ref{Param: -1, Class: o.class}, Mode: o.mode},
	}
	occ.Again = in.again(o.lock, s.held, s)
	in.record(occ, s.dropped)
}

// again is the lock p where this path took it before, in the function itself.
func (in *interp) again(p flow.Path, held []Hold, s *state) *Hold {
	h, ok := find(held, p)
	if !ok || s.widened || h.Stale || h.Site == nil || h.Site.Parent() != in.fn {
		return nil
	}
	return &h
}

// record notes an occurrence in the result and, in the function's own terms, in its summary. An occurrence that was
// seen in another state before keeps the locks that are held in both.
func (in *interp) record(o Occurrence, dropped []Hold) {
	if o.Acquire == nil || o.Acquire.Mode != Once {
		// Waits in the function of a Once end like those of any initialisation; only a wait of that function for its
		// own Once does not.
		o.Held = without(o.Held, func(h Hold) bool { return h.Mode == Once })
	}
	k := eventKey{instr: o.Instr}
	if o.Acquire != nil {
		k.pos, k.at, k.lock, k.class = o.Acquire.Pos, o.Acquire.At, o.Lock, o.Acquire.Lock.Class
		k.below = o.Acquire.Mode == Once && o.Acquire.depth() > 0 // Do is both where it begins and where it recurs
	} else {
		k.pos, k.at, k.kind = o.Block.Pos, o.Block.At, o.Block.Kind
	}
	if i, ok := in.index[k]; ok {
		old := &in.res.Events[i]
		old.Held = common(old.Held, o.Held)
		if old.Again == nil {
			old.Again = o.Again
		}
		old.dropped = append(slices.Clip(old.dropped),
			without(dropped, func(h Hold) bool { _, ok := find(old.dropped, h.Path); return ok })...)
		return
	}
	if !chosen(o.event().Guards) { // events that depend on an argument belong to the callers
		in.index[k], o.dropped = len(in.res.Events), dropped
		in.res.Events = append(in.res.Events, o)
	}

	if o.Acquire != nil {
		in.summariseAcquire(&o, in.refs(dropped))
	} else if !o.inside {
		o.Block.Passed = in.passed(o.Instr, o.passed)
		in.summariseBlock(&o, in.refs(dropped))
	}
}

// event is the event of o.
func (o *Occurrence) event() *Event {
	if o.Acquire != nil {
		return &o.Acquire.Event
	}
	return &o.Block.Event
}

// A sumKey identifies an event of a summary: it is there once, however many calls lead to it.
type sumKey struct {
	pos  token.Pos
	at   link.At
	ref  Ref
	kind blocking.Kind
}

// passed are the locks that are acquired on every path to the event at instr, in terms of this function: inner, those
// that the callee acquires before, and its own.
func (in *interp) passed(instr ssa.Instruction, inner []Hold) []HeldRef {
	var out []HeldRef
	add := func(p flow.Path, class Class, mode Mode) {
		r, ok := refOf(in.fn, p, class)
		if !ok || r.local != nil {
			r = Ref{Param: -1, Class: class}
		}
		if h := (HeldRef{Ref: r, Mode: mode}); class != "" && mode != Once && !slices.Contains(out, h) &&
			len(out) < maxHeld {
			out = append(out, h)
		}
	}
	for _, h := range inner {
		add(h.Path, h.Class, h.Mode)
	}
	for i := range in.res.Events {
		o := &in.res.Events[i]
		if a := o.Acquire; a != nil && !a.Maybe && comesBefore(o.Instr, instr) {
			add(o.Lock, a.Lock.Class, a.Mode)
		}
	}
	return out
}

// comesBefore reports whether the call a dominates b and runs where it stands, as a deferred call does not.
func comesBefore(a, b ssa.Instruction) bool {
	_, plain := a.(*ssa.Call)
	return plain && a != b && flow.Dominates(a, b)
}

// RelocksBefore reports whether every path to the wait o acquires the lock of h again before: its holder deadlocks
// there, and does not reach o.
func (o *Occurrence) RelocksBefore(h Hold) bool {
	return slices.ContainsFunc(o.passed, func(p Hold) bool {
		return p.Class == h.Class && (p.Mode == Write || h.Mode == Write)
	})
}

// summariseAcquire adds an acquisition to the summary.
func (in *interp) summariseAcquire(o *Occurrence, dropped []Ref) {
	if in.e.unshared(o.Lock, o.Instr) {
		return // the object has not escaped: no caller waits for this lock
	}
	guards, ok := in.allGuards(o.Instr, o.Acquire.Guards)
	if !ok {
		return
	}
	r, ok := refOf(in.fn, o.Lock, o.Acquire.Lock.Class)
	if !ok {
		// Unnamed for the caller, but its class is known: peers and lock order need that.
		if o.Acquire.Lock.Class == "" {
			return
		}
		r = Ref{Param: -1, Class: o.Acquire.Lock.Class}
	}
	a := *o.Acquire
	a.Lock, a.Dropped, a.Guards = r, dropped, guards
	i, old := in.place(sumKey{a.Pos, a.At, r, 0}, len(in.sum.Acquires))
	if i < 0 {
		return
	}
	a.Maybe = a.Maybe || (!old || in.sum.Acquires[i].Maybe) && in.avoidable(o.Instr)
	a.ByMode = a.ByMode || byMode(o.Instr.Block(), slices.Contains(dropped, r))
	if old {
		in.sum.Acquires[i].meet(&a.Event)
	} else {
		in.sum.Acquires = append(in.sum.Acquires, a)
	}
}

// place is where the event k is in a list of the summary that has n so far, and whether it is there already. It is
// negative where there is no room.
func (in *interp) place(k sumKey, n int) (i int, old bool) {
	if i, old = in.sumIndex[k]; old {
		return i, true
	}
	if n >= maxEvents {
		in.e.pkg.Cut(tooManyEvents, in.fn)
		return -1, false
	}
	in.sumIndex[k] = n
	return n, false
}

// meet keeps of ev what is so on the way of o, too, and of the two ways the shorter one, or the one that stands first:
// it does not hang on which of them was seen first.
func (ev *Event) meet(o *Event) {
	if d := cmp.Compare(o.depth(), ev.depth()); d < 0 || d == 0 && o.comesFirst(ev) {
		ev.Chain, ev.via = o.Chain, o.via
	}
	ev.Dropped = slices.DeleteFunc(slices.Clone(ev.Dropped), func(r Ref) bool { return !slices.Contains(o.Dropped, r) })
	ev.Passed = slices.DeleteFunc(slices.Clone(ev.Passed),
		func(r HeldRef) bool { return !slices.Contains(o.Passed, r) })
	ev.Maybe, ev.ByMode = ev.Maybe && o.Maybe, ev.ByMode && o.ByMode
	ev.Owners = slices.DeleteFunc(slices.Clone(ev.Owners),
		func(k OwnerGuard) bool { return !slices.Contains(o.Owners, k) })
	if len(o.Guards) < len(ev.Guards) {
		ev.Guards = o.Guards
	}
}

// comesFirst reports whether the calls that lead to ev stand before those, as many, that lead to o.
func (ev *Event) comesFirst(o *Event) bool {
	a, b := ev.via, o.via
	for ; a != nil && b != nil && a != b; a, b = a.next, b.next {
		if d := strings.Compare(string(a.hop.At), string(b.hop.At)); d != 0 {
			return d < 0
		}
	}
	return false
}

// summariseBlock adds a wait to the summary.
func (in *interp) summariseBlock(o *Occurrence, dropped []Ref) {
	guards, ok := in.allGuards(o.Instr, o.Block.Guards)
	if !ok {
		return
	}
	b := *o.Block
	b.Dropped, b.Guards = dropped, guards
	b.Under = b.Under || len(o.Held) > 0 && b.Peers == nil
	b.Limit, b.Bound, b.Why = o.Bound.Limit, Ref{Param: -1}, o.Bound.Why
	if o.Bound.Limit == blocking.Parameter {
		if r, ok := refOf(in.fn, flow.Path{Root: o.Bound.Param}, ""); ok {
			b.Bound = r
		} else {
			b.Limit = blocking.Unknown
		}
	}
	if b.Option == "" {
		b.Option = in.e.option(o.Instr)
	}
	if b.Own = (Ref{Param: -1}); b.Kind == blocking.Cond && o.own.Known() {
		if r, ok := refOf(in.fn, o.own, ""); ok {
			b.Own = r
		}
	}
	i, old := in.place(sumKey{b.Pos, b.At, b.Bound, b.Kind}, len(in.sum.Blocks))
	if i < 0 {
		return
	}
	b.Maybe = b.Maybe || (!old || in.sum.Blocks[i].Maybe) && in.avoidable(o.Instr)
	if old {
		in.sum.Blocks[i].meet(&b.Event)
		in.sum.Blocks[i].Under = in.sum.Blocks[i].Under && b.Under
		if in.sum.Blocks[i].Option != b.Option {
			in.sum.Blocks[i].Option = ""
		}
	} else {
		in.sum.Blocks = append(in.sum.Blocks, b)
	}
}

// allGuards are the guards of an event at instr: what its callee left, and the tests in the function itself.
func (in *interp) allGuards(instr ssa.Instruction, left []Guard) ([]Guard, bool) {
	out := slices.Clone(left)
	for _, g := range in.guards(instr) {
		if !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out, in.fewGuards(out)
}

// common are the holds of a that are in b too.
func common(a, b []Hold) []Hold {
	var both []Hold
	for _, h := range a {
		i := slices.IndexFunc(b,
			func(x Hold) bool { return x.Path == h.Path && (h.Path.Known() || x.Class == h.Class) })
		if i >= 0 {
			h.Mode = min(h.Mode, b[i].Mode)
			h.Stale = h.Stale || b[i].Stale
			both = append(both, h)
		}
	}
	return both
}
