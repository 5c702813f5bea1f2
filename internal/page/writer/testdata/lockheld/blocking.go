package example

type source struct {
	mu       sync.Mutex
	stop     chan struct{}
	clusters map[string]informers.SharedInformerFactory
	stops    map[string]chan struct{}
}

func (s *source) Get(name string) informers.SharedInformerFactory {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clusters[name]
}
