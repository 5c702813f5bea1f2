package cycles

import (
	"sync"
	"time"
)

// turner has one goroutine, which takes its locks in one order, and then in the other.
type turner struct {
	handlers, watchers sync.Mutex
	names              []string
}

func newTurner() *turner {
	w := &turner{}
	go w.loop()
	return w
}

func (w *turner) loop() {
	for {
		w.dispatch()
		w.manage()
		time.Sleep(time.Second)
	}
}

func (w *turner) dispatch() {
	w.handlers.Lock()
	defer w.handlers.Unlock()
	w.watchers.Lock() // ok: nobody else goes the other way
	defer w.watchers.Unlock()
	w.names = nil
}

func (w *turner) manage() {
	w.watchers.Lock()
	defer w.watchers.Unlock()
	w.handlers.Lock()
	defer w.handlers.Unlock()
	w.names = append(w.names, "a")
}

// crew has several.
type crew struct {
	jobs, workers sync.Mutex
	n             int
}

func newCrew() *crew {
	p := &crew{}
	for range 4 {
		go p.loop()
	}
	return p
}

func (p *crew) loop() {
	for {
		p.add()
		p.remove()
	}
}

func (p *crew) add() {
	p.jobs.Lock()
	defer p.jobs.Unlock()
	p.workers.Lock() // want order/possible "lock order cycle: (*crew).add locks cycles.crew.workers while holding cycles.crew.jobs (turns.go:68); (*crew).remove locks cycles.crew.jobs while holding cycles.crew.workers (turns.go:76): concurrent calls deadlock; acquire them in one order" @66 "p.jobs is locked here" @68 "cycles.crew.workers is acquired here" @74 "p.workers is locked here" @76 "cycles.crew.jobs is acquired here"
	defer p.workers.Unlock()
	p.n++
}

func (p *crew) remove() {
	p.workers.Lock()
	defer p.workers.Unlock()
	p.jobs.Lock()
	defer p.jobs.Unlock()
	p.n--
}

// server has a goroutine for each connection.
type server struct {
	conns, users sync.Mutex
	n            int
}

func (s *server) accept(next func() bool) {
	for next() {
		s.serve()
	}
}

func (s *server) serve() { go s.session() }

func (s *server) session() {
	s.open()
	s.close()
}

func (s *server) open() {
	s.conns.Lock()
	defer s.conns.Unlock()
	s.users.Lock() // want order/possible "lock order cycle: (*server).open locks cycles.server.users while holding cycles.server.conns (turns.go:103); (*server).close locks cycles.server.conns while holding cycles.server.users (turns.go:111): concurrent calls deadlock; acquire them in one order" @101 "s.conns is locked here" @103 "cycles.server.users is acquired here" @109 "s.users is locked here" @111 "cycles.server.conns is acquired here"
	defer s.users.Unlock()
	s.n++
}

func (s *server) close() {
	s.users.Lock()
	defer s.users.Unlock()
	s.conns.Lock()
	defer s.conns.Unlock()
	s.n--
}
