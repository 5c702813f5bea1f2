package example

type syncer struct{ n int }

func (s *syncer) ready(context.Context) (bool, error) { return s.n > 0, nil }

// register makes a Runnable of it.
func register(mgr manager.Manager, s *syncer) error { return mgr.Add(s) }
