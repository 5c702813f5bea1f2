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
			if m.caps.States == 0 {
				t.Error("no states are merged")
			}
		})
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
		cuts  func(Caps) int // nil for a limit that is not counted
	}{
		{
			"events of a summary", 48,
			func(n int) string {
				return lines(n, "var m# sync.Mutex") + "func g() {\n" + lines(n, "m#.Lock(); m#.Unlock()") + "}\nfunc f() { g() }"
			},
			func(m model) string { return fmt.Sprint(len(m.results[m.fn("f")].Events)) },
			"48", "48", func(c Caps) int { return c.Events },
		},
		{
			"a chain of calls", 10,
			func(n int) string {
				return ssatest.Chain(n, "(s *T)", "s", "s.mu.Lock(); s.mu.Unlock()") + "func f(s *T) { f1(s) }"
			},
			func(m model) string { return m.events("f") }, "lock s.mu []", "", func(c Caps) int { return c.Hops },
		},
		{
			"locks that are held at once", 128,
			func(n int) string {
				return lines(n, "var m# sync.Mutex") + "func f() {\n" + lines(n, "m#.Lock()") + "_ = A\n}"
			},
			func(m model) string { return fmt.Sprint(len(m.summaries[m.fn("f")].Acquired)) },
			"128", "0", func(c Caps) int { return c.Crowded },
		},
		{
			"outcomes of tests", 64,
			func(n int) string {
				return lines(n, "var v# bool") + "func f(s *T) {\n" + lines(n, "v# = true") + "if cond() { cond() }\n" +
					"if v0 { s.mu.Lock() }\n_ = A\n" + lines(n, "if v# { cond() }") + "}"
			},
			model.facts, "A[s.mu] f!s.mu f+s.mu", "A[]", func(c Caps) int { return c.Conds },
		},
		{
			"phis that a flag comes through", 8,
			func(n int) string {
				return "func f(s *T) { b := false\n" + strings.Repeat("for cond() {\n", n) + "if cond() { s.mu.Lock(); b = true }\n" +
					strings.Repeat("}\n", n) + "if b { _ = A; s.mu.Unlock() } }"
			},
			func(m model) string { return m.facts()[:strings.Index(m.facts(), "]")+1] }, "A[s.mu]", "A[]", nil,
		},
		{
			"guards of an event", 4,
			func(n int) string {
				params := strings.ReplaceAll(strings.TrimSpace(lines(n, "b# bool,")), "\n", " ")
				return "func g(s *T, " + params + ") {\n" + lines(n, "if b# {") + "s.mu.Lock(); s.mu.Unlock()\n" + lines(n, "}") + "}\n" +
					"func f(s *T) { g(s" + strings.Repeat(", true", n) + ") }"
			},
			func(m model) string { return m.events("f") }, "lock s.mu []", "", nil,
		},
		{
			"ways to a place", 16,
			func(n int) string {
				return waiter + "func g(s *T) { s.ch <- 1 }\n" + lines(n, "func c#(s *T) { s.mu.Lock(); g(s); s.mu.Unlock() }")
			},
			stuck, "c0", "", nil,
		},
		{
			"callers above a place", 5,
			func(n int) string {
				return waiter + ssatest.Chain(n, "(s *T)", "s", "s.ch <- 1") + "func top(s *T) { s.mu.Lock(); defer s.mu.Unlock(); f1(s) }"
			},
			stuck, "top", "", nil,
		},
		{
			"waits for goroutines that wait for goroutines", 3,
			func(n int) string {
				return waiter + "func g(s *T) {\n" + lines(n, "c# := make(chan int); go func() {") + "s.mu.Lock(); s.mu.Unlock()\n" +
					upwards(n, "c# <- 1 }(); <-c#") + "s.ch <- 1 }"
			},
			stuck, "g", "", nil,
		},
		{
			"places that can end a wait", 256,
			func(n int) string {
				return waiter + lines(n, "func c#(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }")
			},
			stuck, "c0", "", func(c Caps) int { return c.Peers },
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
				if test.cuts != nil && (test.cuts(m.caps) > 0) != (over > 0) {
					t.Errorf("%d: %d are counted as cut", test.limit+over, test.cuts(m.caps))
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
