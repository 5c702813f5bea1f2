package certain

import "sync"

// A Want says by a flag that its result is in the buffer.
type Want struct {
	mu     sync.Mutex
	done   bool
	result chan int
}

func NewWant() *Want { return &Want{result: make(chan int, 1)} }

func (w *Want) deliver(v int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return false
	}
	w.done = true
	w.result <- v
	return true
}

func (w *Want) Cancel() (v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		v = <-w.result
	}
	return v
}

// A Wish has no buffer: who sets its flag still holds the lock when it sends.
type Wish struct {
	mu     sync.Mutex
	done   bool
	result chan int
}

func NewWish() *Wish { return &Wish{result: make(chan int)} }

func (w *Wish) deliver(v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	w.result <- v // want blocking/certain "w.mu (locked at line 44) is held across the send to w.result, which deadlocks: (*Wish).Cancel at told.go:51 needs the same lock to unblock it; unlock first" @44 "w.mu is locked here" @51 "(*Wish).Cancel needs the same lock here" @54 "and ends the wait only here"
}

func (w *Wish) Cancel() (v int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		v = <-w.result // want blocking/certain "w.mu (locked at line 51) is held across the receive from w.result, which deadlocks: (*Wish).deliver at told.go:44 needs the same lock to unblock it; unlock first" @51 "w.mu is locked here" @44 "(*Wish).deliver needs the same lock here" @47 "and ends the wait only here"
	}
	return v
}

// A Cursor keeps its lock on some ways, and says so by a flag to who releases it.
type Cursor struct {
	mu   sync.RWMutex
	hold bool
	row  int
}

func (c *Cursor) Scan(raw bool) {
	c.mu.RLock()
	if raw {
		c.hold = true
	} else {
		c.mu.RUnlock()
	}
}

func (c *Cursor) Next() {
	if c.hold {
		c.hold = false
		c.mu.RUnlock()
	}
	c.mu.Lock()
	c.row++
	c.mu.Unlock()
}

// A Peek keeps its lock, and tells nobody.
type Peek struct {
	mu   sync.RWMutex
	hold bool
	row  int
}

func (p *Peek) Scan(raw bool) {
	p.mu.RLock()
	if raw {
		return // want leak/certain "p.mu (read-locked at line 93) is still held when (*Peek).Scan returns here, unlike on other paths: the next Lock blocks forever; unlock before this return" @93 "p.mu is read-locked here"
	}
	p.mu.RUnlock()
}

func (p *Peek) Next() {
	p.mu.Lock()
	p.hold = true
	p.row++
	p.mu.Unlock()
}

// A Hub fills the buffer of a subscriber before anybody else can: who sends needs the lock.
type Hub struct {
	mu   sync.Mutex
	last string
	subs []chan string
}

func (h *Hub) Subscribe() <-chan string {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch := make(chan string, 1)
	h.subs = append(h.subs, ch)
	ch <- h.last
	return ch
}

func (h *Hub) Publish(s string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = s
	h.publish()
}

func (h *Hub) publish() {
	for _, ch := range h.subs {
		select {
		case <-ch:
		default:
		}
		ch <- h.last
	}
}

// A Reply is taken once, by who then wants the lock to forget it.
type Replies struct {
	mu      sync.RWMutex
	waiting map[string]chan string
}

func (r *Replies) Ask(id string, stop <-chan struct{}) string {
	ch := make(chan string, 1)
	r.mu.Lock()
	r.waiting[id] = ch
	r.mu.Unlock()
	select {
	case s := <-ch:
		r.forget(id)
		return s
	case <-stop:
		r.forget(id)
		return ""
	}
}

func (r *Replies) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, id)
}

func (r *Replies) Answer(id, s string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if ch, ok := r.waiting[id]; ok {
		ch <- s // want blocking/possible "r.mu (read-locked at line 168) is held across the send to r.waiting[id], which blocks forever once its receiver exits: (*Replies).Ask at told.go:151 does, and then acquires the same lock; unlock first" @168 "r.mu is read-locked here" @151 "the receiver can exit here" @162 "and then acquires the same lock here"
	}
}

// A Notice is taken once, by who needs no lock for anything then.
type Notices struct {
	mu      sync.RWMutex
	waiting map[string]chan string
}

func (n *Notices) Ask(id string, stop <-chan struct{}) string {
	ch := make(chan string, 1)
	n.mu.Lock()
	n.waiting[id] = ch
	n.mu.Unlock()
	select {
	case s := <-ch:
		return s
	case <-stop:
		return ""
	}
}

func (n *Notices) Answer(id, s string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if ch, ok := n.waiting[id]; ok {
		ch <- s
	}
}
