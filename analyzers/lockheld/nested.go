package lockheld

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/lock"
)

// reportLinked reports the waits that the link phase has found. If two functions on one call chain hold locks across
// the same wait, only the inner one is reported: moving the wait out of its lock is the first step for both.
func (r *reporter) reportLinked() {
	for i := range r.res.Linked {
		l := &r.res.Linked[i]
		if len(r.sameWait(l, r.isInside)) == 0 {
			r.reportWait(&l.Occurrence, l)
		}
	}
}

// sameWait are the occurrences of the wait of l that are related to l by in.
func (r *reporter) sameWait(l *lock.Linked, in func(o, l *lock.Linked) bool) []*lock.Linked {
	if l.Block.Peers != nil {
		return nil // the peers that end it may need one of the locks only
	}
	var out []*lock.Linked
	for i := range r.res.Linked {
		if o := &r.res.Linked[i]; o.Block.Peers == nil && o.Block.At == l.Block.At && in(o, l) {
			out = append(out, o)
		}
	}
	return out
}

// isInside reports whether the call of o is on the call chain of l and is a finding.
func (r *reporter) isInside(o, l *lock.Linked) bool {
	return o.At() != l.At() && slices.ContainsFunc(l.Block.Hops(), func(h lock.Hop) bool { return h.At == o.At() }) &&
		slices.ContainsFunc(o.Held, func(h lock.Hold) bool { return r.isEndless(o, h) })
}

// isEndless reports whether l can last forever with h held, and is reached with it.
func (r *reporter) isEndless(l *lock.Linked, h lock.Hold) bool {
	_, ok := r.endless(&l.Occurrence, h)
	return ok && h.Name != "" && !l.RelocksBefore(h)
}

// enclosing are the calls on the chain of l that are not reported because l is.
func (r *reporter) enclosing(l *lock.Linked) []lock.Place {
	var out []lock.Place
	for _, o := range r.sameWait(l, func(o, l *lock.Linked) bool { return r.isInside(l, o) }) {
		if i := slices.IndexFunc(o.Held, func(h lock.Hold) bool { return r.isEndless(o, h) }); i >= 0 {
			p := lock.Place{At: o.At(), What: o.Held[i].Name + " is held around it as well"}
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
