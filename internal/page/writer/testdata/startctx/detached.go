package example

type beat struct {
	interval time.Duration
	n        int
}

func (b *beat) send() { b.n++ }

// register makes a Runnable of it.
func register(mgr manager.Manager, b *beat) error { return mgr.Add(b) }
