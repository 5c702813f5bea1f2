package guarded

import (
	"context"
	"sync"
	"time"
)

type latch struct {
	mu    sync.Mutex
	ready chan struct{}
	done  bool
}

func newLatch() *latch { return &latch{ready: make(chan struct{})} }

// SetReady closes once, under the lock.
func (l *latch) SetReady() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		l.done = true
		close(l.ready) // ok: close does not wait
	}
}

// Wait waits under the lock that SetReady needs.
func (l *latch) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	<-l.ready // want blocking/certain "l.mu (locked at line 29) is held across the receive from l.ready, which deadlocks: (*latch).SetReady at oneshot.go:19 needs the same lock to unblock it; unlock first" @29 "l.mu is locked here" @19 "(*latch).SetReady needs the same lock here" @23 "and ends the wait only here"
}

// WaitUnlocked takes the channel under the lock.
func (l *latch) WaitUnlocked() {
	l.mu.Lock()
	ready := l.ready
	l.mu.Unlock()
	<-ready // ok: unlocked
}

type event struct {
	mu sync.Mutex
	c  chan struct{}
	v  int
}

func newEvent() *event { return &event{c: make(chan struct{})} }

// Set wakes all by closing the channel and putting another one in its place.
func (e *event) Set(v int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.v = v
	close(e.c)
	e.c = make(chan struct{})
}

// Until unlocks before each wait.
func (e *event) Until(v int) {
	e.mu.Lock()
	for e.v != v {
		c := e.c
		e.mu.Unlock()
		<-c // ok: unlocked
		e.mu.Lock()
	}
	e.mu.Unlock()
}

type task struct {
	mu   sync.Mutex
	n    int
	done chan struct{}
}

func newTask() *task {
	t := &task{done: make(chan struct{})}
	go t.run()
	return t
}

func (t *task) run() {
	close(t.done)
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
}

// Wait ends before the goroutine asks for the lock.
func (t *task) Wait() {
	t.mu.Lock()
	defer t.mu.Unlock()
	<-t.done // ok: closed first
}

// Ask gets its answer before the goroutine asks for the lock.
func (t *task) Ask(v int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := make(chan int)
	go func() {
		c <- v * v
		t.mu.Lock()
		t.n = v
		t.mu.Unlock()
	}()
	return <-c // ok: sent first
}

// Pause is ended by a timer.
func (t *task) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	stop := make(chan struct{})
	time.AfterFunc(time.Second, func() { close(stop) })
	<-stop // ok: the timer closes it
}

// Deadline is ended by its context.
func (t *task) Deadline() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	<-ctx.Done() // ok: a deadline
}

type tail struct {
	mu    sync.Mutex
	lines chan string
	buf   []string
}

func newTail() *tail { return &tail{lines: make(chan string, 16)} }

func (t *tail) Add(s string) { t.lines <- s }

func (t *tail) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.lines)
}

// Drain goes on until the channel is closed, however many lines are sent.
func (t *tail) Drain() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.lines { // want blocking/possible "t.mu (locked at line 147) is held across the receive from t.lines, which deadlocks: (*tail).Close at oneshot.go:140 needs the same lock to unblock it; unlock first" @147 "t.mu is locked here" @140 "(*tail).Close needs the same lock here" @142 "and ends the wait only here"
		t.buf = append(t.buf, s)
	}
	return t.buf
}

type tokens struct {
	mu   sync.Mutex
	free chan struct{}
	busy int
}

func newTokens() *tokens { return &tokens{free: make(chan struct{}, 1)} }

// Get waits under the lock that Put needs to give the token back.
func (t *tokens) Get() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free <- struct{}{} // want blocking/possible "t.mu (locked at line 165) is held across the send to t.free, which deadlocks once the buffer is full: (*tokens).Put at oneshot.go:173 needs the same lock to unblock it; unlock first" @165 "t.mu is locked here" @173 "(*tokens).Put needs the same lock here" @176 "and ends the wait only here"
	t.busy++
}

// Put gives the token back, but only with the lock.
func (t *tokens) Put() {
	t.mu.Lock()
	t.busy--
	t.mu.Unlock()
	<-t.free // ok: not held here
}
