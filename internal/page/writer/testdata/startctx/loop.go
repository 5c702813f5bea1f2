package example

type job struct{ n int }

type poller struct{ jobs chan job }

func (p *poller) Add(j job) { p.jobs <- j }

// register makes a Runnable of it.
func register(mgr manager.Manager, p *poller) error { return mgr.Add(p) }

func (p *poller) do(context.Context, job) {}
