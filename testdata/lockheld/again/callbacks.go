package again

import (
	"slices"
	"sync"
	"time"
)

type ticker struct {
	mu     sync.Mutex
	onTick func(int)
	n      int
}

func newTicker() *ticker {
	t := &ticker{}
	t.onTick = func(int) { println(t.count()) }
	return t
}

func (t *ticker) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// Tick calls what the constructor has stored.
func (t *ticker) Tick() {
	t.mu.Lock()
	t.n++
	t.onTick(t.n) // want `t.mu .* is locked again .*\(\*ticker\).count\), which deadlocks`
	t.mu.Unlock()
}

type notifier struct {
	mu   sync.Mutex
	subs []func()
	n    int
}

func newNotifier() *notifier {
	n := &notifier{}
	n.subs = append(n.subs, func() { println(n.count()) })
	return n
}

func (n *notifier) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.n
}

// NotifyLocked calls its subscribers under the lock.
func (n *notifier) NotifyLocked() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range n.subs {
		f() // missed: which functions a slice holds is known for waits only
	}
}

// Notify copies them and calls them afterwards.
func (n *notifier) Notify() {
	n.mu.Lock()
	n.n++
	subs := slices.Clone(n.subs)
	n.mu.Unlock()
	for _, f := range subs {
		f() // ok: unlocked
	}
}

type watched struct {
	mu       sync.Mutex
	onChange func()
	n        int
}

func (w *watched) setHandler(f func()) { w.onChange = f }

func (w *watched) bump() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
}

func newWatched() *watched {
	w := &watched{}
	w.setHandler(w.bump)
	return w
}

// Change calls what the setter was given.
func (w *watched) Change() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.onChange != nil {
		w.onChange() // want `w.mu .* is locked again .*\(\*watched\).bump\), which deadlocks`
	}
}

type planner struct {
	mu    sync.Mutex
	later []func()
	n     int
}

func (p *planner) bump() {
	p.mu.Lock()
	p.n++
	p.mu.Unlock()
}

// Plan only keeps the functions.
func (p *planner) Plan() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = append(p.later, func() { p.bump() }, p.bump) // ok: kept, not called
}

// Kick starts them: they begin with nothing held.
func (p *planner) Kick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	go p.bump()                         // ok: a goroutine
	time.AfterFunc(time.Second, p.bump) // ok: a timer
	var wg sync.WaitGroup
	wg.Go(p.bump) // ok: a goroutine
}

type ranks struct {
	mu sync.Mutex
	by map[string]int
}

func (r *ranks) of(k string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[k]
}

// Sorted compares with a getter that locks, and holds the lock through a local pointer.
func (r *ranks) Sorted() []string {
	mu := &r.mu
	mu.Lock()
	defer mu.Unlock()
	var keys []string
	for k := range r.by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return r.of(a) - r.of(b) }) // want `r.mu .* is locked again .*\(\*ranks\).of\), which deadlocks`
	return keys
}

type lazy struct {
	mu   sync.Mutex
	once sync.Once
	by   map[string]string
}

func (l *lazy) load() {
	l.once.Do(func() {
		l.mu.Lock()
		l.by = map[string]string{}
		l.mu.Unlock()
	})
}

// Get loads with the lock held that the loader takes.
func (l *lazy) Get(k string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load() // want `l.mu .* is locked again .*\(\*lazy\).load, the function literal\), which deadlocks`
	return l.by[k]
}

// GetLate loads before it locks.
func (l *lazy) GetLate(k string) string {
	l.load()
	l.mu.Lock() // ok: the loader has unlocked
	defer l.mu.Unlock()
	return l.by[k]
}

type meter struct {
	mu sync.Mutex
	n  int
}

func (m *meter) read() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

// Double keeps the method before it locks.
func (m *meter) Double() int {
	read := m.read
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n *= 2
	return read() // want `m.mu .* is locked again .*, through \(\*meter\).read\), which deadlocks`
}
