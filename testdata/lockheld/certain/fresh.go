package certain

import "sync"

type job struct{ done chan error }

// A Compactor makes a channel under the lock, lets the lock go, and receives: whoever sends on it needs nobody to come for the lock.
type Compactor struct {
	mu   sync.Mutex
	jobs []*job
}

func (c *Compactor) Manual() error {
	c.mu.Lock()
	j := &job{done: make(chan error)}
	go c.run(j.done)
	c.mu.Unlock()
	return <-j.done
}

func (c *Compactor) run(errc chan error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.one(errc)
}

func (c *Compactor) one(errc chan error) (err error) {
	defer func() { errc <- err }()
	return nil
}

// A Splitter's channels come out of a function below, and its callers hold nothing of their own.
type Splitter struct {
	mu   sync.Mutex
	jobs []*job
}

func (s *Splitter) split(n int) (out []*job) {
	for range n {
		out = append(out, &job{done: make(chan error)})
	}
	return out
}

func (s *Splitter) Manual(n int) {
	s.mu.Lock()
	jobs := s.split(n)
	s.jobs = append(s.jobs, jobs...)
	s.mu.Unlock()
	for _, j := range jobs {
		<-j.done
	}
}

func (s *Splitter) Twice() {
	s.mu.Lock()
	n := len(s.jobs)
	s.mu.Unlock()
	s.Manual(n)
}

func (s *Splitter) Work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		j.done <- nil
	}
	s.jobs = nil
}

// A Publisher takes the lock to register a channel, and receives from it without.
type Publisher struct {
	mu   sync.Mutex
	subs map[int]subscriber
}

type subscriber struct {
	id int
	ch chan string
}

func (p *Publisher) add() subscriber {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch := make(chan string)
	s := subscriber{id: len(p.subs), ch: ch}
	p.subs[s.id] = s
	return s
}

func (p *Publisher) Subscribe(f func(string)) {
	s := p.add()
	for x := range s.ch {
		f(x)
	}
}

func (p *Publisher) Publish(x string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.subs {
		s.ch <- x
	}
}

// A Sampler comes for the lock again between the two.
type Sampler struct {
	mu   sync.Mutex
	subs []chan string
	seen int
}

func (s *Sampler) add() chan string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := make(chan string)
	s.subs = append(s.subs, ch)
	return ch
}

func (s *Sampler) Sample() string {
	ch := s.add()
	s.mu.Lock()
	s.seen++
	s.mu.Unlock()
	return <-ch
}

func (s *Sampler) Publish(x string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ch := range s.subs {
		ch <- x // want blocking/certain "s.mu (locked at line 130) is held across the send to s.subs[...], which deadlocks: (*Sampler).Sample at fresh.go:123 needs the same lock to unblock it; unlock first" @130 "s.mu is locked here" @123 "(*Sampler).Sample needs the same lock here" @126 "and ends the wait only here"
	}
}
