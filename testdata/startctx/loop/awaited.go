package loop

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// A joiner waits for its goroutines when it is asked to stop, so that whoever runs it waits for them, too.
type joiner struct{ every time.Duration }

func (j *joiner) Start(ctx context.Context) error {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		j.rounds()
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait.Forever(func() { work(2) }, j.every) // want loop "wait.Forever never returns, so the manager cannot stop (*joiner).Start; stop it when the context is done"
	}()
	<-ctx.Done()
	group.Wait()
	<-done
	return nil
}

func (j *joiner) rounds() {
	for {
		time.Sleep(j.every) // want loop "loop around time.Sleep in (*joiner).rounds never checks the context of (*joiner).Start (line 14): it continues after the manager has stopped; return when the context is done"
		work(1)
	}
}

// A follower is no manager's, and what it calls fails when the context has ended.
type follower struct{ watch func(context.Context) error }

func (f *follower) Run(ctx context.Context) {
	for {
		if f.watch(ctx) != nil {
			time.Sleep(time.Second) // ok: it does nothing more, and of nobody is known that he waits
		}
	}
}

// A sleeper works on.
type sleeper struct{ every time.Duration }

func (s *sleeper) Run(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	for {
		time.Sleep(s.every) // want loop "loop around time.Sleep in (*sleeper).Run never checks the context of (*sleeper).Run (line 53): it continues after it is asked to stop; return when the context is done"
		work(1)
	}
}
