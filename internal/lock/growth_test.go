package lock

import (
	"fmt"
	"strings"
	"testing"
)

// inLine is format for each number # from 0 up to n, with the next one for #1.
func inLine(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, strings.NewReplacer("#1", fmt.Sprint(i+1), "#", fmt.Sprint(i)).Replace(format))
	}
	return b.String()
}

// Shapes of code that once cost the square of their size, or worse: twice the size may make little more than twice the work,
// which is counted, so that neither the machine nor its load decides.
func TestGrowth(t *testing.T) {
	const most = 2.3
	for _, test := range []struct {
		name string
		n    int
		src  func(n int) string
	}{
		{"flags that are tested twice", 15, func(n int) string {
			return "func f(s *T) {\n" + lines(n, "ok# := cond(); if ok# { s.mu.Lock() }; _ = A; if ok# { s.mu.Unlock() }") + "}"
		}},
		{"variables that a loop sets", 80, func(n int) string {
			return "func f(s *T) {\n" + lines(n, "v# := false") + "for cond() { s.mu.Lock(); s.mu.Unlock()\n" + lines(n, "if cond() { v# = true }") + "}\n" +
				lines(n, "if v# { _ = A }") + "}"
		}},
		{"functions in a line that take a lock each", 100, func(n int) string {
			return inLine(n, "var m# sync.Mutex\nfunc f#() { m#.Lock(); defer m#.Unlock(); f#1() }") + fmt.Sprintf("func f%d() {}", n)
		}},
		{"functions that call the next one twice", 50, func(n int) string {
			return inLine(n, "func f#(s *T) { s.mu.Lock(); s.mu.Unlock(); f#1(s); f#1(s.next) }") + fmt.Sprintf("func f%d(*T) {}", n)
		}},
		{"senders and receivers of a channel", 50, func(n int) string {
			return "func made() *T { return &T{ch: make(chan int)} }\n" + lines(n, "func f#(s *T) { s.mu.Lock(); s.ch <- #; s.mu.Unlock() }\nfunc g#(s *T) { s.mu.Lock(); <-s.ch; s.mu.Unlock() }")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, before := test.n, 0
			for range 3 {
				work := modelOf(t, test.src(n)).work
				t.Logf("%d: %d", n, work)
				if before > 0 && float64(work) > most*float64(before) {
					t.Errorf("%d instead of %d of them make %d times the work instead of %d", n, n/2, work, before)
				}
				n, before = 2*n, work
			}
		})
	}
}
