// Package stations has observers, more than one call is taken to run.
package stations

import (
	"sync"

	"example.com/operators/lockheld/linked/observers"
)

// A Station tells the list that it is in.
type Station struct {
	mu   sync.Mutex
	note *observers.List
	down map[string]bool
}

// New is in the list.
func New(l *observers.List) *Station {
	s := &Station{note: l, down: map[string]bool{}}
	l.Add(s)
	return s
}

// Down is for the list.
func (s *Station) Down(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down[name] = true
}

// Failed is for the list.
func (s *Station) Failed(name string) { println(name) }

// Sweep tells the list with the lock held that Down needs.
func (s *Station) Sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.down {
		s.note.Failed(n)
	}
}

// A Platform is in no board.
type Platform struct {
	mu    sync.Mutex
	board *observers.Board
	as    observers.Observer
}

// NewPlatform is an observer of its own.
func NewPlatform(b *observers.Board) *Platform {
	p := &Platform{board: b}
	p.as = p
	return p
}

// Down is for lists.
func (p *Platform) Down(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
}

// Failed is for lists.
func (p *Platform) Failed(string) {}

// Sweep tells the board.
func (p *Platform) Sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.board.Down("p")
}

type quiet1 struct{ n int }

func (q *quiet1) Down(string)   { q.n++ }
func (q *quiet1) Failed(string) { q.n-- }

type quiet2 struct{ n int }

func (q *quiet2) Down(string)   { q.n++ }
func (q *quiet2) Failed(string) { q.n-- }

type quiet3 struct{ n int }

func (q *quiet3) Down(string)   { q.n++ }
func (q *quiet3) Failed(string) { q.n-- }

type quiet4 struct{ n int }

func (q *quiet4) Down(string)   { q.n++ }
func (q *quiet4) Failed(string) { q.n-- }

// Wire fills both.
func Wire(l *observers.List, b *observers.Board) {
	l.Add(&quiet1{})
	l.Add(&quiet2{})
	l.Add(&quiet3{})
	l.Add(&quiet4{})
	b.Add(&quiet1{})
	b.Add(&quiet2{})
	b.Add(&quiet3{})
	b.Add(&quiet4{})
}
