// Package line has queues of names.
package line

import "k8s.io/client-go/util/workqueue"

// A Line is a queue of tasks.
type Line struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

// New makes one.
func New() *Line {
	return &Line{queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
}

// Add adds a task.
func (l *Line) Add(task string) { l.queue.Add(task) }

// Get is the next one.
func (l *Line) Get() (string, bool) { return l.queue.Get() }

// Done says that it is done.
func (l *Line) Done(task string) { l.queue.Done(task) }
