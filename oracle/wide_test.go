package oracle

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// The wide programs of some seeds have all shapes between them, and what the rules say of them is borne out, or known not to
// be.
func TestWidePrograms(t *testing.T) {
	const programs = 400
	known, err := AllKnown()
	if err != nil {
		t.Fatal(err)
	}
	compared, hang := 0, 0
	has, covered := map[string]int{}, map[string]int{}
	for seed := range uint64(programs) {
		p := GenerateWide(Seeded(seed))
		if !p.scoped() {
			t.Errorf("seed %d names what it does not have:\n%s", seed, Emit(p, Form{Package: "program"}).Source)
			continue
		}
		once := map[*Stmt]bool{}
		p.each(func(s *Stmt) {
			if once[s] {
				t.Errorf("seed %d: a statement stands in two places, and has one line", seed)
			}
			once[s] = true
		})
		c := compare(t, p)
		if c == nil {
			continue
		}
		compared++
		if c.Run.Hangs() {
			hang++
		}
		features(p, has)
		for _, d := range c.Disagreements {
			if i := slices.IndexFunc(known, func(k Known) bool { return k.Covers(d) }); i >= 0 {
				covered[known[i].Name]++
			}
		}
	}
	t.Logf("%d of %d programs compared, %d of them hang: %v, %v", compared, programs, hang, has, covered)
	if compared < programs*3/4 || hang < compared/3 || hang > compared*4/5 {
		t.Errorf("%d of %d programs compared, %d hang: the generator has lost its balance", compared, programs, hang)
	}
	for _, f := range []Op{Make, Invoke, InvokeLate, Start, Await, Subscribe, Publish, "returned", "guarded", "paced", "constructor", "own send", "own wait"} {
		if has[string(f)] == 0 {
			t.Errorf("no program has %s", f)
		}
	}
	if want := map[string]int{}; !maps.Equal(covered, want) {
		t.Errorf("known disagreements: %v, want %v", covered, want)
	}
}

// features counts in has what p is made of.
func features(p *Program, has map[string]int) {
	if p.Paced {
		has["paced"]++
	}
	if p.makes() {
		has["constructor"]++
	}
	p.each(func(s *Stmt) {
		has[string(s.Op)]++
		if s.N == Own {
			has[fmt.Sprintf("own %s", s.Op)]++
		}
		if name := map[Style]string{Returned: "returned", Guarded: "guarded"}[s.Style]; name != "" {
			has[name]++
		}
	})
}

// Shrinking takes away what only wide programs have, too.
func TestShrinkWide(t *testing.T) {
	for seed := range uint64(40) {
		p := GenerateWide(Seeded(seed))
		p.Locks = append(p.Locks, Lock{})
		m := len(p.Locks) - 1
		p.Goroutines = append(p.Goroutines, []*Stmt{op(Acquire, m)})
		has := func(q *Program) bool {
			found := 0
			q.each(func(s *Stmt) {
				if s.Op == Acquire && s.Style == Plain && s.N >= 0 {
					found++
				}
			})
			_, err := Explore(q)
			return found > 0 && !errors.Is(err, ErrUnscoped)
		}
		small := Shrink(p, has)
		n := 0
		small.each(func(*Stmt) { n++ })
		if n != 1 || len(small.Funcs)+len(small.Goroutines) != 1 || small.Item != nil || small.Groups != 0 || small.Paced {
			t.Errorf("seed %d: one statement is enough:\n%s", seed, Emit(small, Form{Package: "program"}).Source)
		}
	}
}
