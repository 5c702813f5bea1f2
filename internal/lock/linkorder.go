package lock

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/link"
)

// The order of locks over a program is that of its packages, and of what they call through others. A cycle that one
// package sees with those below it has been reported there.

// acquire adds the edges to the lock a, which is acquired through hops.
func (s *search) acquire(a *AcquireEvent, hops []Hop) {
	if a.Lock.Class == "" || chosen(a.Guards) || s.many[a.Lock.Class.owner()] || s.delegates {
		return
	}
	ev := a.Event
	ev.Chain = slices.Concat(hops, ev.Chain)
	held := s.heldAround(s.from, &ev)
	for _, h := range held {
		if h.Class == a.Lock.Class {
			continue
		}
		edge := Edge{
			From: h.Class, To: a.Lock.Class, FromMode: h.Mode, ToMode: a.Mode, Func: s.from.Func,
			ToAt: a.At, Chain: ev.Chain, At: s.from.At, Taken: h.Taken, Name: h.Name,
		}
		for _, g := range held {
			if g.Class != edge.From && g.Class != edge.To {
				edge.Gates = append(edge.Gates, g.Class)
			}
		}
		s.edges = append(s.edges, edge)
	}
}

// cycles are those of the program that none of its packages sees.
func (j *linker) cycles(writer func(Class) bool) []Cycle {
	joined := len(j.edges)
	edges := j.edges
	for _, p := range j.pkgs {
		edges = append(edges, p.Part.Edges...)
	}
	return slices.DeleteFunc(findCycles(edges, len(edges), writer, j.cut), func(c Cycle) bool {
		if c[0].Quiet || slices.ContainsFunc(c, func(e Edge) bool { return j.many[e.From.owner()] }) {
			return true
		}
		through := slices.ContainsFunc(c, func(e Edge) bool {
			return slices.ContainsFunc(j.edges[:joined],
				func(o Edge) bool { return o.At == e.At && o.ToAt == e.ToAt && o.From == e.From })
		})
		return !through && slices.ContainsFunc(c, func(e Edge) bool {
			return !slices.ContainsFunc(c, func(o Edge) bool { return !j.sees(e.At.Package(), o.At.Package()) })
		})
	})
}

// sees reports whether the package with the path from is to, or imports it, directly or not.
func (j *linker) sees(from, to string) bool {
	if j.below == nil {
		j.below = map[string]map[string]bool{}
		for _, p := range j.pkgs { // sorted by path, not by import
			j.belowOf(p.Path)
		}
	}
	return from == to || j.below[from][to]
}

// belowOf are the packages that the one with that path imports, directly or not.
func (j *linker) belowOf(path string) map[string]bool {
	if b, ok := j.below[path]; ok {
		return b
	}
	b := map[string]bool{}
	j.below[path] = b
	i := slices.IndexFunc(j.pkgs, func(s *link.Summary[PackageFact]) bool { return s.Path == path })
	if i < 0 {
		return b
	}
	for _, to := range j.pkgs[i].Part.Imports {
		b[to] = true
		for t := range j.belowOf(to) {
			b[t] = true
		}
	}
	return b
}
