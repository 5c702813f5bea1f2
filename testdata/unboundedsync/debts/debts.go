// Package debts waits for groups of goroutines.
package debts

import (
	"errors"
	"sync"

	"k8s.io/client-go/tools/cache"
)

func save(string) error { return errors.New("no disk") }

// twice adds what its literal adds, too.
func twice(names []string, changed func(string) bool, _ cache.Store) {
	var wg sync.WaitGroup
	start := func(name string) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	for _, name := range names {
		if changed(name) {
			wg.Add(1)
			start(name)
			continue
		}
		start(name)
	}
	wg.Wait() // want neverstops "wg.Wait never ends where what line 25 adds to the group is not paid: a way from here to the wait, or to the next one, has no Done (line 31)" @25 "the unit is added for this" @31 "it comes here without a Done"
}

// skipped adds before it knows whether there is something to do.
func skipped(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		if name == "" {
			continue
		}
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	wg.Wait() // want neverstops "wg.Wait never ends where what line 38 adds to the group is not paid: a way from here to the wait, or to the next one, has no Done (line 47)" @38 "the unit is added for this" @47 "it comes here without a Done"
}

// forgotten returns early from a goroutine.
func forgotten(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			if err := save(name); err != nil {
				return
			}
			wg.Done()
		}()
	}
	wg.Wait() // want neverstops "wg.Wait never ends where what line 55 adds to the group is not paid: this goroutine may return without its Done (line 57)" @55 "the unit is added for this" @57 "it comes here without a Done"
}

// paid says Done on all ways.
func paid(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		if name == "" {
			continue
		}
		wg.Add(1)
		go func() {
			if err := save(name); err != nil {
				wg.Done()
				return
			}
			wg.Done()
		}()
	}
	wg.Wait() // ok
}

// lent hands the group to others.
func lent(names []string, queue func(func())) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		queue(func() {
			defer wg.Done()
			_ = save(name)
		})
	}
	wg.Add(1)
	go worker(&wg)
	wg.Wait() // ok
}

func worker(wg *sync.WaitGroup) { defer wg.Done() }

// both adds before it starts two.
func both() {
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Add(1)
	go func() {
		defer wg.Done()
		_ = save("a")
	}()
	go func() {
		defer wg.Done()
		_ = save("b")
	}()
	wg.Wait() // ok
}

// before adds all, and starts them later.
func before(names []string) {
	var wg sync.WaitGroup
	for range names {
		wg.Add(1)
	}
	for _, name := range names {
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	wg.Wait() // ok: as many as were added
}

// sameTest asks for the same twice.
func sameTest(name string, wanted bool) {
	var wg sync.WaitGroup
	if wanted {
		wg.Add(1)
	}
	_ = save("first")
	if wanted {
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	wg.Wait() // ok
}

// undone gives back what it has added.
func undone(names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		if name == "" {
			wg.Done()
			continue
		}
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	wg.Wait() // ok
}

// many adds several at once: how many goroutines there are is not counted.
func many(names []string) {
	var wg sync.WaitGroup
	wg.Add(len(names))
	for _, name := range names {
		if name == "" {
			continue
		}
		go func() {
			defer wg.Done()
			_ = save(name)
		}()
	}
	wg.Wait() // ok
}

// kept is called by whoever gets the answers.
func kept(names []string, answers map[string]func()) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		answers[name] = func() { wg.Done() }
	}
	wg.Wait() // ok
}

// two adds in a loop, and starts both behind it.
func two() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
	}
	go func() {
		defer wg.Done()
		_ = save("a")
	}()
	go func() {
		defer wg.Done()
		_ = save("b")
	}()
	wg.Wait() // ok
}

// groups has goroutines that start others, who say Done.
func groups(all map[string][]string) {
	var wg sync.WaitGroup
	for _, names := range all {
		for range names {
			wg.Add(1)
		}
	}
	for _, names := range all {
		go func() {
			for _, name := range names {
				go func() {
					defer wg.Done()
					_ = save(name)
				}()
			}
		}()
	}
	wg.Wait() // ok
}

type job struct {
	name string
	done *sync.WaitGroup
}

// sent goes to a worker with the group in it.
func sent(names []string, jobs chan<- job) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		jobs <- job{name, &wg}
	}
	wg.Wait() // ok
}

// called hands on the method itself.
func called(later func(func())) {
	var wg sync.WaitGroup
	wg.Add(1)
	later(wg.Done)
	wg.Wait() // ok
}

// queued has somebody who pays before it adds.
func queued(put func(string), handle func(func(string))) {
	var wg sync.WaitGroup
	handle(func(name string) {
		_ = save(name)
		wg.Done()
	})
	wg.Add(1)
	put("a")
	wg.Add(1)
	put("b")
	wg.Wait() // ok
}

// parks has a group for itself alone, so as not to return.
func parks(stopped <-chan string) error {
	go func() {
		for name := range stopped {
			_ = save(name)
		}
	}()
	hang := sync.WaitGroup{}
	hang.Add(1)
	hang.Wait() // ok: nobody has forgotten a Done
	return nil
}

// unheard has a goroutine that the unit may be meant for.
func unheard(name string) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { _ = save(name) }()
	wg.Wait() // want neverstops "wg.Wait never ends where what line 282 adds to the group is not paid: a way from here to the wait, or to the next one, has no Done (line 284)" @282 "the unit is added for this" @284 "it comes here without a Done"
}

// neverBehind goes on behind the wait, or would.
func neverBehind(name string) error {
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait() // want neverstops "wg.Wait never ends where what line 290 adds to the group is not paid: a way from here to the wait, or to the next one, has no Done (line 291)" @290 "the unit is added for this" @291 "it comes here without a Done"
	return save(name)
}
