package example

type clusters struct {
	client kubernetes.Interface
	stop   chan struct{}
}

// Close ends the informers.
func (s *clusters) Close() { close(s.stop) }

func (s *clusters) write(w http.ResponseWriter, lister listers.PodLister) {}
