// Package entry has Runnables that act before they look at their context. What it shows is reported with -entry only.
package entry

import (
	"context"
	"net/http"
	"os"

	_ "sigs.k8s.io/controller-runtime"
)

type eager struct{ requests chan int }

func (e *eager) Start(ctx context.Context) error {
	e.requests <- 1 // want entry "(*eager).Start sends on e.requests before it looks at its context once: a manager that is stopping can start it still (a look at Err() first narrows the race, it does not close it)" @14 "it starts here"
	<-ctx.Done()
	return nil
}

type spawner struct{}

func (spawner) Start(ctx context.Context) error {
	go func() { // want entry "spawner.Start starts a goroutine before it looks at its context once: a manager that is stopping can start it still (a look at Err() first narrows the race, it does not close it)" @22 "it starts here"
		<-ctx.Done()
	}()
	return nil
}

type fetcher struct{ path string }

func (f *fetcher) Start(ctx context.Context) error {
	if _, err := http.Get("http://example.com/config"); err != nil { // want entry "(*fetcher).Start calls http.Get before it looks at its context once: a manager that is stopping can start it still (a look at Err() first narrows the race, it does not close it)" @31 "it starts here"
		return err
	}
	<-ctx.Done()
	return os.Remove(f.path)
}

type careful struct{ requests chan int }

func (c *careful) Start(ctx context.Context) error { // ok: it looks first
	if ctx.Err() != nil {
		return nil
	}
	c.requests <- 1
	<-ctx.Done()
	return nil
}

type selecting struct{ requests chan int }

func (s *selecting) Start(ctx context.Context) error { // ok: the select looks at both
	select {
	case s.requests <- 1:
	case <-ctx.Done():
	}
	return nil
}
