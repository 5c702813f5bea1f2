package lock

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// A change is something that can happen to a state.
type change struct {
	do    func(*state)
	takes *Hold // for the acquisition of a lock
}

// stops reports whether nobody comes past the change, because of what is held in s.
func (c change) stops(s *state) bool {
	if c.takes == nil {
		return false
	}
	h, ok := find(s.held, c.takes.Path)
	return ok && (h.Mode == Write || c.takes.Mode == Write)
}

// changes are those of random functions: over three locks, two of one class, and two tests.
type changes struct {
	*rand.Rand
	roots  []ssa.Value
	defers []*ssa.Defer

	// Calls that may have put another object into a place are among the changes. What is held then is a guess: an Unlock by
	// another name releases the last one that may be meant, so that where two ways meet less is lost than on each.
	calls bool
}

func newChanges(seed uint64) *changes {
	return &changes{rand.New(rand.NewPCG(seed, 34)), []ssa.Value{new(ssa.Parameter), new(ssa.Parameter)}, []*ssa.Defer{new(ssa.Defer), new(ssa.Defer)}, false}
}

func (c *changes) lock() (flow.Path, Class) {
	switch c.IntN(3) {
	case 0:
		return flow.Path{Root: c.roots[0], Sel: ".a"}, "p.S.a"
	case 1:
		return flow.Path{Root: c.roots[0], Sel: ".b"}, "p.T.b"
	}
	return flow.Path{Root: c.roots[1], Sel: ".b"}, "p.T.b"
}

// one is a random change.
func (c *changes) one() change {
	p, class := c.lock()
	mode := Mode(1 + c.IntN(2))
	test, truth := fmt.Sprint("test", c.IntN(2)), c.IntN(2) == 0
	late := c.defers[c.IntN(len(c.defers))]
	// A lock of the caller's is released in one mode only: the runtime reports a lock that was taken in another one.
	drops := Write
	if class == "p.S.a" {
		drops = Read
	}
	kinds := 20
	if c.calls {
		kinds++
	}
	switch k := c.IntN(kinds); {
	case k < 7:
		h := Hold{Path: p, Class: class, Mode: mode}
		return change{func(s *state) { s.acquire(h) }, &h}
	case k < 14:
		return change{do: func(s *state) { s.release(p, drops, class) }}
	case k < 15:
		return change{do: func(s *state) { s.forget(p) }}
	case k < 16:
		return change{do: func(s *state) { s.forgetClass(class) }}
	case k < 17:
		return change{do: func(s *state) { s.assign(p) }}
	case k < 19:
		return change{do: func(s *state) { s.decide(test, truth, nil) }}
	case k >= 20: // a call that may have put another object there
		return change{do: func(s *state) {
			for i, h := range s.held {
				s.held[i].Stale = h.Stale || h.Path == p
			}
		}}
	}
	return change{do: func(s *state) { s.defers = append(s.defers, late) }}
}

func (c *changes) some(n int) []change {
	var out []change
	for range c.IntN(n + 1) {
		out = append(out, c.one())
	}
	return out
}

func (c *changes) state() *state {
	s := &state{}
	for _, do := range c.some(8) {
		do.do(s)
	}
	return s
}

// locked is what is held, and how often in which mode.
func locked(s *state) map[flow.Path][2]int {
	out := map[flow.Path][2]int{}
	for _, h := range s.held {
		n := out[h.Path]
		n[h.Mode-1]++
		out[h.Path] = n
	}
	return out
}

// content is all that a state says, for comparison.
func content(s *state) string {
	var conds []string
	for _, k := range slices.Sorted(maps.Keys(s.conds)) {
		conds = append(conds, fmt.Sprint(k, s.conds[k].truth))
	}
	lost := map[flow.Path]bool{}
	for _, d := range s.dropped {
		lost[d.Path] = true
	}
	var late []string
	for _, d := range s.defers {
		late = append(late, fmt.Sprintf("%p", d))
	}
	return fmt.Sprint(locked(s), lost, conds, late)
}

func met(a, b *state) *state {
	m := a.clone()
	m.meet(b.clone())
	return m
}

const laws = 6000

// Meeting is an intersection: the order of the states makes no difference.
func TestMeetIsIntersection(t *testing.T) {
	c := newChanges(1)
	for range laws {
		x, y, z := c.state(), c.state(), c.state()
		if got := content(met(x, x)); got != content(x) {
			t.Fatalf("a state that meets itself is another one:\n%s\n%s", got, content(x))
		}
		if a, b := content(met(x, y)), content(met(y, x)); a != b {
			t.Fatalf("what two states have in common depends on their order:\n%s\n%s\nof\n%s\n%s", a, b, content(x), content(y))
		}
		if a, b := content(met(met(x, y), z)), content(met(x, met(y, z))); a != b {
			t.Fatalf("what three states have in common depends on their order:\n%s\n%s\nof\n%s\n%s\n%s", a, b, content(x), content(y), content(z))
		}
	}
}

// Whatever comes after a meeting, no lock is held that is not held after each of the states that met.
func TestMeetOnlyLoses(t *testing.T) {
	c := newChanges(2)
	for range laws {
		x, y, future := c.state(), c.state(), c.some(6)
		m := met(x, y)
		for _, do := range append([]change{{do: func(*state) {}}}, future...) {
			if do.stops(x) || do.stops(y) {
				break
			}
			do.do(m)
			do.do(x)
			do.do(y)
			for p, n := range locked(m) {
				for _, s := range []*state{x, y} {
					if o := locked(s)[p]; n[1] > o[1] || n[0]+n[1] > o[0]+o[1] {
						t.Fatalf("%s is held more than before:\n%s\nof\n%s\n%s", p, content(m), content(x), content(y))
					}
				}
			}
		}
	}
}

// States with one key have one future.
func TestKeyTellsStatesApart(t *testing.T) {
	c := newChanges(3)
	c.calls = true
	byKey := map[string]*state{}
	same := 0
	for range laws {
		s := c.state()
		other, ok := byKey[s.key()]
		if !ok {
			byKey[s.key()] = s
			continue
		}
		same++
		x, y := s.clone(), other.clone()
		for _, do := range append([]change{{do: func(*state) {}}}, c.some(6)...) {
			do.do(x)
			do.do(y)
			if a, b := content(x), content(y); a != b {
				t.Fatalf("two states with the key %s differ later:\n%s\n%s", s.key(), a, b)
			}
		}
	}
	if same < laws/10 {
		t.Errorf("only %d states had the key of another one", same)
	}
}

// A lock that may be another one on one of two ways may be another one where they meet.
func TestMeetKeepsStale(t *testing.T) {
	c := newChanges(4)
	hold := Hold{Path: flow.Path{Root: c.roots[0], Sel: ".b"}, Class: "p.T.b", Mode: Write}
	for _, on := range []int{0, 1} {
		ways := []*state{{held: []Hold{hold}}, {held: []Hold{hold}}}
		ways[on].held[0].Stale = true
		if m := met(ways[0], ways[1]); len(m.held) != 1 || !m.held[0].Stale {
			t.Errorf("stale on way %d, and then %+v", on, m.held)
		}
	}
}
