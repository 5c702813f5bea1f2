// Package join waits for groups of goroutines, from outside and from within.
package join

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

var errNotSynced = errors.New("not synced")

func handler(ctx context.Context, f informers.SharedInformerFactory) (func(), error) {
	var group wait.Group
	ctx, cancel := context.WithCancel(ctx)
	stop := func() {
		cancel()
		group.Wait() // want neverstops "group.Wait waits for the goroutine that it runs on, started on line 27: it never ends" @27 "started in the group here"
	}
	pods := f.Core().V1().Pods()
	if err := pods.Informer().SetWatchErrorHandler(func(*cache.Reflector, error) { stop() }); err != nil {
		return nil, err
	}
	group.StartWithContext(ctx, func(ctx context.Context) { pods.Informer().Run(ctx.Done()) })
	if !cache.WaitForCacheSync(ctx.Done(), pods.Informer().HasSynced) {
		stop()
		return nil, errNotSynced
	}
	return stop, nil
}

func cancels(ctx context.Context, f informers.SharedInformerFactory) (func(), error) {
	var group wait.Group
	ctx, cancel := context.WithCancel(ctx)
	stop := func() {
		cancel()
		group.Wait() // ok: not called on the informer's goroutine
	}
	pods := f.Core().V1().Pods()
	if err := pods.Informer().SetWatchErrorHandler(func(*cache.Reflector, error) { cancel() }); err != nil {
		return nil, err
	}
	group.StartWithContext(ctx, func(ctx context.Context) { pods.Informer().Run(ctx.Done()) })
	return stop, nil
}

func workers(jobs []func() error) {
	var wg sync.WaitGroup
	failed := func() {
		wg.Wait() // want neverstops "wg.Wait waits for the goroutine that it runs on, started on line 57: it never ends" @57 "started in the group here"
	}
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if job() != nil {
				failed()
			}
		}()
	}
	wg.Wait() // ok: from outside
}

func later(jobs []func() error) {
	var wg, done sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if job() != nil {
				done.Wait()  // ok: another group
				go wg.Wait() // ok: another goroutine
			}
		}()
	}
	wg.Wait()
}

type relay struct{ runs sync.WaitGroup }

// next is counted once those before it have left.
func (r *relay) next(run func()) {
	go func() {
		r.runs.Wait() // ok: for those before it
		r.runs.Add(1)
		defer r.runs.Done()
		run()
	}()
	go func() {
		r.runs.Add(1)
		defer r.runs.Done()
		r.runs.Wait() // want neverstops "r.runs.Wait waits for the goroutine that it runs on, started on line 92: it never ends" @92 "started in the group here"
		run()
	}()
}

var _ = (*relay).next

// halve waits for a group of its own each time that it is called, also by one of its goroutines.
func halve(jobs []string, run func(string) error) {
	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if run(job) != nil && len(job) > 1 {
				halve([]string{job[:len(job)/2], job[len(job)/2:]}, run)
			}
		}()
	}
	wg.Wait() // ok: this goroutine belongs to another call's group
}

var _ = halve
