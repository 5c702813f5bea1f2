package relock

import "sync"

type pool struct {
	mu    sync.RWMutex
	stops map[string]func()
}

// replace reaches two acquisitions: one that deadlocks if a writer comes in between, and one that always does.
func (p *pool) replace(name string) {
	p.mu.RLock()
	if _, ok := p.stops[name]; ok {
		p.drop(name) // want relock/possible "p.mu (read-locked at line 12) is locked again (upgrade.go:28, via (*pool).drop), which deadlocks; unlock first, or call a variant that does not lock; so does 1 more acquisition below this call" @12 "p.mu is read-locked here" @14 "calls (*pool).drop" @28 "second acquisition" @12 "p.mu is read-locked here" @14 "calls (*pool).drop" @20 "second acquisition" @28 "a writer waits here and blocks new readers"
	}
	p.mu.RUnlock()
}

func (p *pool) drop(name string) {
	p.mu.RLock()
	stop, ok := p.stops[name]
	if !ok {
		p.mu.RUnlock()
		return
	}
	p.mu.RUnlock()
	stop()
	p.mu.Lock()
	delete(p.stops, name)
	p.mu.Unlock()
}

// replaceLater has unlocked before.
func (p *pool) replaceLater(name string) {
	p.mu.RLock()
	_, ok := p.stops[name]
	p.mu.RUnlock()
	if ok {
		p.drop(name) // ok: no lock is held
	}
}
