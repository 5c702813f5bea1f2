package crowd

import "sync"

// tokens are given out by a channel that is filled when it is made.
type tokens struct {
	mu sync.Mutex
	of map[string]chan int
}

func (t *tokens) take(name string) int {
	t.mu.Lock()
	ch := t.of[name]
	t.mu.Unlock()
	return <-ch
}

func (t *tokens) fill(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, n)
	for range n {
		ch <- 1 // ok: there is room for all of them
	}
	t.of[name] = ch
}

func (t *tokens) fillByHand(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, n)
	for i := 0; i < n; i++ {
		ch <- i // ok
	}
	t.of[name] = ch
}

func (t *tokens) fillLater(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, n)
	for range n {
		ch <- 1 // ok
	}
	t.of[name] = ch
	go func() {
		for range n {
			ch <- 1
		}
	}()
}

func (t *tokens) overfill(name string, n, m int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, n)
	for range m {
		ch <- 1 // want blocking/possible "t.mu (locked at line 54) is held across the send to a chan int, which deadlocks once the buffer is full: (*tokens).take at filled.go:12 needs the same lock to unblock it; unlock first" @54 "t.mu is locked here" @12 "(*tokens).take needs the same lock here" @15 "and ends the wait only here"
	}
	t.of[name] = ch
}

func (t *tokens) twice(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ch := make(chan int, n)
	for range 2 {
		for range n {
			ch <- 1 // want blocking/possible "t.mu (locked at line 64) is held across the send to a chan int, which deadlocks once the buffer is full: (*tokens).take at filled.go:12 needs the same lock to unblock it; unlock first" @64 "t.mu is locked here" @12 "(*tokens).take needs the same lock here" @15 "and ends the wait only here"
		}
	}
	t.of[name] = ch
}

var _ = []any{(*tokens).take, (*tokens).fill, (*tokens).fillByHand, (*tokens).fillLater, (*tokens).overfill, (*tokens).twice}
