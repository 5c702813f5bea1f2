package certain

import "sync"

// A Pool has a semaphore in a channel. Who is past its own send has a share and gives it back without the lock; what it does with
// the lock later does not keep another one waiting.
type Pool struct {
	mu    sync.Mutex
	slots chan struct{}
	done  int
}

func NewPool() *Pool { return &Pool{slots: make(chan struct{}, 4)} }

func (p *Pool) work(f func()) {
	p.slots <- struct{}{}
	f()
	<-p.slots
	p.mu.Lock()
	p.done++
	p.mu.Unlock()
}

func (p *Pool) Go(f func()) { go p.work(f) }

func (p *Pool) Last() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots <- struct{}{}
	<-p.slots
}

// A Ring takes the lock while it has a share: then nobody gets on.
type Ring struct {
	mu    sync.Mutex
	slots chan struct{}
	done  int
}

func NewRing() *Ring { return &Ring{slots: make(chan struct{}, 4)} }

func (r *Ring) work() {
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	r.mu.Lock()
	r.done++
	r.mu.Unlock()
}

func (r *Ring) Go() { go r.work() }

func (r *Ring) Last() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots <- struct{}{} // want blocking/possible "r.mu (locked at line 53) is held across the send to r.slots, which deadlocks once the buffer is full: (*Ring).work at tokens.go:45 needs the same lock to unblock it; unlock first" @53 "r.mu is locked here" @45 "(*Ring).work needs the same lock here" @44 "and ends the wait only here"
}

// A Backlog is emptied under the lock that all who take from it hold, behind a look at its length.
type Backlog struct {
	mu   sync.Mutex
	jobs chan int
	kept []int
}

func NewBacklog() *Backlog { return &Backlog{jobs: make(chan int, 16)} }

func (b *Backlog) Put(job int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.jobs) == cap(b.jobs) {
		b.flush()
	}
	b.jobs <- job
}

func (b *Backlog) flush() {
	for len(b.jobs) > 0 {
		b.kept = append(b.kept, <-b.jobs)
	}
}

func (b *Backlog) Get() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if 0 == len(b.jobs) {
		return 0, false
	}
	return <-b.jobs, true
}

// A Feed looks at the length, too, but another one takes from it without the lock.
type Feed struct {
	mu   sync.Mutex
	jobs chan int
}

func NewFeed() *Feed { return &Feed{jobs: make(chan int, 16)} }

func (f *Feed) Put(job int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.jobs) < cap(f.jobs) {
		f.jobs <- job
	}
}

func (f *Feed) Drop() { go func() { <-f.jobs }() }

func (f *Feed) Get() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.jobs) > 0 {
		return <-f.jobs // want blocking/possible "f.mu (locked at line 110) is held across the receive from f.jobs, which deadlocks: (*Feed).Put at tokens.go:100 needs the same lock to unblock it; unlock first" @110 "f.mu is locked here" @100 "(*Feed).Put needs the same lock here" @103 "and ends the wait only here"
	}
	return 0
}

// A Latch has the methods of its group for all who have one: those who call Done are elsewhere.
type Latch struct {
	sync.WaitGroup
	mu sync.Mutex
}

func (l *Latch) Add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.WaitGroup.Add(n)
}

func (l *Latch) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.WaitGroup.Wait()
}

// A Gate is a variable; who locks a gate in an object, or another variable, does not lock this one.
type Gate struct{ mu sync.Mutex }

func (g *Gate) Enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
}

func (g *Gate) hold() { g.mu.Lock() }

var closing, counting Gate

var worker sync.WaitGroup

func StartWorker() {
	worker.Add(1)
	go func() {
		defer worker.Done()
		counting.Enter()
	}()
}

func Shutdown() {
	closing.hold()
	worker.Wait()
}

var clerk sync.WaitGroup

func StartClerk() {
	clerk.Add(1)
	go func() {
		defer clerk.Done()
		closing.Enter()
	}()
}

func ShutdownClerk() {
	closing.hold()
	clerk.Wait() // want blocking/possible "closing.mu (locked at line 174) is held across clerk.Wait, which deadlocks: (*Gate).Enter at tokens.go:140 needs the same lock to unblock it; unlock first" @174 "closing.mu is locked here" @140 "(*Gate).Enter needs the same lock here" @168 "and ends the wait only here"
}

// An Answer asserts its channel back from what others have: they may be the ones who send.
type Answer struct {
	mu   sync.Mutex
	done chan struct{}
}

func NewAnswer() *Answer { return &Answer{done: make(chan struct{})} }

func (a *Answer) Wait(other interface{ Any() any }) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-other.Any().(chan struct{}):
	case <-a.done:
	}
}

func (a *Answer) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.done)
}

// A Survey closes the channel before it reads what is in there.
type Survey struct {
	mu  sync.Mutex
	sum int
}

func (s *Survey) Ask(ns []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ask(ns)
}

func (s *Survey) ask(ns []int) {
	answers := make(chan int, len(ns))
	var wg sync.WaitGroup
	for _, n := range ns {
		wg.Add(1)
		go func() {
			defer wg.Done()
			answers <- n * n
		}()
	}
	wg.Wait()
	close(answers)
	for a := range answers {
		s.sum += a
	}
}
