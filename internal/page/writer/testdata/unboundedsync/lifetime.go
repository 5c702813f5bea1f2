package example

type informers struct {
	stop chan struct{}
	all  map[schema.GroupVersionKind]cache.SharedIndexInformer
}

func (m *informers) add(gvk schema.GroupVersionKind) cache.SharedIndexInformer {
	informer := m.all[gvk]
	go informer.Run(m.stop)
	return informer
}

// Close ends the informers.
func (m *informers) Close() { close(m.stop) }
