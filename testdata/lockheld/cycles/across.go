package cycles

import (
	"sync"

	"example.com/operators/lockheld/cycles/registry"
)

type syncer struct {
	mu  sync.Mutex
	n   int
	reg *registry.Registry
}

// sync takes the lock of the other package under its own; publish has opened a session there before.
func (s *syncer) sync(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n = s.reg.Get(k) // want order/possible "lock order cycle: (*syncer).sync locks registry.Registry.mu while holding cycles.syncer.mu (registry.go:23); (*syncer).publish locks cycles.syncer.mu while holding registry.Registry.mu (across.go:25): concurrent calls deadlock; acquire them in one order" @17 "s.mu is locked here" @19 "calls (*Registry).Get" @registry.go:23 "acquires registry.Registry.mu" @23 "s.reg.mu is locked here" @25 "cycles.syncer.mu is acquired here"
}

func (s *syncer) publish(k string) {
	s.reg.Lock()
	defer s.reg.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reg.SetLocked(k, s.n)
}

type exporter struct {
	mu  sync.Mutex
	sum int
	reg *registry.Registry
}

// export and add agree: the registry comes first. The registry calls the literal with its lock held.
func (e *exporter) export() {
	e.reg.Each(func(_ string, v int) {
		e.mu.Lock() // ok: one order
		e.sum += v
		e.mu.Unlock()
	})
}

func (e *exporter) add(k string) {
	v := e.reg.Get(k)
	e.mu.Lock() // ok: the registry is unlocked again
	e.sum += v
	e.mu.Unlock()
}
