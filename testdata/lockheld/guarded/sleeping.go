package guarded

import (
	"sync"
	"sync/atomic"
	"time"
)

type flag struct {
	mu sync.Mutex
	up bool
}

// Raise sets the flag under the lock.
func (f *flag) Raise() {
	f.mu.Lock()
	f.up = true
	f.mu.Unlock()
}

// Await sleeps until it is set, with the lock held that Raise needs.
func (f *flag) Await() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.up {
		time.Sleep(time.Second) // want blocking/certain "f.mu (locked at line 23) is held across time.Sleep, which deadlocks: (*flag).Raise at sleeping.go:16 needs the same lock to unblock it; unlock first" @23 "f.mu is locked here" @16 "(*flag).Raise needs the same lock here" @17 "and ends the wait only here"
	}
}

// AwaitUnlocked looks under the lock and sleeps without it.
func (f *flag) AwaitUnlocked() {
	for {
		f.mu.Lock()
		up := f.up
		f.mu.Unlock()
		if up {
			return
		}
		time.Sleep(time.Second) // ok: unlocked
	}
}

// AwaitTries gives up after some tries.
func (f *flag) AwaitTries() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := 0; i < 3; i++ {
		if f.up {
			return true
		}
		time.Sleep(time.Second) // ok: three times
	}
	return false
}

// AwaitDeadline looks at the clock.
func (f *flag) AwaitDeadline(d time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	end := time.Now().Add(d)
	for time.Now().Before(end) {
		time.Sleep(time.Second) // ok: the clock ends it
	}
	return f.up
}

// Backoff sleeps for a list of times.
func (f *flag) Backoff() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range []time.Duration{1, 2, 4} {
		time.Sleep(d * time.Second) // ok: as often as the list is long
	}
}

type meter struct {
	mu    sync.Mutex
	level int
}

// Inc changes the level under the lock.
func (m *meter) Inc() {
	m.mu.Lock()
	m.level++
	m.mu.Unlock()
}

// Reach looks at the level at each tick.
func (m *meter) Reach(n int) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for range t.C { // want blocking/certain "m.mu (locked at line 92) is held across a polling loop, which deadlocks: (*meter).Inc at sleeping.go:83 needs the same lock to unblock it; unlock first" @92 "m.mu is locked here" @83 "(*meter).Inc needs the same lock here" @84 "and ends the wait only here"
		if m.level >= n {
			return
		}
	}
}

// Ticks counts them.
func (m *meter) Ticks() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for range 3 {
		<-t.C // ok: three ticks
	}
}

type config struct {
	mu    sync.Mutex
	ready atomic.Bool
	text  string
}

// Configure stores an atomic flag, but under the lock.
func (c *config) Configure(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text = text
	c.ready.Store(true)
}

// Config waits for it.
func (c *config) Config() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if c.ready.Load() {
			return c.text
		}
		time.Sleep(time.Second) // want blocking/certain "c.mu (locked at line 128) is held across time.Sleep, which deadlocks: (*config).Configure at sleeping.go:120 needs the same lock to unblock it; unlock first" @128 "c.mu is locked here" @120 "(*config).Configure needs the same lock here" @123 "and ends the wait only here"
	}
}

func until(done func() bool) { // want until:"waits for time.Sleep; calls p0"
	for !done() {
		time.Sleep(time.Second)
	}
}

type probe struct {
	mu      sync.RWMutex
	healthy bool
}

// Set needs the lock for writing.
func (p *probe) Set() {
	p.mu.Lock()
	p.healthy = true
	p.mu.Unlock()
}

// Healthy reads what it waits for, and the function that sleeps is another one.
func (p *probe) Healthy() { // want Healthy:"read-locks p0.mu; waits for time.Sleep through until"
	p.mu.RLock()
	defer p.mu.RUnlock()
	until(func() bool { return p.healthy }) // want blocking/possible "p.mu (read-locked at line 158) is held across time.Sleep (sleeping.go:140, via until), which may block forever waiting for its condition to hold; unlock first" @158 "p.mu is read-locked here" @160 "calls until" @140 "blocks here"
}

type job struct {
	mu    sync.Mutex
	state int
}

// Finish unlocks around each sleep.
func (j *job) Finish() { // want Finish:"locks p0.mu; locks p0.mu without p0.mu through the function literal; is slow in time.Sleep without p0.mu through the function literal"
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.state == 0 {
		func() {
			j.mu.Unlock()
			defer j.mu.Lock()
			time.Sleep(time.Second) // ok: unlocked
		}()
	}
}

// Retry has the lock for one sleep in each turn, and the others between two.
func (f *flag) Retry(connect func() error) {
	for {
		f.mu.Lock()
		if err := connect(); err != nil {
			time.Sleep(time.Second) // ok: for one second at a time
			f.mu.Unlock()
			continue
		}
		f.up = true
		f.mu.Unlock()
		return
	}
}

// Within sleeps in a loop of its own until it is set, and never gives the lock back meanwhile.
func (f *flag) Within(connect func() error) {
	for {
		f.mu.Lock()
		for !f.up {
			time.Sleep(time.Second) // want blocking/certain "f.mu (locked at line 199) is held across time.Sleep, which deadlocks: (*flag).Raise at sleeping.go:16 needs the same lock to unblock it; unlock first" @199 "f.mu is locked here" @16 "(*flag).Raise needs the same lock here" @17 "and ends the wait only here"
		}
		err := connect()
		f.mu.Unlock()
		if err == nil {
			return
		}
	}
}
