package example

type page struct{ server *http.Server }

// register makes a Runnable of it.
func register(mgr manager.Manager, s *page) error { return mgr.Add(s) }
