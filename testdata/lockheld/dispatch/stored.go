package dispatch

import "sync"

// An Observer has more implementations than one call is taken to run: what a list calls are those that are put into it.
type Observer interface {
	Down(name string)
	Failed(name string)
}

type List struct {
	mu  sync.Mutex
	obs []Observer
}

func (l *List) Add(o Observer) { l.obs = append(l.obs, o) }

func (l *List) tell(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.obs {
		o.Down(name) // want order/possible "lock order cycle: (*List).tell locks dispatch.station.Mutex while holding dispatch.List.mu (stored.go:47); (*station).Sweep locks dispatch.List.mu while holding dispatch.station.Mutex (stored.go:27): concurrent calls deadlock; acquire them in one order" @19 "l.mu is locked here" @22 "calls (*station).Down" @47 "acquires dispatch.station.Mutex" @55 "s.Mutex is locked here" @58 "calls (*List).fail" @27 "acquires dispatch.List.mu"
	}
}

func (l *List) fail(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.obs {
		o.Failed(name)
	}
}

type station struct {
	sync.Mutex
	note *List
	down map[string]bool
}

func NewStation(l *List) *station {
	s := &station{note: l, down: map[string]bool{}}
	s.note.Add(s)
	return s
}

func (s *station) Down(name string) {
	s.Lock()
	defer s.Unlock()
	s.down[name] = true
}

func (s *station) Failed(name string) { println(name) }

func (s *station) Sweep() {
	s.Lock()
	defer s.Unlock()
	for n := range s.down {
		s.note.fail(n)
	}
}

// A board has only observers that need no lock.
type board struct {
	mu  sync.Mutex
	obs []Observer
}

func (b *board) Add(o *quiet1) { b.obs = append(b.obs, o, &quiet2{}, &quiet3{}, &quiet4{}) }

func (b *board) tell(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.obs {
		o.Down(name) // ok: no platform is among them
	}
}

type platform struct {
	sync.Mutex
	board *board
}

func (p *platform) Down(string) {
	p.Lock()
	defer p.Unlock()
}

func (p *platform) Failed(string) {}

func (p *platform) Sweep() {
	p.Lock()
	defer p.Unlock()
	p.board.tell("p")
}

// A tray calls what is put into it when it has unlocked.
type tray struct {
	mu  sync.Mutex
	obs []Observer
}

func (t *tray) Add(o Observer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.obs = append(t.obs, o)
}

func (t *tray) tell(name string) {
	t.mu.Lock()
	obs := t.obs
	t.mu.Unlock()
	for _, o := range obs {
		o.Down(name) // ok: no lock is held
	}
}

type desk struct {
	sync.Mutex
	tray *tray
}

func NewDesk(t *tray) *desk {
	d := &desk{tray: t}
	t.Add(d)
	return d
}

func (d *desk) Down(string) {
	d.Lock()
	defer d.Unlock()
}

func (d *desk) Failed(string) {}

func (d *desk) Sweep() {
	d.Lock()
	defer d.Unlock()
	d.tray.Add(d)
}

func Wire(l *List, b *board, t *tray) {
	l.tell("l")
	t.tell("t")
	l.Add(&quiet1{})
	l.Add(&quiet2{})
	l.Add(&quiet3{})
	l.Add(&quiet4{})
	b.Add(&quiet1{})
	t.Add(&quiet1{})
	t.Add(&quiet2{})
	t.Add(&quiet3{})
	t.Add(&quiet4{})
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
