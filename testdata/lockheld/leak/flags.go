package leak

import "sync"

type manager struct {
	mu      sync.Mutex
	started bool
	n       int
}

// Start unlocks itself once it is ready, and lets the deferred function do it before.
func (m *manager) Start(prepare, run func() error) error { // want Start:"may have unlocked p0.mu; locks p0.mu; calls p1 with p0.mu locked; calls p2"
	m.mu.Lock()
	if m.started {
		m.mu.Unlock()
		return errClosed
	}
	m.started = true
	ready := false
	defer func() {
		if !ready {
			m.mu.Unlock()
		}
	}()
	if err := prepare(); err != nil {
		return err // ok: not ready, the deferred function unlocks
	}
	ready = true
	m.mu.Unlock()
	return run() // ok: unlocked
}

// Stop is the same with a flag that says the opposite.
func (m *manager) Stop(notify func()) error { // want Stop:"may have unlocked p0.mu; locks p0.mu; calls p1"
	var unlocked bool
	m.mu.Lock()
	defer func() {
		if unlocked {
			return
		}
		m.mu.Unlock()
	}()
	if !m.started {
		return errClosed // ok: the deferred function unlocks
	}
	if notify != nil {
		m.mu.Unlock()
		unlocked = true
		notify()
	}
	return nil // ok: one of the two has unlocked
}

// get locks where it is asked to: a defer in a branch lasts to the end of the function.
func (m *manager) get(lock bool) int {
	if lock {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	if m.n < 0 {
		return 0 // ok: deferred
	}
	return m.n
}

// Fresh remembers in a variable that it has locked.
func (m *manager) Fresh(fresh bool) int {
	locked := false
	if fresh {
		m.mu.Lock()
		locked = true
		m.n++
	}
	v := m.n
	if locked {
		m.mu.Unlock()
	}
	return v // ok: locked says so
}

// Put locks late, once, in a loop.
func (m *manager) Put(values []int) {
	held := false
	for _, v := range values {
		if v == 0 {
			continue
		}
		if !held {
			m.mu.Lock()
			held = true
		}
		m.n += v
	}
	if held {
		m.mu.Unlock()
	}
	// ok: held says so
}

// Apply asks the same error twice.
func (m *manager) Apply(check func() error) error {
	err := check()
	if err == nil {
		m.mu.Lock()
		m.n++
	}
	println(m != nil)
	if err == nil {
		m.mu.Unlock()
	}
	return err // ok: the same test
}

// optional locks what it is given, if anything.
func optional(mu *sync.Mutex, n *int) int { // want optional:"locks p0 if p0 != nil"
	if mu != nil {
		mu.Lock()
	}
	*n++
	v := *n
	if mu != nil {
		mu.Unlock()
	}
	return v // ok: the same test
}

type modes struct {
	mu sync.RWMutex
	by map[string]int
}

// Do locks and unlocks in two switches on one value.
func (m *modes) Do(mode int, k string) int {
	switch mode {
	case 1:
		m.mu.RLock()
	case 2:
		m.mu.Lock()
	}
	v := m.by[k]
	switch mode {
	case 1:
		m.mu.RUnlock()
	case 2:
		m.mu.Unlock()
	}
	return v // ok: the same switch
}

// Upgrade changes what the deferred function will call.
func (m *modes) Upgrade(k string) int {
	m.mu.RLock()
	unlock := m.mu.RUnlock
	defer func() { unlock() }()
	if v, ok := m.by[k]; ok {
		return v // ok: unlock gives the read lock back
	}
	m.mu.RUnlock()
	m.mu.Lock()
	unlock = m.mu.Unlock
	m.by[k] = len(m.by)
	return m.by[k] // ok: unlock gives the write lock back
}

// Run may unlock early, and lets the deferred call do nothing then.
func (m *modes) Run(f func()) error {
	m.mu.Lock()
	unlock := sync.OnceFunc(m.mu.Unlock)
	defer unlock()
	if m.by == nil {
		return errClosed // ok: deferred
	}
	unlock()
	f()
	return nil
}

// Peek keeps the result of TryLock.
func (m *modes) Peek() (int, bool) {
	got := m.mu.TryLock()
	n := 0
	if got {
		n = len(m.by)
	}
	if got {
		m.mu.Unlock()
	}
	return n, got // ok: the same test
}
