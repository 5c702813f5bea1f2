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

// reportWait reports the wait o for the first lock of its lock set under which it may last forever. The lock set is
// that of all paths to o, so a lock that is held on some paths only is missed. Linked is the result of the link phase
// that o is from, nil for an occurrence of the package itself.
func (r *reporter) reportWait(o *lock.Occurrence, linked *lock.Linked) {
	b := o.Block
	switch {
	case b.Under && len(b.Hops()) > 0: // reported in the callee, which holds a lock of its own there
		return
	case b.Option != "" && linked == nil: // the link phase decides: it has the packages that may set the option
		return
	case linked == nil && rule.InTestFolder(r.pass),
		linked != nil && rule.PathInTestFolder(r.pass, linked.At().Package()):
		return
	}
	for _, h := range o.Held {
		sub := "blocking"
		v, ok := r.endless(o, h)
		if b.Kind == blocking.Process && v.confidence != rule.Certain { // most child processes exit by themselves
			sub, v.site, ok = "slow", "command-under-lock", ok && r.slow
		}
		if !ok || !h.Path.Known() && h.Name == "" || !r.first(key(h, b.Event)) || o.RelocksBefore(h) ||
			o.ReacquiredInLoop(h) {
			continue
		}
		if linked != nil && !r.first(key(h, lock.Event{At: linked.At()})+"linked") {
			return // one finding for each call, however many waits it leads to
		}
		var pos token.Pos
		places := v.places
		if linked == nil {
			pos = flow.Pos(o.Instr)
		} else {
			pos, places = r.res.Dirs.Pos(r.pass, linked.At()), append(slices.Clip(places), r.enclosing(linked)...)
		}
		if linked != nil || b.Maybe || h.Tried() { // across packages, one lock class may be several locks
			v.confidence = rule.Possible
		}
		message := fmt.Sprintf("%s (%s) is held across %s%s, which %s",
			name(h), r.taken(h), b.What, through(b.Event), v.why)
		if !v.unserved {
			message += "; unlock first"
		} else if h.Class != "" {
			r.lost[h.Class] = true
		}
		f := r.finding(pos, sub, v.site, v.confidence, message, r.related(h, b.Event, "blocks here", places...))
		if beyond, ok := r.res.Uncontended[h.Site]; ok && linked == nil && !v.unserved {
			if len(beyond) == 0 || r.unit.DeferUntilOneCalled(beyond, f) {
				continue
			}
		}
		if linked == nil {
			r.add(o.Instr, "wait", cause{Finding: f, class: h.Class, unserved: v.unserved, writer: v.writer})
		} else {
			r.report(f)
		}
		return
	}
}

// A verdict says why a wait can last forever while a lock is held.
type verdict struct {
	site       rule.Site
	why        string // completes "is held across the wait, which …"
	confidence rule.Confidence
	places     []lock.Place // where another goroutine needs the lock
	unserved   bool         // no operation ends the wait, whether the lock is held or not
	writer     bool         // all goroutines lock for reading: the deadlock takes a writer that waits
}

// endless is the verdict on the wait o while h is held; false if something may end it.
func (r *reporter) endless(o *lock.Occurrence, h lock.Hold) (verdict, bool) {
	if p := o.Block.Peers; p != nil && (o.Block.Kind != blocking.Acquire || !p.Unknown && !p.None) {
		return r.endlessForPeers(o, h)
	}
	return r.endlessInLibrary(o, h)
}

// isWritten reports whether some function locks the class for writing, so that its readers can block each other.
func (r *reporter) isWritten(c lock.Class) bool { return r.res.Writers[c.Inner()].By != "" }

// endlessForPeers decides a wait for other goroutines of the program: it is a node of the wait-for graph, and the
// verdict is that each goroutine that could end the wait has an edge back to h. A peer that does not need the lock, or
// that is not known, makes it no finding.
func (r *reporter) endlessForPeers(o *lock.Occurrence, h lock.Hold) (verdict, bool) {
	p := o.Block.Peers
	if peer, ok := o.Needs(h, func(lock.Class) bool { return false }); ok {
		v := verdict{site: "lock-bound-peer", why: "deadlocks", confidence: rule.Certain, places: peer.Places}
		if p.Buffered {
			v.site, v.why = "full-buffer", "deadlocks once the buffer is full"
		}
		if peer.Maybe || p.Buffered || p.MayBeReady || o.Unjoined() { // a buffer may have room, or already a value
			v.confidence = rule.Possible
		}
		v.why += fmt.Sprintf(": %s needs the same lock to unblock it%s", peer.By, uncalled(o))
		return v, true
	}
	if peer, ok := o.Needs(h, r.isWritten); ok {
		w := r.res.Writers[h.Class.Inner()]
		return verdict{
			site: "peer-behind-writer", confidence: rule.Possible, writer: true,
			why: fmt.Sprintf("deadlocks once a writer (%s) waits: %s needs the same lock to unblock it",
				w.By, peer.By),
			places: append(slices.Clip(w.Places), peer.Places...),
		}, true
	}
	receiver, needs := o.ExitingReceiver(h, r.isWritten)
	switch {
	case p.None:
		return verdict{
			site: "unserved-wait", confidence: rule.Certain, unserved: true,
			why: "blocks forever: the package has no " + strings.TrimPrefix(p.Missing, "a ") + "; add one",
		}, true
	case receiver.By != "" && needs:
		return verdict{
			site: "lock-bound-receiver", confidence: rule.Possible, places: receiver.Places,
			why: fmt.Sprintf("blocks forever once its receiver exits: %s does, and then acquires the same lock",
				receiver.By),
		}, true
	case receiver.By != "" && (!testsOwner(o, h) || !o.FlagGuardsReceiver(h)):
		return verdict{
			site: "departed-receiver", confidence: rule.Possible, places: receiver.Places,
			why: fmt.Sprintf("blocks forever once its receiver %s has exited", receiver.By),
		}, true
	}
	return verdict{}, false
}

// endlessInLibrary decides a wait that a library ends. It approximates "another goroutine wants the lock" by the
// existence of another function that takes it, if the wait is for a server or for a component that runs until it is
// stopped.
func (r *reporter) endlessInLibrary(o *lock.Occurrence, h lock.Hold) (verdict, bool) {
	b := o.Block
	if h.OfElement() {
		return verdict{}, false
	}
	v := verdict{site: "library-wait", confidence: rule.Possible, why: "may block forever waiting for " + b.Kind.For()}
	switch b.Kind {
	case blocking.Server:
		by := r.otherTaker(o, h)
		if o.Bound.Limit != blocking.Never || by == "" || memoizes(o, h) {
			return verdict{}, false
		}
		v.site = "server-wait"
		v.why += fmt.Sprintf(" (%s): %s cannot acquire the lock meanwhile", o.Bound.Why, by)
		return v, true
	case blocking.CacheSync, blocking.Poll, blocking.Run, blocking.Queue, blocking.Process, blocking.Acquire,
		blocking.Declared:
		if peer, ok := o.Stoppable(h, r.isWritten); ok {
			v.site, v.confidence, v.places = "lock-bound-stop", rule.Certain, peer.Places
			v.why += fmt.Sprintf(": %s needs the same lock to close the stop channel", peer.By)
			return v, true
		}
		if b.Kind == blocking.Run && o.Instr != nil && r.otherTaker(o, h) == "" {
			return verdict{}, false // the lock is there to have one instance run at a time
		}
		return v, true
	}
	return verdict{}, false
}

// uncalled names the functions that could end the wait o if the program called them.
func uncalled(o *lock.Occurrence) string {
	fns := o.Idle()
	if len(fns) == 0 {
		return ""
	}
	return ", and nothing in the program calls " + strings.Join(fns, " or ")
}

// otherTaker names a function that acquires the lock h, other than the one of o; "" if there is none.
func (r *reporter) otherTaker(o *lock.Occurrence, h lock.Hold) string {
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

// testsOwner reports whether the path condition of o reads the object that h guards: a flag under the same lock may say
// that the receiver exists.
func testsOwner(o *lock.Occurrence, h lock.Hold) bool {
	if o.Instr == nil {
		return false
	}
	owner := h.Owner()
	return flow.Any2(flow.PathCondition(o.Instr.Block()), func(test *ssa.If, _ flow.Truth) bool {
		return values.ReadsFrom(test.Cond, owner)
	})
}

// memoizes reports whether o computes a value that the object under h caches: a test of the object, dominated by the
// acquisition, has a path to a return without o. The other callers wait for that value anyway.
func memoizes(o *lock.Occurrence, h lock.Hold) bool {
	if o.Instr == nil {
		return false
	}
	owner := h.Owner()
	hit := flow.Search{Goal: flow.IsReturn, Barrier: func(in ssa.Instruction) bool { return in == o.Instr }}
	return flow.Any2(flow.PathCondition(o.Instr.Block()), func(test *ssa.If, _ flow.Truth) bool {
		return h.Site != nil && h.Site.Parent() == test.Parent() && flow.Dominates(h.Site, test) &&
			values.ReadsFrom(test.Cond, owner) && hit.From(test.Block())
	})
}

// reportSlow reports an operation that ends by itself and delays all goroutines that want the lock: with the opt-in,
// any operation with a non-empty lock set.
func (r *reporter) reportSlow(o *lock.SlowOccurrence) {
	site := rule.Site("bounded-wait")
	if o.Kind == blocking.IO {
		site = "io-under-lock"
	}
	for _, h := range o.Held {
		if !h.Path.Known() || h.OfElement() || !r.first(key(h, o.Event)+string(site)) {
			continue
		}
		message := fmt.Sprintf("%s (%s) is held across %s%s, which %s; unlock first",
			h.Path, r.taken(h), o.What, through(o.Event), o.Because)
		related := r.related(h, o.Event, "waits here")
		r.report(r.finding(flow.Pos(o.Instr), "slow", site, rule.Possible, message, related))
		return
	}
}
