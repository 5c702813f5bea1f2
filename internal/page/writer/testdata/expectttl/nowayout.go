package example

type store struct {
	mu    sync.Mutex
	since map[string]time.Time
	open  map[string]int
}

// SatisfiedExpectations says whether all was seen, and since when not.
func (s *store) SatisfiedExpectations(key string) (bool, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[key] == 0 {
		return true, 0
	}
	return false, time.Since(s.since[key])
}

// RaiseExpectations expects more.
func (s *store) RaiseExpectations(key string, add, del int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[key] += add + del
	s.since[key] = time.Now()
}

// CreationObserved takes one back.
func (s *store) CreationObserved(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[key]--
}

// ObserveUpdated takes one back.
func (s *store) ObserveUpdated(key string, obj client.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[key]--
}

// DeleteExpectations forgets a key.
func (s *store) DeleteExpectations(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, key)
	delete(s.since, key)
}

// A Reconciler is what the controller runs.
type Reconciler struct {
	client.Client
	expect *store
}

func (r *Reconciler) sync(ctx context.Context, req ctrl.Request) error {
	return r.Create(ctx, &corev1.Pod{})
}
