// Package tasks works off queues.
package tasks

import "k8s.io/client-go/util/workqueue"

// Tasks is a queue and who works it off.
type Tasks interface {
	Run()
	Add(key string)
	Stop()
}

// New makes one that does sync.
func New(sync func(string) error) Tasks { return Make(sync) }

// Make makes one, too.
func Make(sync func(string) error) *Single {
	return &Single{
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		sync:  sync, done: make(chan struct{}),
	}
}

// Single has one worker.
type Single struct {
	queue workqueue.TypedRateLimitingInterface[string]
	sync  func(string) error
	done  chan struct{}
}

// Run goes on until Stop is called.
func (t *Single) Run() { // want Run:"goes on until queue is shut down"
	for {
		key, quit := t.queue.Get()
		if quit {
			close(t.done)
			return
		}
		if err := t.sync(key); err != nil {
			t.queue.AddRateLimited(key)
		}
		t.queue.Done(key)
	}
}

// Add adds a key.
func (t *Single) Add(key string) { t.queue.Add(key) }

// Stop ends Run, and waits for that.
func (t *Single) Stop() { // want Stop:"shuts down queue"
	t.queue.ShutDown()
	<-t.done
}

// Shared has a queue that others know, too.
type Shared struct {
	queue workqueue.TypedInterface[string]
}

// Share makes one of a queue.
func Share(queue workqueue.TypedInterface[string]) *Shared {
	go watch(queue)
	return &Shared{queue}
}

func watch(queue workqueue.TypedInterface[string]) { queue.ShutDown() }

// Run goes on until somebody shuts down the queue.
func (s *Shared) Run() {
	for {
		if _, quit := s.queue.Get(); quit {
			return
		}
	}
}

// Stop is one who does.
func (s *Shared) Stop() { s.queue.ShutDown() }

// Timed has a Run that ends by itself, too.
type Timed struct {
	queue workqueue.TypedInterface[string]
}

// NewTimed makes one.
func NewTimed() *Timed { return &Timed{workqueue.NewTyped[string]()} }

// Run goes on until Stop is called, or stop is closed.
func (t *Timed) Run(stop <-chan struct{}) {
	go t.stopOn(stop)
	for {
		if _, quit := t.queue.Get(); quit {
			return
		}
	}
}

func (t *Timed) stopOn(stop <-chan struct{}) {
	<-stop
	t.queue.ShutDown()
}

// Stop ends Run.
func (t *Timed) Stop() { t.queue.ShutDown() }

// Named makes one with a name, or without.
func Named(name string) *Single {
	var queue workqueue.TypedRateLimitingInterface[string]
	limiter := workqueue.DefaultTypedControllerRateLimiter[string]()
	if name == "" {
		queue = workqueue.NewTypedRateLimitingQueue(limiter)
	} else {
		queue = workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[string]{Name: name})
	}
	return &Single{queue: queue, done: make(chan struct{})}
}
