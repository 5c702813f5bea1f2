package fortests

func (s *store) double() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 2 * s.get() // want relock/certain "s.mu (locked at line 4) is locked again (fixture.go:17, via (*store).get), which deadlocks; unlock first, or call a variant that does not lock" @4 "s.mu is locked here" @6 "calls (*store).get" @fixture.go:17 "second acquisition"
}
