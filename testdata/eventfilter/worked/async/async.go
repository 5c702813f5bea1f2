// Package async works off keys.
package async

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// A Worker works off the keys of what is handed to it.
type Worker interface {
	Enqueue(obj runtime.Object)
}

// Options say how.
type Options struct {
	Name    string
	Key     func(obj any) (string, error)
	Process func(key string) error
}

type worker struct {
	opt   Options
	queue workqueue.TypedRateLimitingInterface[string]
}

// NewWorker makes one.
func NewWorker(opt Options) Worker {
	return &worker{opt: opt, queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())}
}

func (w *worker) Enqueue(obj runtime.Object) {
	if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
		w.queue.Add(key)
	}
}
