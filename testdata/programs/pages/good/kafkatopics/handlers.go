package kafkatopics

import (
	"context"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const topicLabel = "kafka.example.com/topic"

type jobExpectations struct {
	mu   sync.Mutex
	adds map[string]int
	at   map[string]time.Time
}

func (e *jobExpectations) ExpectCreations(key string, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.adds[key], e.at[key] = n, time.Now()
}

func (e *jobExpectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.adds[key] > 0 {
		e.adds[key]--
	}
}

func (e *jobExpectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.adds[key] == 0 || time.Since(e.at[key]) > 2*time.Minute
}

func (e *jobExpectations) DeleteExpectations(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.adds, key)
	delete(e.at, key)
}

type topicHandler struct {
	handler.EnqueueRequestForObject
	exp *jobExpectations
}

func (h *topicHandler) Delete(ctx context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	h.exp.DeleteExpectations(client.ObjectKeyFromObject(e.Object).String())
	h.EnqueueRequestForObject.Delete(ctx, e, q)
}

// Add makes the topic controller.
func Add(mgr manager.Manager) error {
	exp := &jobExpectations{adds: map[string]int{}, at: map[string]time.Time{}}
	c, err := controller.New("topic", mgr, controller.Options{Reconciler: &topicReconciler{c: mgr.GetClient(), exp: exp}})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind[client.Object](mgr.GetCache(), &Topic{}, &topicHandler{exp: exp})); err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &batchv1.Job{}, handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			if name := e.Object.GetLabels()[topicLabel]; name != "" {
				key := types.NamespacedName{Namespace: e.Object.GetNamespace(), Name: name}
				exp.CreationObserved(key.String())
				q.Add(reconcile.Request{NamespacedName: key})
			}
		},
	}))
}
