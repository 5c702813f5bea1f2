package leaderonly

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// engine has methods that are called as those of a server are, and works off jobs.
type engine struct {
	once sync.Once
	quit chan struct{}
	jobs chan func()
}

func (e *engine) Serve() {
	for {
		select {
		case <-e.quit:
			return
		case job := <-e.jobs:
			job()
		}
	}
}

func (e *engine) Stop() { e.once.Do(func() { close(e.quit) }) }

type jobRunner struct{ engine *engine }

var _ manager.Runnable = &jobRunner{}

func newJobRunner() *jobRunner {
	return &jobRunner{&engine{quit: make(chan struct{}), jobs: make(chan func())}}
}

func (r *jobRunner) Start(ctx context.Context) error { // ok: it serves nobody
	defer context.AfterFunc(ctx, r.engine.Stop)()
	r.engine.Serve()
	return nil
}

func addJobs(mgr manager.Manager) error { return mgr.Add(newJobRunner()) }
