// Package others starts several goroutines that send, and receives from some of them, or from all.
package others

import (
	"context"
	"sync"
)

type task func(ctx context.Context) error

// first returns for the first error.
func first(ctx context.Context, tasks []task) error {
	var wg sync.WaitGroup
	errs := make(chan error)
	for _, t := range tasks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- t(ctx) // want abandoned "this send waits forever in the goroutines that come to it once first has returned, as it does for one of the values (line 27) without waiting for the others: nobody else receives from a channel without room; make it with room for all" @14 "the channel is made here" @27 "this receives no more"
		}()
	}
	go func() {
		defer close(errs)
		wg.Wait()
	}()
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type result struct {
	name string
	err  error
}

// counted receives as often as it has started one, but for an error.
func counted(ctx context.Context, tasks map[string]task) ([]string, error) {
	results := make(chan result)
	for name, t := range tasks {
		go func() {
			results <- result{name, t(ctx)} // want abandoned "this send waits forever in the goroutines that come to it once counted has returned, as it does for one of the values (line 50) without waiting for the others: nobody else receives from a channel without room; make it with room for all" @41 "the channel is made here" @50 "this receives no more"
		}()
	}
	var names []string
	for range tasks {
		r := <-results
		if r.err != nil {
			return nil, r.err
		}
		names = append(names, r.name)
	}
	return names, nil
}

// all receives from all of them.
func all(ctx context.Context, tasks []task) (last error) {
	errs := make(chan error)
	for _, t := range tasks {
		go func() { errs <- t(ctx) }() // ok
	}
	for range tasks {
		if err := <-errs; err != nil {
			last = err
		}
	}
	return last
}

// roomy has room for all.
func roomy(ctx context.Context, tasks []task) error {
	errs := make(chan error, len(tasks))
	for _, t := range tasks {
		go func() { errs <- t(ctx) }() // ok
	}
	for range tasks {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// told lets the others go.
func told(ctx context.Context, tasks []task) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error)
	for _, t := range tasks {
		go func() {
			select {
			case errs <- t(ctx): // ok
			case <-ctx.Done():
			}
		}()
	}
	for range tasks {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// one starts a single one, and one after the other.
func one(ctx context.Context, tasks []task) error {
	for _, t := range tasks {
		errs := make(chan error)
		go func() { errs <- t(ctx) }() // ok: it is received
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// drained receives the rest before it returns.
func drained(ctx context.Context, tasks []task) error {
	errs := make(chan error)
	for _, t := range tasks {
		go func() { errs <- t(ctx) }() // ok
	}
	for i := range tasks {
		if err := <-errs; err != nil {
			for range tasks[i+1:] {
				<-errs
			}
			return err
		}
	}
	return nil
}

// ended goes on until the channel is closed.
func ended(ctx context.Context, tasks []task) (n int) {
	var wg sync.WaitGroup
	errs := make(chan error)
	for _, t := range tasks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- t(ctx) // ok
		}()
	}
	go func() {
		wg.Wait()
		close(errs)
	}()
	for {
		_, ok := <-errs
		if !ok {
			return n
		}
		n++
	}
}

var _ = []any{first, counted, all, roomy, told, one, drained, ended}
