package good

import (
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Resyncer puts each key back for later, whatever its sync says.
type Resyncer struct {
	queue workqueue.TypedRateLimitingInterface[string]
}

func (r *Resyncer) next() bool {
	key, quit := r.queue.Get()
	if quit {
		return false
	}
	defer r.queue.Done(key)
	if err := r.sync(key); err != nil {
		r.queue.AddRateLimited(key)
		return true
	}
	r.queue.Forget(key)
	r.queue.AddAfter(key, time.Minute)
	return true
}

func (r *Resyncer) sync(key string) error {
	if ok, _, _ := births.SatisfiedExpectations(key); !ok {
		return nil // ok: the key comes back after a minute
	}
	return nil
}

var _ = (*Resyncer).next
