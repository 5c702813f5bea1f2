package guarded

import "sync"

type workQueue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
}

func newWorkQueue() *workQueue {
	q := &workQueue{}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *workQueue) pop() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait() // ok: it lets go of the lock that is held
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

func (q *workQueue) push(v int) {
	q.mu.Lock()
	q.items = append(q.items, v)
	q.mu.Unlock()
	q.cond.Signal()
}

type dispatcher struct {
	mu    sync.Mutex
	queue *workQueue
	n     int
}

func newDispatcher() *dispatcher { return &dispatcher{queue: newWorkQueue()} }

// Take waits with a second lock, which is not let go.
func (d *dispatcher) Take() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n--
	return d.queue.pop() // want blocking/possible "d.mu (locked at line 45) is held across q.cond.Wait (conditions.go:21, via (*workQueue).pop), which deadlocks: (*dispatcher).Give at conditions.go:53 needs the same lock to unblock it; unlock first" @45 "d.mu is locked here" @48 "calls (*workQueue).pop" @21 "blocks here" @53 "(*dispatcher).Give needs the same lock here" @32 "and ends the wait only here"
}

// Give is the only one who signals, and needs it.
func (d *dispatcher) Give(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	d.queue.push(v)
}

type rows struct {
	config sync.Mutex
	mu     sync.RWMutex
	cond   *sync.Cond
	n      int
}

// newRows binds the condition to the read side of the lock.
func newRows() *rows {
	r := &rows{}
	r.cond = sync.NewCond(r.mu.RLocker())
	return r
}

// Await waits with that side held.
func (r *rows) Await(n int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for r.n < n {
		r.cond.Wait() // ok: it lets go of the read lock
	}
}

// AwaitConfigured holds one more.
func (r *rows) AwaitConfigured(n int) {
	r.config.Lock()
	defer r.config.Unlock()
	r.mu.RLock()
	defer r.mu.RUnlock()
	for r.n < n {
		r.cond.Wait() // want blocking/certain "r.config (locked at line 84) is held across r.cond.Wait, which deadlocks: (*rows).Insert at conditions.go:106 needs the same lock to unblock it; unlock first" @84 "r.config is locked here" @106 "(*rows).Insert needs the same lock here" @111 "and ends the wait only here"
	}
}

// AwaitAfter gives the other one back before it waits.
func (r *rows) AwaitAfter(n int) {
	r.config.Lock()
	r.mu.RLock()
	r.config.Unlock()
	defer r.mu.RUnlock()
	for r.n < n {
		r.cond.Wait() // ok: config is free
	}
}

// Insert needs both.
func (r *rows) Insert() {
	r.config.Lock()
	defer r.config.Unlock()
	r.mu.Lock()
	r.n++
	r.mu.Unlock()
	r.cond.Broadcast()
}

type turn struct {
	cond *sync.Cond
	at   int
}

// newTurn gets its lock from outside.
func newTurn(l sync.Locker) *turn { return &turn{cond: sync.NewCond(l)} }

type rollout struct {
	mu   sync.Mutex
	list sync.Mutex
	turn *turn
}

func newRollout() *rollout {
	r := &rollout{}
	r.turn = newTurn(&r.mu)
	return r
}

// Wait holds the lock that the constructor has handed on.
func (r *rollout) Wait(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.turn.at < n {
		r.turn.cond.Wait() // ok: the lock of the condition
	}
}

// WaitListed holds another one as well.
func (r *rollout) WaitListed(n int) {
	r.list.Lock()
	defer r.list.Unlock()
	r.Wait(n) // want blocking/possible "r.list (locked at line 145) is held across r.turn.cond.Wait (conditions.go:139, via (*rollout).Wait), which deadlocks: (*rollout).Next at conditions.go:152 needs the same lock to unblock it; unlock first" @145 "r.list is locked here" @147 "calls (*rollout).Wait" @139 "blocks here" @152 "(*rollout).Next needs the same lock here" @157 "and ends the wait only here"
}

// Next needs it.
func (r *rollout) Next() {
	r.list.Lock()
	defer r.list.Unlock()
	r.mu.Lock()
	r.turn.at++
	r.mu.Unlock()
	r.turn.cond.Broadcast()
}

type dock struct {
	outer, inner sync.Mutex
	free         sync.Cond
	slots        int
}

// newDock copies the condition into its field.
func newDock() *dock {
	d := &dock{}
	d.free = sync.Cond{L: &d.inner}
	return d
}

// Acquire waits with the outer lock held, which Release needs.
func (d *dock) Acquire() {
	d.outer.Lock()
	defer d.outer.Unlock()
	d.inner.Lock()
	for d.slots == 0 {
		d.free.Wait() // missed: the lock of a condition that is copied into its place
	}
	d.slots--
	d.inner.Unlock()
}

// Release signals.
func (d *dock) Release() {
	d.outer.Lock()
	defer d.outer.Unlock()
	d.inner.Lock()
	d.slots++
	d.inner.Unlock()
	d.free.Broadcast()
}
