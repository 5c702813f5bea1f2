package certain

import "sync"

// A Log keeps a function that is told of each change. That of a Topic has one, that of a Voter none.
type Log struct {
	mu   sync.Mutex
	told func()
}

func (l *Log) Register(f func()) {
	l.mu.Lock()
	l.told = f
	l.mu.Unlock()
}

func (l *Log) Put() {
	l.mu.Lock()
	f := l.told
	l.mu.Unlock()
	if f != nil {
		f()
	}
}

// Quietly tells nobody for once.
func (l *Log) Quietly() {
	f := l.told
	l.told = nil
	defer func() { l.told = f }()
	l.Put()
}

type Topic struct {
	mu    sync.Mutex
	log   *Log
	voter *Voter
}

func NewTopic() *Topic {
	t := &Topic{log: &Log{}, voter: NewVoter()}
	t.log.Register(t.updated)
	return t
}

func (t *Topic) updated() {
	t.mu.Lock()
	t.mu.Unlock()
}

func (t *Topic) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.voter.Len()
}

// Append may come back for its own lock: whose function it is that its log keeps, is not known, so that nothing is said.
func (t *Topic) Append() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.Put()
}

type Voter struct {
	mu  sync.Mutex
	log *Log
}

func NewVoter() *Voter { return &Voter{log: &Log{}} }

func (v *Voter) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return 1
}

// Propose holds its lock while it puts into a log that tells nobody.
func (v *Voter) Propose() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log.Put()
}

// A Scheduler has a strategy that points back to it.
type strategy interface{ pick(nodes []string) string }

type Scheduler struct {
	mu       sync.Mutex
	nodes    []string
	strategy strategy
}

type least struct{ s *Scheduler }

func (l *least) pick(nodes []string) string { return nodes[l.s.Load()] }

type first struct{}

func (first) pick(nodes []string) string { return nodes[0] }

func NewScheduler() *Scheduler {
	s := &Scheduler{}
	s.strategy = &least{s}
	return s
}

func (s *Scheduler) UseFirst() { s.strategy = first{} }

func (s *Scheduler) Load() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 0
}

func (s *Scheduler) Assign() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.strategy.pick(s.nodes) // want relock/possible "s.mu (locked at line 116) is locked again (keepers.go:110, via (*least).pick, (*Scheduler).Load), which deadlocks; unlock first, or call a variant that does not lock" @116 "s.mu is locked here" @118 "calls (*least).pick" @95 "calls (*Scheduler).Load" @110 "second acquisition"
}

// A Relay has a strategy that points to another Scheduler than the one that asks it.
type Relay struct {
	mu    sync.Mutex
	other *Scheduler
	strat strategy
}

func NewRelay(other *Scheduler) *Relay { return &Relay{other: other, strat: &least{other}} }

func (r *Relay) Assign() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.strat.pick(nil)
}
