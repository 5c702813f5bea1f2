package leak

import "sync"

// ageAll leaves the lock of each pinned shard. The next turn locks another shard.
func ageAll(shards []*shard, pinned func(*shard) bool) {
	for _, s := range shards {
		s.mu.Lock()
		if pinned(s) {
			continue
		}
		s.n++
		s.mu.Unlock()
	}
	// missed: which shard is held is not known behind the loop
}

type names struct {
	mu sync.RWMutex
	by map[string]string
}

// Lookup gives back the read lock as if it were the write lock, which ends the program.
func (n *names) Lookup(host string) (string, bool) {
	n.mu.RLock()
	ip, ok := n.by[host]
	if !ok {
		n.mu.Unlock() // missed: an unlock of either mode counts
		return "", false
	}
	n.mu.RUnlock()
	return ip, true
}

type journal struct {
	mu  sync.Mutex
	buf []byte
}

// commit gives its caller's lock back, but only where it succeeds.
func (j *journal) commit(limit int) error {
	if len(j.buf) > limit {
		return errClosed
	}
	j.buf = j.buf[:0]
	j.mu.Unlock()
	return nil
}

// Write takes it that commit always unlocks.
func (j *journal) Write(p []byte) error {
	j.mu.Lock()
	j.buf = append(j.buf, p...)
	if err := j.commit(1 << 10); err != nil {
		return err // missed: a callee that unlocks on some of its paths makes the lock unknown
	}
	return nil
}

type boot struct {
	mu    sync.Mutex
	parts []string
}

// Boot calls itself ready before the last step that can fail.
func (b *boot) Boot(run func(string) error) error {
	b.mu.Lock()
	ready := false
	defer func() {
		if !ready {
			b.mu.Unlock()
		}
	}()
	if len(b.parts) == 0 {
		return errClosed // ok: not ready, the deferred function unlocks
	}
	ready = true
	for _, p := range b.parts {
		if err := run(p); err != nil {
			return err // missed: a deferred function that unlocks under a condition counts as one that does
		}
	}
	b.mu.Unlock()
	return nil
}
