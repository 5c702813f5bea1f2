package drain

import (
	"sync"

	"k8s.io/client-go/util/workqueue"
)

// A filled queue is asked for an item only where it has one.
type filled struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue workqueue.TypedRateLimitingInterface[string]
	taken int
}

func newFilled() *filled {
	f := &filled{queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
	f.cond = sync.NewCond(&f.mu)
	return f
}

func (f *filled) add(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue.Add(key)
	f.cond.Signal()
}

func (f *filled) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.queue.Len() == 0 {
		f.cond.Wait()
	}
	key, _ := f.queue.Get() // ok: nobody else takes it while the lock is held
	f.taken++
	return key
}

func (f *filled) tooLate() string {
	if f.queue.Len() == 0 {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key, _ := f.queue.Get() // want blocking/possible "f.mu (locked at line 45) is held across f.queue.Get, which may block forever waiting for an item in the queue; unlock first" @45 "f.mu is locked here"
	f.taken++
	return key
}

var _ = []any{newFilled, (*filled).add, (*filled).take, (*filled).tooLate}
