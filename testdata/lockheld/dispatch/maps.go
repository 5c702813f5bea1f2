package dispatch

import "sync"

type listener struct{ c chan int }

type topic struct {
	mu        sync.RWMutex
	listeners []*listener
	hits      int
}

func (t *topic) Listen() {
	l := &listener{c: make(chan int)}
	t.mu.Lock()
	t.listeners = append(t.listeners, l)
	t.mu.Unlock()
	go func() {
		for v := range l.c {
			t.mu.Lock()
			t.hits += v
			t.mu.Unlock()
		}
	}()
}

// Broadcast sends to each listener of a slice with the lock held for reading: a listener wants it for writing.
func (t *topic) Broadcast(v int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i := 0; i < len(t.listeners); i++ {
		l := t.listeners[i]
		l.c <- v // want blocking/certain "t.mu (read-locked at line 29) is held across the send to t.listeners[...].c, which deadlocks: (*topic).Listen at maps.go:20 needs the same lock to unblock it; unlock first" @29 "t.mu is read-locked here" @20 "(*topic).Listen needs the same lock here" @19 "and ends the wait only here"
	}
}

// BroadcastLater copies the slice.
func (t *topic) BroadcastLater(v int) {
	t.mu.RLock()
	listeners := append([]*listener(nil), t.listeners...)
	t.mu.RUnlock()
	for _, l := range listeners {
		l.c <- v // ok: unlocked
	}
}

type gatehouse struct {
	mu      sync.Mutex
	open    bool
	waiters []chan struct{}
}

// Enter keeps a channel in a slice; only Open closes it.
func (g *gatehouse) Enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		return
	}
	ch := make(chan struct{})
	g.waiters = append(g.waiters, ch)
	<-ch // want blocking/certain "g.mu (locked at line 55) is held across the receive from a chan struct{}, which deadlocks: (*gatehouse).Open at maps.go:76 needs the same lock to unblock it; unlock first" @55 "g.mu is locked here" @76 "(*gatehouse).Open needs the same lock here" @80 "and ends the wait only here"
}

// EnterUnlocked waits without the lock.
func (g *gatehouse) EnterUnlocked() {
	ch := make(chan struct{})
	g.mu.Lock()
	g.waiters = append(g.waiters, ch)
	g.mu.Unlock()
	<-ch // ok: unlocked
}

// Open closes all of them.
func (g *gatehouse) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	for _, w := range g.waiters {
		close(w) // ok: close does not wait
	}
	g.waiters = nil
}

type calls struct {
	mu      sync.Mutex
	pending map[uint64]chan string
	seq     uint64
}

func newCalls() *calls { return &calls{pending: map[uint64]chan string{}} }

// Do keeps the channel for the reply in a map, and Reply needs the lock to find it.
func (c *calls) Do(send func(uint64)) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	ch := make(chan string, 1)
	c.pending[c.seq] = ch
	go send(c.seq)
	return <-ch // want blocking/possible "c.mu (locked at line 95) is held across the receive from a chan string, which deadlocks: (*calls).Reply at maps.go:106 needs the same lock to unblock it; unlock first" @95 "c.mu is locked here" @106 "(*calls).Reply needs the same lock here" @111 "and ends the wait only here"
}

// Reply takes the channel out of the map and answers.
func (c *calls) Reply(id uint64, s string) {
	c.mu.Lock()
	ch := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if ch != nil {
		ch <- s
	}
}

type broker struct {
	mu   sync.Mutex
	subs map[int]chan string
	next int
}

func newBroker() *broker { return &broker{subs: map[int]chan string{}} }

// Subscribe starts a consumer that leaves after some messages.
func (b *broker) Subscribe(limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.next
	b.next++
	ch := make(chan string)
	b.subs[id] = ch
	go b.consume(id, ch, limit)
}

func (b *broker) consume(id int, ch chan string, limit int) {
	for range ch {
		limit--
		if limit <= 0 {
			b.unsubscribe(id)
			return
		}
	}
}

func (b *broker) unsubscribe(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.subs, id)
}

// Publish waits for a consumer that has gone and wants the lock to say so.
func (b *broker) Publish(messages ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range messages {
		for _, ch := range b.subs {
			ch <- m // want blocking/possible "b.mu (locked at line 152) is held across the send to b.subs[...], which blocks forever once its receiver exits: (*broker).consume at maps.go:135 does, and then acquires the same lock; unlock first" @152 "b.mu is locked here" @135 "the receiver can exit here" @145 "and then acquires the same lock here"
		}
	}
}
