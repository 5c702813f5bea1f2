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
		wait.Forever(func() { work(2) }, j.every) // want loop "wait.Forever never returns: what (*joiner).Start started goes on when the manager stops"
	}()
	<-ctx.Done()
	group.Wait()
	<-done
	return nil
}

func (j *joiner) rounds() {
	for {
		time.Sleep(j.every) // want loop "time.Sleep in a loop of (*joiner).rounds that never looks at the context of (*joiner).Start (line 14): the loop goes on after the manager has stopped"
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
		time.Sleep(s.every) // want loop "time.Sleep in a loop of (*sleeper).Run that never looks at the context of (*sleeper).Run (line 53): the loop goes on after it was asked to stop"
		work(1)
	}
}
