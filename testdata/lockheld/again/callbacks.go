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
	t.onTick(t.n) // want relock/certain "t.mu (locked at line 29) is locked again (callbacks.go:22, via the function literal of newTicker, (*ticker).count), which deadlocks; unlock first, or call a variant that does not lock" @29 "t.mu is locked here" @31 "calls the function literal of newTicker" @17 "calls (*ticker).count" @22 "second acquisition"
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
		f() // want relock/certain "n.mu (locked at line 55) is locked again (callbacks.go:48, via the function literal of newNotifier, (*notifier).count), which deadlocks; unlock first, or call a variant that does not lock" @55 "n.mu is locked here" @58 "calls the function literal of newNotifier" @43 "calls (*notifier).count" @48 "second acquisition"
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
		w.onChange() // want relock/certain "w.mu (locked at line 95) is locked again (callbacks.go:82, via (*watched).bump), which deadlocks; unlock first, or call a variant that does not lock" @95 "w.mu is locked here" @98 "calls (*watched).bump" @82 "second acquisition"
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
	slices.SortFunc(keys, func(a, b string) int { return r.of(a) - r.of(b) }) // want relock/certain "r.mu (locked at line 145) is locked again (callbacks.go:137, via the function literal, (*ranks).of), which deadlocks; unlock first, or call a variant that does not lock" @145 "r.mu is locked here" @151 "calls the function literal" @151 "calls (*ranks).of" @137 "second acquisition"
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
	l.load() // want relock/certain "l.mu (locked at line 171) is locked again (callbacks.go:163, via (*lazy).load, the function literal), which deadlocks; unlock first, or call a variant that does not lock" @171 "l.mu is locked here" @173 "calls (*lazy).load" @162 "calls the function literal" @163 "second acquisition"
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
	return read() // want relock/certain "m.mu (locked at line 199) is locked again (callbacks.go:191, via (*meter).read), which deadlocks; unlock first, or call a variant that does not lock" @199 "m.mu is locked here" @202 "calls (*meter).read" @191 "second acquisition"
}
