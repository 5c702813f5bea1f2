// Package steps works off queues that others have.
package steps

import (
	"sync"

	"k8s.io/client-go/util/workqueue"
)

// Drain goes on until q is shut down.
func Drain(q workqueue.TypedInterface[string], do func(string)) { // want Drain:"p0 is lent until it is shut down"
	for Step(q, do) {
	}
}

// Step tells whether q still works.
func Step(q workqueue.TypedInterface[string], do func(string)) bool { // want Step:"p0 is lent, and it tells whether it is not shut down"
	item, down := q.Get()
	if down {
		return false
	}
	func() {
		defer q.Done(item)
		do(item)
	}()
	return true
}

// StepOf is Step for anything.
func StepOf[T comparable](q workqueue.TypedRateLimitingInterface[T], do func(T) error) bool {
	item, down := q.Get()
	if down {
		return false
	}
	defer q.Done(item)
	if err := do(item); err != nil {
		q.AddRateLimited(item)
	} else {
		q.Forget(item)
	}
	return true
}

// StepUntil tells that it is over for another reason, too.
func StepUntil(q workqueue.TypedInterface[string], last string) bool {
	item, down := q.Get()
	if down || item == last {
		return false
	}
	q.Done(item)
	return true
}

// Stop shuts q down.
func Stop(q workqueue.TypedInterface[string]) { q.ShutDown() }

var all struct {
	sync.Mutex
	queues []workqueue.TypedInterface[string]
}

// Register keeps q, for StopAll.
func Register(q workqueue.TypedInterface[string]) {
	all.Lock()
	defer all.Unlock()
	all.queues = append(all.queues, q)
}

// StopAll shuts down what was registered.
func StopAll() {
	all.Lock()
	defer all.Unlock()
	for _, q := range all.queues {
		q.ShutDown()
	}
}
