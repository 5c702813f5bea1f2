package example

type registry struct {
	mu     sync.Mutex
	client kubernetes.Interface
	owners map[string]string
}

func (r *registry) Known(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.owners[name] != ""
}
