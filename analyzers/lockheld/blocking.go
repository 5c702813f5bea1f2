package lockheld

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/lock"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// blocked reports an operation that can block without bound. Linked is what the program has put together of it, nil for
// what the package shows.
func (r *reporter) blocked(o *lock.Occurrence, linked *lock.Linked) {
	b := o.Block
	if b.Under && len(b.Hops()) > 0 {
		return // a callee holds a lock of its own there, and is told
	}
	if b.Option != "" && linked == nil {
		return // whether anybody wants that, the program knows
	}
	if linked == nil && rule.InTestFolder(r.pass) || linked != nil && rule.PathInTestFolder(r.pass, linked.At().Package()) {
		return // who runs the tests ends the wait
	}
	for _, h := range o.Held {
		sub := "blocking"
		v, ok := r.stuck(o, h)
		if b.Kind == blocking.Process && v.sure != rule.Certain { // most end by themselves, and nothing in sight tells which
			sub, v.site, ok = "slow", "command-under-lock", ok && r.slow
		}
		if !ok || !h.Path.Known() && h.Name == "" || !r.first(key(h, b.Event)) {
			continue
		}
		if o.Passes(h) {
			continue // its holder never gets there
		}
		if o.BetweenTurns(h) {
			continue // others have it between two turns
		}
		if linked != nil && !r.first(key(h, lock.Event{At: linked.At()})+"linked") {
			return // one call that leads to many waits is one finding
		}
		var at token.Pos
		if linked == nil {
			at = flow.Pos(o.Instr)
		} else { // locks of one class are not known to be one lock
			at, v.sure = r.res.Dirs.Pos(r.pass, linked.At()), rule.Possible
		}
		if b.Maybe || h.Tried() {
			v.sure = rule.Possible
		}
		message := fmt.Sprintf("%s (%s) is held across %s%s, which %s", name(h), r.taken(h), b.What, through(b.Event), v.why)
		ever := strings.HasPrefix(v.why, nobody) // to unlock does not end that
		if !ever {
			message += "; unlock first"
		} else if h.Class != "" {
			r.lost[h.Class] = true
		}
		if alone, ok := r.res.Alone[h.Site]; ok && linked == nil && !ever {
			if len(alone.Beyond) == 0 {
				continue // nobody else wants the lock
			}
			if r.onlyBeyond(alone, at, sub, v, message, r.related(h, b.Event, "blocks here", v.places...)) {
				continue
			}
		}
		if linked == nil {
			r.below(o.Instr, cause{at, h.Class, sub, v.site, v.sure, ever, v.writer, message, r.related(h, b.Event, "blocks here", v.places...)}, "wait")
		} else {
			r.report(at, sub, v.site, v.sure, message, r.related(h, b.Event, "blocks here", append(slices.Clip(v.places), r.around(linked)...)...))
		}
		return
	}
}

// nobody begins what is said of a wait that nothing ends, locked or not.
const nobody = "blocks forever: the package has no "

// A verdict says why a wait can last forever, and where one sees that.
type verdict struct {
	site   rule.Site
	why    string
	sure   rule.Confidence
	places []lock.Place
	writer bool // all hold the lock for reading: it takes a writer that waits
}

// stuck says why the wait o can last forever while h is held; false where something ends it, or may.
func (r *reporter) stuck(o *lock.Occurrence, h lock.Hold) (verdict, bool) {
	b := o.Block
	writer := func(c lock.Class) bool { return r.res.Writers[c.Inner()].By != "" }
	none := func(lock.Class) bool { return false }
	if p := b.Peers; p != nil && (b.Kind != blocking.Acquire || !p.Unknown && !p.None) {
		if who, ok := o.Needs(h, none); ok {
			site, when, sure := rule.Site("lock-bound-peer"), "deadlocks", rule.Certain
			if p.Buffered {
				site = "full-buffer"
				when += " once the buffer is full"
			}
			if who.Maybe || p.Buffered || p.Kept || o.Unjoined() { // a buffer may have room, or something already
				sure = rule.Possible
			}
			return verdict{site, fmt.Sprintf("%s: %s needs the same lock to unblock it%s", when, who.By, idle(o)), sure, who.Places, false}, true
		}
		if who, ok := o.Needs(h, writer); ok { // both for reading
			w := r.res.Writers[h.Class.Inner()]
			why := fmt.Sprintf("deadlocks once a writer (%s) waits: %s needs the same lock to unblock it", w.By, who.By)
			return verdict{"peer-behind-writer", why, rule.Possible, append(slices.Clip(w.Places), who.Places...), true}, true
		}
		left, needs := o.Leaves(h, writer)
		switch {
		case p.None:
			return verdict{"unserved-wait", nobody + strings.TrimPrefix(p.Missing, "a "), rule.Certain, nil, false}, true
		case left.By != "" && needs:
			return verdict{"lock-bound-receiver", fmt.Sprintf("blocks forever once its receiver exits: %s does, and then acquires the same lock", left.By), rule.Possible, left.Places, false}, true
		case left.By != "" && (!flagged(o, h) || !o.Promised(h)):
			return verdict{"departed-receiver", fmt.Sprintf("blocks forever once its receiver %s has exited", left.By), rule.Possible, left.Places, false}, true
		}
		// With a peer in sight that does not need the lock, or out of sight, the wait may well end.
		return verdict{}, false
	}
	switch b.Kind {
	case blocking.Server:
		by := r.kept(o, h)
		if o.Bound.Limit != blocking.Never || by == "" || h.OfOne() || memo(o, h) {
			return verdict{}, false
		}
		return verdict{"server-wait", fmt.Sprintf("may block forever waiting for %s (%s): %s cannot acquire the lock until then", b.Kind.For(), o.Bound.Why, by), rule.Possible, nil, false}, true
	case blocking.CacheSync, blocking.Poll, blocking.Run, blocking.Queue, blocking.Process, blocking.Acquire, blocking.Declared:
		if h.OfOne() {
			return verdict{}, false
		}
		why := "may block forever waiting for " + b.Kind.For()
		if who, ok := o.Stoppable(h, writer); ok {
			return verdict{"lock-bound-stop", fmt.Sprintf("%s: %s needs the same lock to close the stop channel", why, who.By), rule.Certain, who.Places, false}, true
		}
		if b.Kind == blocking.Run && o.Instr != nil && r.kept(o, h) == "" {
			return verdict{}, false // that one runs at a time is what the lock is for
		}
		return verdict{"library-wait", why, rule.Possible, nil, false}, true
	}
	return verdict{}, false
}

// idle says which functions could end the wait o, if the program called them.
func idle(o *lock.Occurrence) string {
	fns := o.Idle()
	if len(fns) == 0 {
		return ""
	}
	return ", and nothing in the program calls " + strings.Join(fns, " or ")
}

// kept names another function that takes the lock h, "" where there is none.
func (r *reporter) kept(o *lock.Occurrence, h lock.Hold) string {
	if o.Instr == nil {
		return ""
	}
	for _, fn := range r.res.Takers[h.Class] {
		if flow.Decl(fn) != flow.Decl(o.Instr.Parent()) {
			return flow.FuncName(fn)
		}
	}
	return ""
}

// flagged reports whether the operation comes only after a test of the object that h guards: a flag, kept under the same
// lock, may say that the other side is there.
func flagged(o *lock.Occurrence, h lock.Hold) bool {
	if o.Instr == nil {
		return false
	}
	owner := h.Owner()
	return flow.Any2(flow.PathCondition(o.Instr.Block()), func(test *ssa.If, _ flow.Truth) bool { return values.ReadsFrom(test.Cond, owner) })
}

// delayed reports an operation that ends, but lets everybody wait who wants the lock.
func (r *reporter) delayed(o *lock.SlowOccurrence) {
	site := rule.Site("bounded-wait")
	if o.Kind == blocking.IO {
		site = "io-under-lock"
	}
	for _, h := range o.Held {
		if !h.Path.Known() || h.OfOne() || !r.first(key(h, o.Event)+string(site)) {
			continue
		}
		r.report(flow.Pos(o.Instr), "slow", site, rule.Possible,
			fmt.Sprintf("%s (%s) is held across %s%s, which %s; unlock first",
				h.Path, r.taken(h), o.What, through(o.Event), o.Because),
			r.related(h, o.Event, "waits here"))
		return
	}
}

// memo reports whether the wait is the slow half of "look it up under the lock, or get it and keep it": the function
// that holds h returns early where a test of the guarded object says that it has the result. That all others wait for
// the one who gets it is what such a lock is for.
func memo(o *lock.Occurrence, h lock.Hold) bool {
	if o.Instr == nil {
		return false
	}
	owner := h.Owner()
	for test := range flow.PathCondition(o.Instr.Block()) {
		if h.Site == nil || h.Site.Parent() != test.Parent() || !flow.Dominates(h.Site, test) || !values.ReadsFrom(test.Cond, owner) {
			continue
		}
		if (flow.Search{Goal: flow.IsReturn, Barrier: func(in ssa.Instruction) bool { return in == o.Instr }}).From(test.Block()) {
			return true
		}
	}
	return false
}
