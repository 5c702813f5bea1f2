package certain

import (
	"fmt"
	"sync"
)

// Settings are read by the function that reads them: the inner Do waits for the outer one.
type Settings struct {
	once   sync.Once
	values map[string]string
}

func (s *Settings) Get(key string) string {
	s.once.Do(s.load) // want relock/certain "s.once (run at line 15) is run again (once.go:15, via (*Settings).load, (*Settings).prefix, (*Settings).Get), which deadlocks; do not call Do from its own function" @15 "s.once is run here" @15 "calls (*Settings).load" @21 "calls (*Settings).prefix" @24 "calls (*Settings).Get" @15 "second acquisition"
	return s.values[key]
}

func (s *Settings) load() {
	s.values = map[string]string{"a": "b"}
	s.values[s.prefix()+"c"] = "d"
}

func (s *Settings) prefix() string { return s.Get("prefix") }

// Parts have a Once each: that of another object, and another one of the same object, are others.
type Parts struct {
	head, tail sync.Once
	next       *Parts
	n          int
}

func (p *Parts) Init() {
	p.head.Do(func() {
		p.n++
		p.tail.Do(func() { p.n++ })
		if p.next != nil {
			p.next.Init()
		}
	})
	p.head.Do(func() {})
}

// A Shelf starts under its lock; the Once is over by then for everybody else.
type Shelf struct {
	mu    sync.Mutex
	once  sync.Once
	ready chan struct{}
}

func NewShelf() *Shelf { return &Shelf{ready: make(chan struct{})} }

func (s *Shelf) Start() {
	s.once.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		close(s.ready)
	})
}

func (s *Shelf) Wait() {
	s.once.Do(func() { <-s.ready })
}

// An Evaluator goes on after a panic, with the lock.
type Evaluator struct {
	mu   sync.Mutex
	hits map[string]int
}

func (e *Evaluator) Eval(name string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("rule %s: %v", name, r)
		}
	}()
	e.mu.Lock()
	if _, ok := e.hits[name]; !ok {
		panic("no such rule") // want leak/certain "e.mu (locked at line 77) is still held when (*Evaluator).Eval recovers from this panic, unlike on other paths: the next Lock blocks forever; defer the unlock" @77 "e.mu is locked here"
	}
	e.hits[name]++
	e.mu.Unlock()
	return nil
}

// EvalSafely has a deferred Unlock, and EvalHard nobody who recovers.
func (e *Evaluator) EvalSafely(name string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("rule %s: %v", name, r)
		}
	}()
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.hits[name]; !ok {
		panic("no such rule")
	}
	return nil
}

func (e *Evaluator) EvalHard(name string) {
	e.mu.Lock()
	if _, ok := e.hits[name]; !ok {
		panic("no such rule")
	}
	e.mu.Unlock()
}

// A Registry chains what is to be done at the end: each link has a Once of its own.
type Registry struct{ destroy func() }

func (r *Registry) OnDestroy(f func()) {
	before := r.destroy
	var once sync.Once
	r.destroy = func() {
		once.Do(func() {
			f()
			if before != nil {
				before()
			}
		})
	}
}

func (r *Registry) Destroy() { r.destroy() }
