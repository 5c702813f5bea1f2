package cycles

import "sync"

type sink interface{ accept(n int) }

type pump struct {
	mu  sync.Mutex
	out sink
	n   int
}

type tank struct {
	mu    sync.Mutex
	level int
	pump  *pump
}

func newPump() *pump {
	p := &pump{}
	p.out = &tank{pump: p}
	return p
}

func (t *tank) accept(n int) {
	t.mu.Lock()
	t.level += n
	t.mu.Unlock()
}

// push reaches the second lock through an interface that one type has.
func (p *pump) push(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n += n
	p.out.accept(n) // want order/possible "lock order cycle: (*pump).push locks cycles.tank.mu while holding cycles.pump.mu (values.go:26); (*tank).check locks cycles.pump.mu while holding cycles.tank.mu (values.go:40): concurrent calls deadlock; acquire them in one order" @33 "p.mu is locked here" @36 "calls (*tank).accept" @26 "acquires cycles.tank.mu" @46 "t.mu is locked here" @48 "calls (*pump).total" @40 "acquires cycles.pump.mu"
}

func (p *pump) total() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

func (t *tank) check() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.level == t.pump.total()
}

type worker struct {
	mu     sync.Mutex
	onDone func(int)
	n      int
}

type board struct {
	mu     sync.Mutex
	done   map[int]bool
	worker *worker
}

func newBoard() *board {
	b := &board{done: map[int]bool{}}
	b.worker = &worker{onDone: b.mark}
	return b
}

func (b *board) mark(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done[n] = true
}

// finish reaches it through a field that the constructor sets.
func (w *worker) finish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	w.onDone(w.n)
}

func (b *board) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.done)
	b.worker.mu.Lock() // want order/possible "lock order cycle: (*board).reset locks cycles.worker.mu while holding cycles.board.mu (values.go:87); (*worker).finish locks cycles.board.mu while holding cycles.worker.mu (values.go:70): concurrent calls deadlock; acquire them in one order" @84 "b.mu is locked here" @87 "cycles.worker.mu is acquired here" @77 "w.mu is locked here" @80 "calls (*board).mark" @70 "acquires cycles.board.mu"
	b.worker.n = 0
	b.worker.mu.Unlock()
}

type watcher struct {
	mu       sync.Mutex
	onChange func()
	n        int
}

func (w *watcher) handle(f func()) { w.onChange = f }

func (w *watcher) stop() {
	w.mu.Lock()
	w.n = 0
	w.mu.Unlock()
}

// fire reaches it through what a setter was given.
func (w *watcher) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	if w.onChange != nil {
		w.onChange()
	}
}

type view struct {
	mu      sync.Mutex
	dirty   bool
	watcher *watcher
}

func newView(w *watcher) *view {
	v := &view{watcher: w}
	w.handle(func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.dirty = true
	})
	return v
}

func (v *view) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dirty = false
	v.watcher.stop() // want order/possible "lock order cycle: (*view).close locks cycles.watcher.mu while holding cycles.view.mu (values.go:101); (*watcher).fire locks cycles.view.mu while holding cycles.watcher.mu (values.go:125): concurrent calls deadlock; acquire them in one order" @133 "v.mu is locked here" @136 "calls (*watcher).stop" @101 "acquires cycles.watcher.mu" @108 "w.mu is locked here" @112 "calls the function literal of newView" @125 "acquires cycles.view.mu"
}

type database struct {
	writer sync.Mutex
	wal    *wal
	n      int
}

type wal struct {
	mu   sync.Mutex
	db   *database
	rows []int
}

type session struct{ db *database }

// begin comes back with the lock held, and end gives it back.
func (d *database) begin() *session {
	d.writer.Lock()
	return &session{db: d}
}

func (s *session) end() { s.db.writer.Unlock() }

func (d *database) write(n int) {
	s := d.begin()
	defer s.end()
	d.n = n
	d.wal.mu.Lock() // want order/possible "lock order cycle: (*database).write locks cycles.wal.mu while holding cycles.database.writer (values.go:165); (*wal).replay locks cycles.database.writer while holding cycles.wal.mu (values.go:155): concurrent calls deadlock; acquire them in one order" @162 "d.writer is locked here" @165 "cycles.wal.mu is acquired here" @171 "w.mu is locked here" @173 "calls (*database).begin" @155 "acquires cycles.database.writer"
	d.wal.rows = append(d.wal.rows, n)
	d.wal.mu.Unlock()
}

func (w *wal) replay() {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.db.begin()
	w.db.n = len(w.rows)
	s.end()
}
