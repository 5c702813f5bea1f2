package certain

import (
	"errors"
	"sync"
)

type link struct{ addr string }

func dial(addr string) (any, error) {
	if addr == "" {
		return nil, errors.New("no address")
	}
	return &link{addr}, nil
}

// A session has a link from the first day on: that it has none is a case that never comes.
type session struct {
	mu   sync.Mutex
	addr string
	link *link
}

func newSession(addr string) (*session, error) {
	s := &session{addr: addr}
	l, err := dial(s.address())
	if err != nil {
		return nil, err
	}
	s.link = l.(*link)
	return s, nil
}

func (s *session) address() string { return s.addr + ":443" }

func (s *session) Use() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.addr != "" && s.link == nil {
		if err := s.connect(); err != nil {
			return "", err
		}
	}
	return s.link.addr, nil
}

func (s *session) connect() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, err := dial(s.addr)
	if err != nil {
		return err
	}
	s.link = l.(*link)
	return nil
}

// A tunnel loses its link when it is closed.
type tunnel struct {
	mu   sync.Mutex
	addr string
	link *link
}

func newTunnel(addr string) *tunnel { return &tunnel{addr: addr, link: &link{addr}} }

func (t *tunnel) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.link = nil
}

func (t *tunnel) Use() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.link == nil {
		t.connect() // want relock/certain "t.mu (locked at line 74) is locked again (set.go:83, via (*tunnel).connect), which deadlocks; unlock first, or call a variant that does not lock" @74 "t.mu is locked here" @77 "calls (*tunnel).connect" @83 "second acquisition"
	}
	return t.link.addr
}

func (t *tunnel) connect() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.link = &link{t.addr}
}

// A line is told to others before it has a link.
type line struct {
	mu   sync.Mutex
	addr string
	link *link
}

var lines = make(chan *line, 1)

func newLine(addr string) *line {
	l := &line{addr: addr}
	lines <- l
	l.link = &link{addr}
	return l
}

func (l *line) Use() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.link == nil {
		l.connect() // want relock/certain "l.mu (locked at line 105) is locked again (set.go:114, via (*line).connect), which deadlocks; unlock first, or call a variant that does not lock" @105 "l.mu is locked here" @108 "calls (*line).connect" @114 "second acquisition"
	}
	return l.link.addr
}

func (l *line) connect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link = &link{l.addr}
}
