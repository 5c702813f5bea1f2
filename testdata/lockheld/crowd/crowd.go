// Package crowd sends with a lock held to goroutines that may need it.
package crowd

import "sync"

type dispatcher struct {
	mu   sync.Mutex
	keys []string
	gone map[string]bool
	out  chan string
}

// next sends to one of the workers, and few of them have something to forget at the same time.
func (d *dispatcher) next() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.keys) > 0 {
		d.out <- d.keys[0] // ok: another one comes
	}
}

func (d *dispatcher) run(workers int) {
	for range workers {
		go d.work()
	}
	for {
		d.next()
	}
}

func (d *dispatcher) work() {
	for key := range d.out {
		if key == "" {
			d.forget(key)
		}
	}
}

func (d *dispatcher) forget(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone[key] = true
}

// single has one worker.
type single struct {
	mu   sync.Mutex
	keys []string
	gone map[string]bool
	out  chan string
}

func (s *single) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.keys) > 0 {
		s.out <- s.keys[0] // want blocking/possible "s.mu (locked at line 54) is held across the send to s.out, which deadlocks: (*single).forget at crowd.go:77 needs the same lock to unblock it; unlock first" @54 "s.mu is locked here" @77 "(*single).forget needs the same lock here" @69 "and ends the wait only here"
	}
}

func (s *single) run() {
	go s.work()
	for {
		s.next()
	}
}

func (s *single) work() {
	for key := range s.out {
		if key == "" {
			s.forget(key)
		}
	}
}

func (s *single) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone[key] = true
}

// always has workers that all need it for each key.
type always struct {
	mu   sync.Mutex
	keys []string
	out  chan string
}

func (a *always) next() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.keys) > 0 {
		a.out <- a.keys[0] // want blocking/certain "a.mu (locked at line 90) is held across the send to a.out, which deadlocks: (*always).work at crowd.go:108 needs the same lock to unblock it; unlock first" @90 "a.mu is locked here" @108 "(*always).work needs the same lock here" @111 "and ends the wait only here"
	}
}

func (a *always) run(workers int) {
	for range workers {
		go a.work()
	}
	for {
		a.next()
	}
}

func (a *always) work() {
	for {
		a.mu.Lock()
		out := a.out
		a.mu.Unlock()
		<-out
	}
}

// handed gives the channel to its workers, which wait for nothing else.
type handed struct {
	mu   sync.Mutex
	keys []string
	gone map[string]bool
}

func (h *handed) run(workers int) {
	out := make(chan string)
	for i := 1; i <= workers; i++ {
		go h.work(out)
	}
	next := func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.keys) > 0 {
			out <- h.keys[0] // ok: another one comes
		}
	}
	for {
		next()
	}
}

func (h *handed) work(out <-chan string) {
	for {
		select {
		case key := <-out:
			h.see(key)
		}
	}
}

func (h *handed) see(key string) {
	if key == "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.gone[key] = true
	}
}

// apart has workers with a channel each.
type apart struct {
	mu      sync.Mutex
	gone    map[string]bool
	workers []*worker
}

type worker struct{ keys chan string }

func (a *apart) run() {
	for _, w := range a.workers {
		go a.work(w)
	}
	for _, w := range a.workers {
		a.tell(w)
	}
}

func (a *apart) tell(w *worker) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.keys <- "" // want blocking/possible "a.mu (locked at line 175) is held across the send to w.keys, which deadlocks: (*apart).work at crowd.go:183 needs the same lock to unblock it; unlock first" @175 "a.mu is locked here" @183 "(*apart).work needs the same lock here" @181 "and ends the wait only here"
}

func (a *apart) work(w *worker) {
	for key := range w.keys {
		if key == "" {
			a.mu.Lock()
			a.gone[key] = true
			a.mu.Unlock()
		}
	}
}
