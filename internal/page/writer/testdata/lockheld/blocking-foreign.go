package example

type notifier struct {
	mu        sync.Mutex
	listeners []func(ctx context.Context, key string) error
}

func (n *notifier) Add(listen func(ctx context.Context, key string) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listeners = append(n.listeners, listen)
}
