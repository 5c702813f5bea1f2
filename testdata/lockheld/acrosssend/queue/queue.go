// Package queue has a queue that others put things into.
package queue

import "sync"

// Queue hands numbers to its worker.
type Queue struct {
	in  chan int
	mu  sync.Mutex
	sum int
}

// New starts the worker.
func New() *Queue {
	q := &Queue{in: make(chan int)}
	go q.work()
	return q
}

func (q *Queue) work() {
	for n := range q.in {
		q.mu.Lock()
		q.sum += n
		q.mu.Unlock()
	}
}

// Put waits for the worker.
func (q *Queue) Put(n int) { q.in <- n }

// Lock keeps the worker out.
func (q *Queue) Lock() { q.mu.Lock() }

// Unlock lets the worker in.
func (q *Queue) Unlock() { q.mu.Unlock() }
