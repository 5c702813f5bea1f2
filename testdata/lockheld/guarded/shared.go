package guarded

import (
	"os"
	"os/signal"
	"sync"
)

// A crew gives its wait group and its channel to a function by address.
type crew struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	done chan int
}

func work(wg *sync.WaitGroup) { wg.Done() }

func fill(c *chan int) { *c <- 1 }

func (c *crew) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wg.Add(1)
	go work(&c.wg)
	c.wg.Wait() // ok: work ends it
	go fill(&c.done)
	<-c.done // ok: fill ends it
}

// A choir keeps its listeners as the keys of a map.
type choir struct {
	mu   sync.Mutex
	subs map[chan int]struct{}
}

func (c *choir) listen() int {
	ch := make(chan int)
	c.mu.Lock()
	c.subs[ch] = struct{}{}
	c.mu.Unlock()
	return <-ch
}

func (c *choir) sing(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ch := range c.subs {
		ch <- v // ok: listen has the lock behind it
	}
}

// A watch hands its channel to a function of another package through a field.
type watch struct {
	mu     sync.Mutex
	notify func(chan<- os.Signal, ...os.Signal)
}

func newWatch() *watch { return &watch{notify: signal.Notify} }

func (w *watch) wait() os.Signal {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := make(chan os.Signal)
	w.notify(c)
	return <-c // ok: who sends is not in sight
}

// A panel may ask any of four functions to answer.
type panel struct {
	mu  sync.Mutex
	ask func(chan int)
}

func one(c chan int)   { c <- 1 }
func two(c chan int)   { c <- 2 }
func three(c chan int) { c <- 3 }
func four(c chan int)  { c <- 4 }

func panels() []*panel { return []*panel{{ask: one}, {ask: two}, {ask: three}, {ask: four}} }

func (p *panel) answer() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := make(chan int)
	go p.ask(c)
	return <-c // ok: one of them answers
}
