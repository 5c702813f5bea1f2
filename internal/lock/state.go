package lock

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
)

// Hold is one lock in a held set.
type Hold struct {
	Path  flow.Path
	Class Class
	Mode  Mode
	Site  ssa.Instruction // where it was taken: a Lock call, or a call of a function that returns with it
	At    link.At         // for a lock that a callee holds around a call of its parameter: where, as file and line
	By    string          // and which function
	Name  string          // of a lock in another package: what its function calls it
	Taken link.At         // of a lock in another package: where it was taken
	// a call may have changed the path, which no longer names this lock for certain
	Stale bool
}

// Tried reports whether the lock was acquired by TryLock, which fails if the lock is held: what follows may never
// run.
func (h Hold) Tried() bool {
	c, ok := h.Site.(*ssa.Call)
	if !ok {
		return false
	}
	o, ok := opOf(&c.Call)
	return ok && o.action == tryAcquire
}

// Owner is the object that has the lock.
func (h Hold) Owner() flow.Path {
	p := h.Path
	if i := strings.LastIndex(p.Sel, "."); i >= 0 {
		p.Sel = p.Sel[:i]
	}
	return p
}

// state is what is known on one path through a function: the locks it holds, those of its caller's that it released,
// the deferred calls, and the outcome of the tests that are made more than once.
type state struct {
	held    []Hold
	dropped []Hold
	defers  []*ssa.Defer
	conds   map[string]test
	widened bool // it is what several states have in common
}

func (s *state) clone() *state {
	return &state{
		held: slices.Clone(s.held), dropped: slices.Clone(s.dropped), defers: slices.Clone(s.defers),
		conds: maps.Clone(s.conds), widened: s.widened,
	}
}

// key is equal for states that have the same transitions.
func (s *state) key() string {
	parts := make([]string, 0, len(s.held)+len(s.dropped)+len(s.conds))
	for _, h := range s.held {
		parts = append(parts, fmt.Sprintf("h%p%s/%d%t", h.Path.Root, h.Path.Sel, h.Mode, h.Stale))
	}
	for _, h := range s.dropped {
		parts = append(parts, fmt.Sprintf("d%p%s/%d%t", h.Path.Root, h.Path.Sel, h.Mode, h.Stale))
	}
	for k, v := range s.conds {
		parts = append(parts, fmt.Sprintf("c%s%t", k, v.truth))
	}
	sort.Strings(parts)
	var b strings.Builder
	for _, d := range s.defers {
		fmt.Fprintf(&b, "%p,", d)
	}
	if s.widened {
		b.WriteString("w")
	}
	return strings.Join(parts, ";") + "|" + b.String()
}

// acquire adds h. A lock that the caller held, that was released here and is taken again, is as it was at entry.
func (s *state) acquire(h Hold) {
	for i, d := range s.dropped {
		if d.Path == h.Path && d.Mode == h.Mode {
			s.dropped = append(s.dropped[:i:i], s.dropped[i+1:]...)
			return
		}
	}
	if old, ok := find(s.held, h.Path); ok && (h.Mode == Write || old.Mode == Write) {
		// This deadlocks. The state must not know more than one that has forgotten the first hold.
		s.held = slices.Clone(s.held)
		for i, o := range s.held {
			if o.Path == h.Path {
				s.held[i].Mode = Write
			}
		}
		return
	}
	s.held = append(s.held, h)
}

// release takes the latest hold of p away, and reports whether there was one; where there is none, the caller's own
// lock is released.
func (s *state) release(p flow.Path, mode Mode, class Class) bool {
	for i := len(s.held) - 1; i >= 0; i-- {
		if s.held[i].Path == p {
			s.held = append(s.held[:i:i], s.held[i+1:]...)
			return true
		}
	}
	// Otherwise a stale hold of the class is taken for this lock.
	for i := len(s.held) - 1; i >= 0; i-- {
		if h := s.held[i]; h.Stale && h.Class.same(class) {
			s.held = append(s.held[:i:i], s.held[i+1:]...)
			return false
		}
	}
	// So is one that a call has given, where another call gave this one: f().Lock(); defer f().Unlock().
	for i := len(s.held) - 1; i >= 0; i-- {
		if h := s.held[i]; class != "" && h.Class != "" && h.Class.same(class) && (result(p) || result(h.Path)) {
			s.held = append(s.held[:i:i], s.held[i+1:]...)
			return false
		}
	}
	for _, d := range s.dropped {
		if d.Path == p {
			return false
		}
	}
	s.dropped = append(s.dropped, Hold{Path: p, Class: class, Mode: mode})
	return false
}

// result reports whether p begins at what a call has given.
func result(p flow.Path) bool {
	switch p.Root.(type) {
	case *ssa.Call, *ssa.Extract:
		return true
	}
	return false
}

// forgetClass drops what is known of the locks of a class.
func (s *state) forgetClass(c Class) {
	if c != "" {
		s.held = without(s.held, func(h Hold) bool { return h.Class.same(c) })
	}
}

// forget drops what is known of p without saying that it was released.
func (s *state) forget(p flow.Path) {
	s.held = removePath(s.held, p)
}

// without is hs without those that drop selects. It does not change hs, which recorded events share.
func without(hs []Hold, drop func(Hold) bool) []Hold {
	if !slices.ContainsFunc(hs, drop) {
		return hs
	}
	return slices.DeleteFunc(slices.Clone(hs), drop)
}

func removePath(hs []Hold, p flow.Path) []Hold {
	return without(hs, func(h Hold) bool { return h.Path == p })
}

// redefine is called when v is computed again: paths through its old value have no name any more. Otherwise a loop that
// locks each element would seem to lock one element twice.
func (s *state) redefine(v ssa.Value) {
	for k, t := range s.conds {
		if t.by == v {
			delete(s.conds, k)
		}
	}
	gone := func(h Hold) bool {
		return h.Path.Root == v || strings.Contains(h.Path.Sel, "["+v.Name()+"]") ||
			strings.Contains(h.Path.Sel, "["+v.Name()+".")
	}
	s.held, s.dropped = without(s.held, gone), without(s.dropped, gone)
}

// assign is called when the place p is stored to: paths through it name other locks from then on.
func (s *state) assign(p flow.Path) {
	s.held = without(s.held, func(h Hold) bool {
		_, ok := p.Below(h.Path)
		return ok && p.Known()
	})
}

// meet is the meet of the lattice: s keeps what o has, too.
func (s *state) meet(o *state) {
	keep := s.held[:0:0]
	rest := slices.Clone(o.held) // a lock that is held twice for reading has two of its own there, or is held once
	for _, h := range s.held {
		if i := slices.IndexFunc(rest, func(x Hold) bool { return x.Path == h.Path && x.Path.Known() }); i >= 0 {
			h.Mode = min(h.Mode, rest[i].Mode)
			h.Stale = h.Stale || rest[i].Stale
			rest = slices.Delete(rest, i, i+1)
			keep = append(keep, h)
		}
	}
	s.held = keep
	for _, d := range o.dropped {
		if _, ok := find(s.dropped, d.Path); !ok {
			s.dropped = append(s.dropped, d)
		}
	}
	n := 0
	for n < len(s.defers) && n < len(o.defers) && s.defers[n] == o.defers[n] {
		n++
	}
	s.defers = s.defers[:n]
	for k, v := range s.conds {
		if w, ok := o.conds[k]; !ok || w.truth != v.truth {
			delete(s.conds, k)
		}
	}
}

func find(hs []Hold, p flow.Path) (Hold, bool) {
	for _, h := range hs {
		if h.Path == p && p.Known() {
			return h, true
		}
	}
	return Hold{}, false
}
