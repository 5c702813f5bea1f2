package lockheld_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/operators/repro/lockheld/condition"
	"example.com/operators/repro/lockheld/handover"
	"example.com/operators/repro/lockheld/leak"
	"example.com/operators/repro/lockheld/order"
	"example.com/operators/repro/lockheld/reader"
	"example.com/operators/repro/lockheld/relock"
	"example.com/operators/repro/lockheld/workers"
	"example.com/operators/repro/process"
	"example.com/operators/repro/stuck"
)

// program is one main function, run over the bad code and over its good twin, in a process of its own each.
type program struct {
	name      string
	bad, good func()
	waits     []stuck.Wait // of the bad one, when it is dead
}

func of[T any](name string, main func(T), bad, good T, waits ...stuck.Wait) program {
	return program{name, func() { main(bad) }, func() { main(good) }, waits}
}

var programs = []program{
	of[resyncer]("relock", resync, relock.NewBad(), relock.NewGood(),
		stuck.Wait{State: "sync.Mutex.Lock", In: "relock.(*Bad).MarkReady"}),
	of[counter]("reader", count, reader.NewBad(), reader.NewGood(),
		stuck.Wait{State: "sync.RWMutex.RLock", In: "reader.(*Bad).Get"},
		stuck.Wait{State: "sync.RWMutex.Lock", In: "reader.(*Bad).Set"}),
	of[hander]("handover", hand, handover.NewBad(), handover.NewGood(),
		stuck.Wait{State: "chan send", In: "handover.(*Bad).Put"},
		stuck.Wait{State: "sync.Mutex.Lock", In: "handover.(*Bad).Run"}),
	of[stopper]("workers", stop, workers.NewBad(), workers.NewGood(),
		stuck.Wait{State: "sync.WaitGroup.Wait", In: "workers.(*Bad).Stop"},
		stuck.Wait{State: "sync.Mutex.Lock", In: "workers.(*Bad).work"}),
	of[indexer]("order", index, order.NewBad(), order.NewGood(),
		stuck.Wait{State: "sync.Mutex.Lock", In: "order.(*Bad).Add"},
		stuck.Wait{State: "sync.Mutex.Lock", In: "order.(*Bad).Reindex"}),
	of[taker]("condition", take, condition.NewBad(), condition.NewGood(),
		stuck.Wait{State: "sync.Cond.Wait", In: "condition.(*Bad).Take"},
		stuck.Wait{State: "sync.Mutex.Lock", In: "condition.(*Bad).Put"}),
	of[adder]("leak", add, leak.NewBad(), leak.NewGood(),
		stuck.Wait{State: "sync.Mutex.Lock", In: "leak.(*Bad).Add"}),
}

type resyncer interface{ Resync(names []string) }

func resync(r resyncer) { r.Resync([]string{"main"}) }

type counter interface {
	Set(name string, n int)
	Total(logf func(string, ...any)) int
}

// count lets a writer come while a reader logs: it waits for the reader, and then no other reader gets the lock.
func count(c counter) {
	c.Total(during(func() { c.Set("main", 5) }))
}

type hander interface {
	Run()
	Put(names ...string)
	Close()
}

func hand(h hander) {
	var wg sync.WaitGroup
	wg.Go(h.Run)
	h.Put("one", "two")
	h.Close()
	wg.Wait()
}

type stopper interface {
	Start()
	Stop()
}

func stop(s stopper) {
	s.Start()
	s.Stop()
}

type indexer interface {
	Add(name, zone string, logf func(string, ...any))
	Reindex()
}

// index lets Reindex run while Add has its first lock.
func index(x indexer) {
	x.Add("main", "west", during(x.Reindex))
}

type taker interface {
	Take() []string
	Put(names ...string)
}

func take(t taker) {
	var wg sync.WaitGroup
	wg.Go(func() { t.Take() })
	stuck.Settle()
	t.Put("main")
	wg.Wait()
}

type adder interface{ Add(name string) error }

// add is told at the second call that the name is there, and comes a third time.
func add(a adder) {
	_ = a.Add("main")
	_ = a.Add("main")
	_ = a.Add("main")
}

// during gives a log function that lets other run in its own goroutine, as far as it gets, while the line is written.
func during(other func()) func(string, ...any) {
	return func(string, ...any) {
		go other()
		stuck.Settle()
	}
}

// TestMain makes this binary one program, so that nothing else runs in its process. The runtime proves a deadlock where no
// goroutine of a process can ever run again, and ends it with a traceback.
func TestMain(m *testing.M) {
	all := make(map[string]func())
	for _, p := range programs {
		all[p.name+"/bad"], all[p.name+"/good"] = p.bad, p.good
	}
	process.Main(m, all)
}

func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			output, err := execute(t, p.name+"/bad")
			if err == nil || !strings.Contains(output, "fatal error: all goroutines are asleep - deadlock!") {
				t.Errorf("the bad program is not dead: %v\n%s", err, output)
			} else if err := stuck.Missing(output, p.waits...); err != nil {
				t.Errorf("the bad program: %v", err)
			}
			if output, err := execute(t, p.name+"/good"); err != nil || output != "" {
				t.Errorf("the good program: %v\n%s", err, output)
			}
		})
	}
}

// execute runs a program to its end. The deadline is for a runtime that looks for no deadlocks, as under -race.
func execute(t *testing.T, name string) (output string, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	return process.Run(ctx, name, "GOTRACEBACK=all")
}
