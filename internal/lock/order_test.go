package lock

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// An edge of the tables is spelled "a>b": a write-held lock a, and the write acquisition of b. "a:r>b" holds a for
// reading, "a>b:r" acquires b for reading, and what follows a slash are gates: "a>b/g,h".
func edgesOf(t testing.TB, spec string) []Edge {
	t.Helper()
	var out []Edge
	for i, s := range strings.Fields(spec) {
		s, gates, gated := strings.Cut(s, "/")
		from, to, ok := strings.Cut(s, ">")
		if !ok {
			t.Fatalf("%q is no edge", s)
		}
		e := Edge{pos: token.Pos(i + 1), FromMode: Write, ToMode: Write}
		side := func(s string, m *Mode) Class {
			name, reads := strings.CutSuffix(s, ":r")
			if reads {
				*m = Read
			}
			return Class(name)
		}
		e.From, e.To = side(from, &e.FromMode), side(to, &e.ToMode)
		if gated {
			for g := range strings.SplitSeq(gates, ",") {
				e.Gates = append(e.Gates, Class(g))
			}
		}
		out = append(out, e)
	}
	return out
}

// spell is the cycles as "a>b>a", one a word.
func spell(cycles []Cycle) string {
	var out []string
	for _, c := range cycles {
		s := string(c[0].From)
		for _, e := range c {
			s += ">" + string(e.To)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestCycles(t *testing.T) {
	for _, test := range []struct {
		name    string
		own     string // edges of the package
		imports string // edges of those that it imports
		writers string
		want    string
	}{
		{"no edges", "", "", "", ""},
		{"one order", "a>b b>c a>c", "", "", ""},
		{"two locks", "a>b b>a", "", "", "a>b>a"},
		{"three locks", "a>b b>c c>a", "", "", "a>b>c>a"},
		{"four locks", "a>b b>c c>d d>a", "", "", "a>b>c>d>a"},
		{"five locks are too many to follow", "a>b b>c c>d d>e e>a", "", "", ""},
		{"the short way is told", "a>b b>c c>a b>a", "", "", "a>b>a"},
		{"the short way is told, though the long one is found first", "c>a a>b b>c b>a", "", "", "a>b>a"},
		{"two cycles apart", "a>b b>a c>d d>c", "", "", "a>b>a c>d>c"},
		{"two cycles that share a lock", "a>b b>a b>c c>b", "", "", "a>b>a b>c>b"},
		{"two cycles that share an edge", "a>b b>c c>a c>d d>a", "", "", "a>b>c>a"},
		{"one edge closes three cycles", "x>a a>b b>x a>c c>x a>d d>x", "", "", "a>b>x>a"},
		{"a way into a cycle and one out of it", "x>a a>b b>a b>y", "", "", "a>b>a"},
		{"an edge from a cycle to another", "a>b b>a b>c c>d d>c", "", "", "a>b>a c>d>c"},

		{"readers only", "a:r>b:r b:r>a:r", "", "", ""},
		{"readers and a writer of both", "a:r>b:r b:r>a:r", "", "a b", "a>b>a"},
		{"readers and a writer of one", "a:r>b:r b:r>a:r", "", "a", ""},
		{"readers of one lock, and a writer of another", "a:r>b b>a:r", "", "", ""},
		{"a reader waits for a writer, and a writer for a reader", "a:r>b:r b>a", "", "", "a>b>a"},
		{"all acquire for writing", "a:r>b b:r>a", "", "", "a>b>a"},
		{"all hold for writing", "a>b:r b>a:r", "", "", "a>b>a"},
		{"readers meet in the middle of three", "a>b:r b:r>c c>a", "", "", ""},
		{"a writer in the middle of three", "a>b:r b:r>c c>a", "", "b", "a>b>c>a"},
		{"readers where the ends meet", "a:r>b b>a:r", "", "b", ""},
		{"readers in one function, a writer in another", "a:r>b:r a>b b>a:r", "", "", "a>b>a"},

		{"a gate", "a>b/g b>a/g", "", "", ""},
		{"a gate on one side", "a>b/g b>a", "", "", "a>b>a"},
		{"two gates", "a>b/g b>a/h", "", "", "a>b>a"},
		{"one gate among others", "a>b/x,g b>a/g,y", "", "", ""},
		{"a gate of neighbours among three", "a>b/g b>c/g c>a", "", "", ""},
		{"a gate of the ends of three", "a>b/g b>c c>a/g", "", "", ""},
		{"a gate of opposite edges of four", "a>b/g b>c c>d/g d>a", "", "", ""},
		{"a gated and a free way", "a>b/g b>a/g b>a", "", "", "a>b>a"},
		{"a gated way, and a longer free one", "a>b/g b>a/g b>c c>a", "", "", "a>b>c>a"},

		{"edges of imports only", "", "a>b b>a", "", ""},
		{"a cycle of imports beside an own edge", "x>y", "a>b b>a", "", ""},
		{"an own edge that leads to a cycle of imports", "x>a", "a>b b>a", "", ""},
		{"an own edge that leads out of a cycle of imports", "a>x", "a>b b>a", "", ""},
		{"an own edge and an import's", "a>b", "b>a", "", "a>b>a"},
		{"an own edge closes a cycle of imports", "c>a", "a>b b>c", "", "c>a>b>c"},
		{"an import says the same", "a>b", "a>b", "", ""},
		{"an import says the same, and the other", "a>b", "a>b b>a", "", "a>b>a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			edges := edgesOf(t, test.own+" "+test.imports)
			own := len(strings.Fields(test.own))
			for i := range edges[own:] {
				edges[own+i].pos = token.NoPos
			}
			writers := strings.Fields(test.writers)
			writer := func(c Class) bool { return slices.Contains(writers, string(c)) }
			if got := spell(findCycles(edges, own, writer, func(string, any) {})); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// What is told must not hang on the order in which edges are found, where no two cycles are as good: facts of imports
// come in any order.
func TestCyclesInAnyOrder(t *testing.T) {
	edges := edgesOf(t, "a>b b>a c>d d>e e>c p>q q>r r>s s>p x>y y>z v>a/g d>u u>w")
	const want = "a>b>a c>d>e>c p>q>r>s>p"
	none := func(Class) bool { return false }
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if got := spell(findCycles(edges, len(edges), none, func(string, any) {})); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// Many edges take time that can be waited for, and what is told of them is right.
func TestCyclesOfManyEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, classes := range []int{40, 300, 5000} {
		t.Run(fmt.Sprintf("%d locks", classes), func(t *testing.T) {
			var edges []Edge
			for len(edges) < 5000 {
				from, to := random.IntN(classes), random.IntN(classes)
				if from == to {
					continue
				}
				e := Edge{
					From: Class(fmt.Sprint(from)), To: Class(fmt.Sprint(to)), pos: token.Pos(len(edges) + 1),
					FromMode: Mode(1 + random.IntN(2)), ToMode: Mode(1 + random.IntN(2)),
				}
				if random.IntN(3) == 0 {
					e.Gates = []Class{Class(fmt.Sprint("gate", random.IntN(3)))}
				}
				edges = append(edges, e)
			}
			writer := func(c Class) bool { return strings.HasSuffix(string(c), "7") }
			done := make(chan []Cycle, 1)
			given := false
			go func() {
				done <- findCycles(edges, 4000, writer, func(what string, _ any) { given = given || strings.HasPrefix(what, "searches") })
			}()
			var cycles []Cycle
			select {
			case cycles = <-done:
			case <-time.After(2 * time.Minute):
				t.Fatal("no answer in two minutes")
			}
			if len(cycles) == 0 && classes <= 300 {
				t.Error("no cycles")
			}
			if given != (classes <= 300) {
				t.Errorf("that the search was cut short is said: %v", given)
			}
			told := map[pair]bool{}
			for i, c := range cycles {
				if len(c) < 2 || len(c) > maxCycle {
					t.Errorf("%s has %d edges", spell(cycles[i:i+1]), len(c))
				}
				if i > 0 && cycles[i-1][0].pos > c[0].pos {
					t.Errorf("%s comes before %s", spell(cycles[i-1:i]), spell(cycles[i:i+1]))
				}
				own := false
				gates := map[Class]bool{}
				for j, e := range c {
					own = own || e.pos <= 4000
					next := c[(j+1)%len(c)]
					if e.To != next.From {
						t.Errorf("%s is broken", spell(cycles[i:i+1]))
					}
					if e.ToMode == Read && next.FromMode == Read && !writer(e.To) {
						t.Errorf("%s: nobody waits for %s", spell(cycles[i:i+1]), e.To)
					}
					for _, g := range e.Gates {
						if gates[g] {
							t.Errorf("%s is gated by %s", spell(cycles[i:i+1]), g)
						}
						gates[g] = true
					}
					if told[pair{e.From, e.To}] {
						t.Errorf("%s>%s is in two cycles", e.From, e.To)
					}
					told[pair{e.From, e.To}] = true
				}
				if !own {
					t.Errorf("%s has no edge of the package", spell(cycles[i:i+1]))
				}
			}
		})
	}
}
