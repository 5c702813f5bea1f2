package lockheld

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/lock"
)

// Who holds a lock around a call behind which another function holds its own around the same wait is not told besides that one: the wait has to be moved
// there, once for both.

// linked reports what the program has put together.
func (r *reporter) linked() {
	for i := range r.res.Linked {
		l := &r.res.Linked[i]
		if len(r.nested(l, r.inside)) == 0 {
			r.blocked(&l.Occurrence, l)
		}
	}
}

// nested are those that wait as l does, of whom in is true for l.
func (r *reporter) nested(l *lock.Linked, in func(o, l *lock.Linked) bool) []*lock.Linked {
	if l.Block.Peers != nil {
		return nil // who ends it may want one of the locks only
	}
	var out []*lock.Linked
	for i := range r.res.Linked {
		if o := &r.res.Linked[i]; o.Block.Peers == nil && o.Block.At == l.Block.At && in(o, l) {
			out = append(out, o)
		}
	}
	return out
}

// inside reports whether o holds a lock behind the call around which l does, and is told of it.
func (r *reporter) inside(o, l *lock.Linked) bool {
	return o.At() != l.At() && slices.ContainsFunc(l.Block.Hops(), func(h lock.Hop) bool { return h.At == o.At() }) &&
		slices.ContainsFunc(o.Held, func(h lock.Hold) bool { return r.blocksForever(o, h) })
}

// blocksForever reports whether the wait l can last forever while h is held, and its holder gets there.
func (r *reporter) blocksForever(l *lock.Linked, h lock.Hold) bool {
	_, ok := r.stuck(&l.Occurrence, h)
	return ok && h.Name != "" && !l.Passes(h)
}

// around are the places of those who hold a lock around what l does.
func (r *reporter) around(l *lock.Linked) []lock.Place {
	var out []lock.Place
	for _, o := range r.nested(l, func(o, l *lock.Linked) bool { return r.inside(l, o) }) {
		if i := slices.IndexFunc(o.Held, func(h lock.Hold) bool { return r.blocksForever(o, h) }); i >= 0 {
			p := lock.Place{At: o.At(), What: o.Held[i].Name + " is held around it as well"}
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
