package cycles

import "sync"

type pool struct {
	mu   sync.Mutex
	free int
}

type limits struct {
	mu   sync.Mutex
	used int
}

// grow locks the pool if it is asked to, to the end of the function.
func grow(p *pool, l *limits, lock bool) {
	if lock {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	p.free++
	l.mu.Lock() // missed: the pool is held on some paths only, and only those count that hold it always
	l.used++
	l.mu.Unlock()
}

// shrink takes the two the other way round.
func shrink(p *pool, l *limits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used--
	p.mu.Lock()
	p.free--
	p.mu.Unlock()
}
