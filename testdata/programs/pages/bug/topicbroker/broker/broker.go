// Package broker tells those who listen of what happens to topics.
package broker

import (
	"context"
	"sync"
)

// Event is a change of a topic.
type Event struct {
	Topic      string
	Partitions int32
	Deleted    bool
}

// Broker hands each event to all who have joined.
type Broker struct {
	mu        sync.RWMutex
	listeners map[int]chan Event
	next      int
}

// New makes a Broker.
func New() *Broker {
	return &Broker{listeners: make(map[int]chan Event)}
}

func (b *Broker) join() (int, <-chan Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.next
	b.next++
	events := make(chan Event)
	b.listeners[id] = events
	return id, events
}

func (b *Broker) leave(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.listeners, id)
}

// Publish hands the event to all listeners.
func (b *Broker) Publish(e Event) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, events := range b.listeners {
		events <- e
	}
}

// Follow calls fn for each event until fn gives an error or the context ends.
func (b *Broker) Follow(ctx context.Context, fn func(Event) error) error {
	id, events := b.join()
	defer b.leave(id)
	for {
		select {
		case e := <-events:
			if err := fn(e); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
