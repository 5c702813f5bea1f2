package example

type clusters struct{ stop chan struct{} }

// Close ends the informers.
func (s *clusters) Close() { close(s.stop) }
