package lock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/ssatest"
)

// lines is format for each number from 0 up to n, one a line.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// Where a block has too many states, what they have in common is what goes on. The last way to come to A is that of the
// first test, in front of all others.
func TestManyStates(t *testing.T) {
	for _, test := range []struct {
		name        string
		first, last string // what is done in front of the test, and on its way
		want        string
	}{
		{"all hold it", "s.mu.Lock()", "", "A[s.mu] f!s.mu f+s.mu"},
		{"the last one does not", "s.mu.Lock()", "s.mu.Unlock()", "A[] f!s.mu"},
		{"the last one alone does", "", "s.mu.Lock()", "A[]"},
		{"the last one holds it for reading", "s.rw.Lock()", "s.rw.Unlock(); s.rw.RLock()", "A[s.rw:r] f!s.rw f+s.rw"},
		{"the last one releases the caller's", "", "s.mu.Unlock()", "A[] f~s.mu"},
		// Known: it is said to be released on all ways, since what some way released is kept for all.
		{"the last one takes the caller's again", "s.mu.Unlock()", "s.mu.Lock()", "A[] f-s.mu"},
		// Known: it is said to be held at all exits, since deferred calls that are not common to all are forgotten.
		{"the last one has deferred the release", "s.mu.Lock()", "defer s.mu.Unlock()", "A[s.mu] f!s.mu f+s.mu"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := modelOf(t, lines(4, "var m# sync.Mutex")+"func f(s *T) {\n"+test.first+"\nif cond() { "+test.last+"; goto done }\n"+
				lines(4, "if cond() { m#.Lock() }")+"done: _ = A }")
			got := m.facts()
			for i := range 4 { // that these leak is right, and not the question
				got = strings.ReplaceAll(got, fmt.Sprintf(" f!m%d", i), "")
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if notes := m.notes(); !strings.Contains(notes, "states merged") {
				t.Errorf("no states are merged: %s", notes)
			}
		})
	}
}

// A function of a call cycle is looked at again as long as there is something new, however often there was nothing new of it: the last of these takes the
// lock, each of the others calls the next one, from which it has that, and is looked at whenever one of those has changed that it starts in goroutines.
func TestNothingNew(t *testing.T) {
	const n = 9
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func f%d(s *T) {\n", i)
		if i == n-1 {
			b.WriteString("s.mu.Lock(); s.mu.Unlock(); go f0(s)\n")
		} else {
			fmt.Fprintf(&b, "f%d(s)\n", i+1)
		}
		for j := i + 2; j < n; j++ {
			fmt.Fprintf(&b, "go f%d(s)\n", j)
		}
		b.WriteString("}\n")
	}
	m := modelOf(t, b.String())
	for i := range n {
		if got := len(m.summaries[m.fn(fmt.Sprintf("f%d", i))].Acquires); got != 1 {
			t.Errorf("f%d takes %d locks, want 1", i, got)
		}
	}
	if notes := m.notes(); strings.Contains(notes, "call cycles") {
		t.Errorf("something is cut short: %s", notes)
	}
}

// What is cut short lies where the documentation says, is counted, and takes away what was known instead of adding to it.
func TestLimits(t *testing.T) {
	// Each is tried with the largest number that is followed, and with one more. The numbers are spelled here, so that a
	// limit that is moved is noticed.
	for _, test := range []struct {
		name  string
		limit int
		src   func(n int) string
		at    func(m model) string // what is asked of the model
		below string
		above string
		cut   string // what is said of it; "" where there is no limit
	}{
		{
			"events of a summary", 48,
			func(n int) string {
				return lines(n, "var m# sync.Mutex") + "func g() {\n" + lines(n, "m#.Lock(); m#.Unlock()") + "}\nfunc f() { g() }"
			},
			func(m model) string { return fmt.Sprint(len(m.results[m.fn("f")].Events)) },
			"48", "48", tooManyEvents,
		},
		{
			"a chain of calls", 10,
			func(n int) string {
				return ssatest.Chain(n, "(s *T)", "s", "s.mu.Lock(); s.mu.Unlock()") + "func f(s *T) { f1(s) }"
			},
			func(m model) string { return m.events() }, "lock s.mu []", "", "call chains were cut",
		},
		{
			"locks that are held at once", 128,
			func(n int) string {
				return lines(n, "var m# sync.Mutex") + "func f() {\n" + lines(n, "m#.Lock()") + "_ = A\n}"
			},
			func(m model) string { return fmt.Sprint(len(m.summaries[m.fn("f")].Acquired)) },
			"128", "0", "hold too many locks",
		},
		{
			"outcomes of tests", 64,
			func(n int) string {
				return lines(n, "var v# bool") + "func f(s *T) {\n" + lines(n, "v# = true") + "if cond() { cond() }\n" +
					"if v0 { s.mu.Lock() }\n_ = A\n" + lines(n, "if v# { cond() }") + "}"
			},
			model.facts, "A[s.mu] f!s.mu f+s.mu", "A[]", "depend on too many tests",
		},
		{
			"phis that a flag comes through", 6,
			func(n int) string {
				return "func f(s *T) { b := false\n" + strings.Repeat("for cond() {\n", n) + "if cond() { s.mu.Lock(); b = true }\n" +
					strings.Repeat("}\n", n) + "if b { _ = A; s.mu.Unlock() } }"
			},
			func(m model) string { return m.facts()[:strings.Index(m.facts(), "]")+1] }, "A[s.mu]", "A[s.mu]", "",
		},
		{
			"guards of an event", 4,
			func(n int) string {
				params := strings.ReplaceAll(strings.TrimSpace(lines(n, "b# bool,")), "\n", " ")
				return "func g(s *T, " + params + ") {\n" + lines(n, "if b# {") + "s.mu.Lock(); s.mu.Unlock()\n" + lines(n, "}") + "}\n" +
					"func f(s *T) { g(s" + strings.Repeat(", true", n) + ") }"
			},
			func(m model) string { return m.events() }, "lock s.mu []", "", "too many parameters",
		},
		{
			"ways to a place", 16,
			func(n int) string {
				return waiter + "func g(s *T) { s.ch <- 1 }\n" + lines(n, "func c#(s *T) { s.mu.Lock(); g(s); s.mu.Unlock() }")
			},
			stuck, "c0", "", "in too many ways",
		},
		{
			"callers above a place", 5,
			func(n int) string {
				return waiter + ssatest.Chain(n, "(s *T)", "s", "s.ch <- 1") + "func top(s *T) { s.mu.Lock(); defer s.mu.Unlock(); f1(s) }"
			},
			stuck, "top", "", "too many callers",
		},
		{
			"waits for goroutines that wait for goroutines", 12,
			func(n int) string {
				return waiter + "func g(s *T) {\n" + lines(n, "c# := make(chan int); go func() {") + "s.mu.Lock(); s.mu.Unlock()\n" +
					upwards(n, "c# <- 1 }(); <-c#") + "s.ch <- 1 }"
			},
			stuck, "g", "g", "",
		},
		{
			"growths on a call cycle", 3,
			func(n int) string {
				params := strings.Join(strings.Fields(lines(n, "p#")), ", ")
				return "func f(" + params + " *T) { p0.mu.Lock(); p0.mu.Unlock(); f(" + strings.TrimPrefix(params+", p0", "p0, ") + ") }"
			},
			func(m model) string { return fmt.Sprint(len(m.summaries[m.fn("f")].Acquires)) }, "3", "4", "call cycles",
		},
		{
			"functions that are handed to a callee", 3,
			func(n int) string {
				return "func run(g func()) { g() }\nfunc f(n int, s *T) { g := []func(){\n" + lines(n, "func() { _ = #; s.mu.Lock(); s.mu.Unlock() },") + "}; run(g[n]) }"
			},
			func(m model) string { return m.events() }, strings.TrimSuffix(strings.Repeat("lock s.mu []; ", 3), "; "), "", "too many functions",
		},
		{
			"functions that take two locks in one order", 12,
			func(n int) string {
				return lines(n, "func c#(s *T) { s.mu.Lock(); s.nu.Lock(); s.nu.Unlock(); s.mu.Unlock() }")
			},
			func(m model) string { return fmt.Sprint(len(m.edges()[0].More())) }, "11", "11", "than are named",
		},
		{
			"locks of callers", 16,
			func(n int) string {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "var m%d sync.Mutex\nfunc f%d() { m%d.Lock(); f%d(); m%d.Unlock() }\n", i, i, i, i+1, i)
				}
				return fmt.Sprintf("%sfunc f%d() { g() }\nfunc g() {}", b.String(), n)
			},
			func(m model) string { return fmt.Sprint(len(m.heldByCallers(m.fn("g")))) }, "16", "16", "held than are compared",
		},
		{
			"edges that others are told of", 256,
			func(n int) string {
				return lines(n, "var m#, n# sync.Mutex\nfunc c#() { m#.Lock(); n#.Lock(); n#.Unlock(); m#.Unlock() }")
			},
			func(m model) string {
				return fmt.Sprint(len(m.order(&Result{Writers: m.writers()}).Edges))
			},
			"256", "256", "more edges",
		},
		{
			"locks of a cycle", 4,
			func(n int) string {
				var b strings.Builder
				for i := range n {
					fmt.Fprintf(&b, "var m%d sync.Mutex\nfunc c%d() { m%d.Lock(); m%d.Lock(); m%d.Unlock(); m%d.Unlock() }\n", i, i, i, (i+1)%n, (i+1)%n, i)
				}
				return b.String()
			},
			func(m model) string {
				res := &Result{Writers: m.writers()}
				m.order(res)
				return fmt.Sprint(len(res.Cycles))
			},
			"1", "0", "order cycles",
		},
		{
			"places that can end a wait", 256,
			func(n int) string {
				return waiter + lines(n, "func c#(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }")
			},
			stuck, "c0", "", "from too many places",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, over := range []int{0, 1} {
				m := modelOf(t, test.src(test.limit+over))
				want := test.below
				if over > 0 {
					want = test.above
				}
				if got := test.at(m); got != want {
					t.Errorf("%d: got %q, want %q", test.limit+over, got, want)
				}
				if notes := m.notes(); strings.Contains(notes, test.cut) != (over > 0 || test.cut == "") || test.cut == "" && notes != "" {
					t.Errorf("%d: is said to be cut: %q", test.limit+over, notes)
				}
			}
		})
	}
}

// waiter is a function that waits under a lock.
const waiter = "func newT() *T { return &T{ch: make(chan int)} }\nfunc f(s *T) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }\n"

// upwards is lines from n-1 down to 0.
func upwards(n int, format string) string {
	all := strings.SplitAfter(lines(n, format), "\n")
	var b strings.Builder
	for i := n - 1; i >= 0; i-- {
		b.WriteString(all[i])
	}
	return b.String()
}
