package lock

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// interpreted is the engine after it has interpreted the functions of src, a text that imports package sync.
func interpreted(t testing.TB, src string) *engine {
	t.Helper()
	pass := ssatest.Pass(t, src)
	pass.Analyzer = Analyzer
	e := newEngine(link.NewUnit[PackageFact](pass))
	e.summarise()
	return e
}

// seen is what the package says of one function, in the words of the naive interpretation.
type seen struct {
	marks  map[int]naiveSet
	events map[int]bool
	kept   map[int]bool // leaks
	all    naiveSet
	gone   map[int]bool
	capped bool
}

// look interprets function f of src with up to states states for a block.
func look(t testing.TB, src string, states int) seen {
	t.Helper()
	defer func(before int) { maxStates = before }(maxStates)
	maxStates = states
	e := interpreted(t, src)
	out := seen{map[int]naiveSet{}, map[int]bool{}, map[int]bool{}, naiveSet{}, map[int]bool{}, strings.Contains(model{e, t}.notes(), "states merged")}
	var fn *ssa.Function
	for _, f := range e.pkg.Funcs {
		if f.Name() == "f" {
			fn = f
		}
	}
	set := func(hs []Hold) naiveSet {
		now := naiveSet{}
		for _, h := range hs {
			if lock := slices.Index(naiveLocks, h.Path.String()); lock >= 0 {
				if m, ok := now[lock]; !ok || h.Mode < m {
					now[lock] = h.Mode
				}
			}
		}
		return now
	}
	line := func(in ssa.Instruction) int { return e.pass.Fset.Position(flow.Pos(in)).Line }
	for c := range flow.Calls(fn) {
		if f := flow.StaticCallee(c.Common()); f != nil && f.Name() == "mark" {
			if held, ok := e.heldAt[c]; ok {
				out.marks[line(c)] = set(held)
			}
		}
	}
	res := e.results[fn]
	for i := range res.Events {
		o := &res.Events[i]
		out.events[line(o.Instr)] = true
		out.marks[line(o.Instr)] = set(o.Held)
	}
	for _, l := range res.Leaks {
		out.kept[slices.Index(naiveLocks, l.Hold.Path.String())] = true
	}
	lockOf := func(r Ref) int {
		root := []string{"s", "v0", "v1", "q"}[r.Param]
		return slices.Index(naiveLocks, root+r.Sel)
	}
	sum := e.summaries[fn]
	for _, h := range sum.Acquired {
		out.all[lockOf(h.Ref)] = h.Mode
	}
	for _, h := range sum.Released {
		out.gone[lockOf(h.Ref)] = true
	}
	return out
}

// unlimited is more states than any function of the test has.
const unlimited = 1 << 20

// differ says how the package contradicts the naive interpretation of the same function; "" where it does not. With exact,
// held sets have to be equal, else there may be less in them.
func differ(want *naiveResult, got seen, exact bool) string {
	for line, w := range want.marks {
		g, ok := got.marks[line]
		if !ok {
			return fmt.Sprintf("line %d is not reached", line)
		}
		for lock, mode := range g {
			if m, ok := w[lock]; !ok || mode > m {
				return fmt.Sprintf("%s is held at line %d (mode %d), and not on every way (mode %d)", naiveLocks[lock], line, mode, m)
			}
		}
		if exact {
			for lock, mode := range w {
				if g[lock] != mode {
					return fmt.Sprintf("%s is held at line %d in mode %d, and not in mode %d", naiveLocks[lock], line, mode, g[lock])
				}
			}
		}
	}
	for line := range got.events {
		if !want.events[line] {
			return fmt.Sprintf("something takes a lock at line %d, on no way", line)
		}
	}
	for line := range want.events {
		if !got.events[line] {
			return fmt.Sprintf("nothing takes a lock at line %d", line)
		}
	}
	for lock := range got.kept {
		if !want.kept[lock] {
			return fmt.Sprintf("%s is left behind, on no way", naiveLocks[lock])
		}
	}
	for lock := range got.all {
		if _, ok := want.all[lock]; !ok {
			return fmt.Sprintf("%s is held at each return, and not on every way", naiveLocks[lock])
		}
	}
	if !exact {
		return ""
	}
	for lock := range want.all {
		if _, ok := got.all[lock]; !ok {
			return fmt.Sprintf("%s is not held at each return, though it is on every way", naiveLocks[lock])
		}
	}
	for lock := range want.gone {
		if !got.gone[lock] {
			return fmt.Sprintf("%s is not released at each return, though it is on every way", naiveLocks[lock])
		}
	}
	for lock := range got.gone {
		if !want.gone[lock] {
			return fmt.Sprintf("%s is released at each return, and not on every way", naiveLocks[lock])
		}
	}
	return ""
}

var (
	functions = flag.Int("functions", 600, "how many random functions are interpreted twice")
	first     = flag.Uint64("first", 0, "the seed of the first one")
)

// naiveKnown are seeds of functions that are known to be interpreted in two ways, with the reason.
var naiveKnown = map[uint64]string{}

// TestNaive holds the interpretation of random functions against the naive one: with any number of states, what is held is
// what is held on every way; with the number that there is, nothing else.
func TestNaive(t *testing.T) {
	compared, equal, capped, tooMany := 0, 0, 0, 0
	for seed := *first; seed < *first+uint64(*functions); seed++ {
		body := naiveFunction(rand.NewPCG(seed, 12), seed%4 == 0)
		out := hold(t, body)
		switch {
		case !out.compared:
			tooMany++
			continue
		case out.why != "" && naiveKnown[seed] == "":
			t.Errorf("seed %d: %s\n%s", seed, out.why, numbered(naiveSource(body)))
		}
		compared++
		if out.exact {
			equal++
		}
		if out.capped {
			capped++
		}
	}
	t.Logf("%d functions compared, %d of them for equality, %d with states that were merged; %d had too many ways", compared, equal, capped, tooMany)
	if equal < *functions*3/4 || capped < *functions/20 {
		t.Errorf("the generator has lost its balance")
	}
}

// What is known is still so; what is fixed goes away.
func TestNaiveKnown(t *testing.T) {
	for seed, reason := range naiveKnown {
		if out := hold(t, naiveFunction(rand.NewPCG(seed, 12), seed%4 == 0)); out.why == "" {
			t.Errorf("seed %d: it is not so any more that %s", seed, reason)
		}
	}
}

// naiveFunction is a random function; with many, one that leaves more states behind than are kept.
func naiveFunction(src rand.Source, many bool) []*naiveStmt {
	g := &naiveGen{Rand: rand.New(src), blocks: 12}
	if many {
		g.blocks = 6
		return append(g.many(), g.list(0)...)
	}
	return g.list(0)
}

// An outcome is what came out for one function.
type outcome struct {
	compared bool   // it has not too many ways
	exact    bool   // for equality
	capped   bool   // states were merged
	why      string // what does not fit
}

// hold compares both interpretations of a function.
func hold(t testing.TB, body []*naiveStmt) outcome {
	t.Helper()
	src := naiveSource(body)
	want, ok := naively(body)
	if !ok {
		return outcome{}
	}
	all, limited := look(t, src, unlimited), look(t, src, maxStates)
	out := outcome{compared: true, exact: !once(body, false), capped: limited.capped}
	if out.why = differ(want, all, out.exact); out.why == "" {
		if out.why = differ(want, limited, false); out.why != "" {
			out.why += ", with few states"
		}
	}
	return out
}

// byteSource draws from bytes, and when they are used up, from a fixed sequence.
type byteSource struct {
	data []byte
	n    uint64
}

// Uint64 is the next number.
func (b *byteSource) Uint64() uint64 {
	b.n++
	x := b.n * 0x9e3779b97f4a7c15
	if len(b.data) > 0 {
		x = uint64(b.data[0])<<56 | x>>8
		b.data = b.data[1:]
	}
	return x
}

// FuzzNaive looks for functions that the two interpret in different ways.
func FuzzNaive(f *testing.F) {
	for _, data := range []string{"", "some bytes", "and some more of them, which make another function"} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		body := naiveFunction(&byteSource{data: data}, len(data)%4 == 3)
		if out := hold(t, body); out.why != "" {
			t.Errorf("%s\n%s", out.why, numbered(naiveSource(body)))
		}
	})
}

// numbered is function f of src with the numbers of its lines.
func numbered(src string) string {
	var b strings.Builder
	inside := false
	for i, l := range strings.Split(src, "\n") {
		inside = inside || strings.HasPrefix(l, "func (s *S) f(")
		if inside {
			fmt.Fprintf(&b, "%3d %s\n", i+1, l)
		}
	}
	return b.String()
}
