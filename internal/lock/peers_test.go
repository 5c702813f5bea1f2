package lock

import (
	"strings"
	"testing"
)

// stuck is who has to get the lock first, of those for whom f waits under one; empty where somebody need not.
func stuck(m model) string {
	m.t.Helper()
	writers := m.writers()
	for _, o := range m.results[m.fn("f")].Events {
		if o.Block == nil || o.Block.Peers == nil || len(o.Held) != 1 {
			continue
		}
		if o.Block.Peers.None {
			return "nobody is there"
		}
		who, _ := o.Needs(o.Held[0], func(c Class) bool { return writers[c.Inner()].By != "" })
		by, _, _ := strings.Cut(who.By, " at ")
		return by
	}
	m.t.Fatal("f does not wait under a lock for others")
	return ""
}

// For whom f waits under a lock, and whether they need it first.
func TestPeers(t *testing.T) {
	const sender = "func newT() *T { return &T{ch: make(chan int)} }\nfunc f(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }\n"
	for _, test := range []struct{ name, src, want string }{
		{"nobody", waiter, "nobody is there"},
		{"a peer without a lock", waiter + `func g(s *T) { s.ch <- 1 }`, ""},
		{"a peer that locks around it", waiter + `func g(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }`, "g"},
		{"a peer that locks before", waiter + `func g(s *T) { s.mu.Lock(); s.mu.Unlock(); s.ch <- 1 }`, "g"},
		{"a peer that locks after", waiter + `func g(s *T) { s.ch <- 1; s.mu.Lock(); s.mu.Unlock() }`, ""},
		{"a peer that locks after, in a loop", waiter + `func g(s *T) { for { s.ch <- 1; s.mu.Lock(); s.mu.Unlock() } }`, "g"},
		{"a peer that locks another lock", waiter + `func g(s *T) { s.nu.Lock(); s.ch <- 1; s.nu.Unlock() }`, ""},
		{"a peer that closes it", waiter + `func g(s *T) { s.mu.Lock(); close(s.ch); s.mu.Unlock() }`, "g"},
		{"a peer that defers the close", waiter + `func g(s *T) { defer close(s.ch); s.mu.Lock(); s.mu.Unlock() }`, "g"},
		{"two peers, one of them without a lock", waiter + `func g(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }; func h(s *T) { s.ch <- 1 }`, ""},
		{"two peers that lock", waiter + `func g(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }; func h(s *T) { s.mu.Lock(); close(s.ch) }`, "g"},
		{"a peer whose caller locks", waiter + `func g(s *T) { s.mu.Lock(); h(s); s.mu.Unlock() }; func h(s *T) { s.ch <- 1 }`, "g"},
		{"a peer one of whose callers locks", waiter + `func g(s *T) { s.mu.Lock(); h(s); s.mu.Unlock() }; func i(s *T) { h(s) }; func h(s *T) { s.ch <- 1 }`, ""},
		{"a peer that others can call, too", waiter + `func g(s *T) { s.mu.Lock(); H(s); s.mu.Unlock() }; func H(s *T) { s.ch <- 1 }`, ""},
		{"a goroutine of a function that locks", waiter + `func g(s *T) { s.mu.Lock(); go h(s); s.mu.Unlock() }; func h(s *T) { s.ch <- 1 }`, ""},
		{"a channel that others have", waiter + `func g(s *T) { s.mu.Lock(); s.ch <- 1; s.mu.Unlock() }; var Others = map[int]chan int{}; func h(s *T) { Others[1] = s.ch }`, ""},

		// Readers.
		{"a reader and a reader", `func newT() *T { return &T{ch: make(chan int)} }; func f(s *T) { s.rw.RLock(); <-s.ch; s.rw.RUnlock() }; func g(s *T) { s.rw.RLock(); s.ch <- 1; s.rw.RUnlock() }`, ""},
		{"a reader, a reader, and a writer somewhere", `func newT() *T { return &T{ch: make(chan int)} }; func f(s *T) { s.rw.RLock(); <-s.ch; s.rw.RUnlock() }; func g(s *T) { s.rw.RLock(); s.ch <- 1; s.rw.RUnlock() }; func w(s *T) { s.rw.Lock(); s.rw.Unlock() }`, "g"},
		{"a reader and a writer", `func newT() *T { return &T{ch: make(chan int)} }; func f(s *T) { s.rw.RLock(); <-s.ch; s.rw.RUnlock() }; func g(s *T) { s.rw.Lock(); s.ch <- 1; s.rw.Unlock() }`, "g"},

		// Senders.
		{"a receiver without a lock", sender + `func g(s *T) { <-s.ch }`, ""},
		{"a receiver that locks before", sender + `func g(s *T) { s.mu.Lock(); s.mu.Unlock(); <-s.ch }`, "g"},
		{"a receiver that has said that it is coming", `func newT() *T { return &T{ch: make(chan int)} }; func f(s *T) { s.mu.Lock(); if s.ok { s.ch <- 1 }; s.mu.Unlock() }; func g(s *T) { s.mu.Lock(); s.ok = true; s.mu.Unlock(); <-s.ch }`, ""},
		{"a receiver that has said something else", `func newT() *T { return &T{ch: make(chan int)} }; func f(s *T) { s.mu.Lock(); if s.ok { s.ch <- 1 }; s.mu.Unlock() }; func g(s *T) { s.mu.Lock(); s.err = nil; s.mu.Unlock(); <-s.ch }`, "g"},
		{"room for what is sent", `func f(s *T) { s.mu.Lock(); c := make(chan int, 1); go func() { s.mu.Lock(); <-c; s.mu.Unlock() }(); c <- 1; s.mu.Unlock() }`, ""},
		{"no room for what is sent", `func f(s *T) { s.mu.Lock(); c := make(chan int); go func() { s.mu.Lock(); <-c; s.mu.Unlock() }(); c <- 1; s.mu.Unlock() }`, "f"},

		// Groups and conditions.
		{"a group, one of whose goroutines locks", `func f(s *T) { var wg sync.WaitGroup; wg.Add(2); go func() { s.mu.Lock(); s.mu.Unlock(); wg.Done() }(); go func() { wg.Done() }(); s.mu.Lock(); wg.Wait(); s.mu.Unlock() }`, "f"},
		{"a group whose goroutines do not lock", `func f(s *T) { var wg sync.WaitGroup; wg.Add(1); go func() { wg.Done() }(); s.mu.Lock(); wg.Wait(); s.mu.Unlock() }`, ""},
		{"a goroutine that is given another object", `func f(s, r *T) { var wg sync.WaitGroup; wg.Add(1); go g(r, &wg); s.mu.Lock(); wg.Wait(); s.mu.Unlock() }; func g(s *T, wg *sync.WaitGroup) { s.mu.Lock(); s.mu.Unlock(); wg.Done() }`, ""},
		{"a goroutine that is given this object", `func f(s *T) { var wg sync.WaitGroup; wg.Add(1); go g(s, &wg); s.mu.Lock(); wg.Wait(); s.mu.Unlock() }; func g(s *T, wg *sync.WaitGroup) { s.mu.Lock(); s.mu.Unlock(); wg.Done() }`, "g"},
		{"a condition of another lock", `type Q struct { T; c *sync.Cond }; func newQ() *Q { q := &Q{}; q.c = sync.NewCond(&q.nu); return q }; func f(s *Q) { s.mu.Lock(); s.nu.Lock(); s.c.Wait(); s.nu.Unlock(); s.mu.Unlock() }; func g(s *Q) { s.mu.Lock(); s.c.Signal(); s.mu.Unlock() }`, "g"},
		{"a condition of another lock, and a peer without this one", `type Q struct { T; c *sync.Cond }; func newQ() *Q { q := &Q{}; q.c = sync.NewCond(&q.nu); return q }; func f(s *Q) { s.mu.Lock(); s.nu.Lock(); s.c.Wait(); s.nu.Unlock(); s.mu.Unlock() }; func g(s *Q) { s.c.Signal() }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := stuck(modelOf(t, test.src)); got != test.want {
				t.Errorf("%s\n got %q, want %q", test.src, got, test.want)
			}
		})
	}
}
