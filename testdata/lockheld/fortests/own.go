package fortests

func (s *store) double() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 2 * s.get() // want "s.mu"
}
