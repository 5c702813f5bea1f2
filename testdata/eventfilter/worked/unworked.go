package worked

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// A heap has queues: one that nobody takes anything out of, one that somebody does, and one that others may.
type heap struct {
	idle, busy workqueue.TypedInterface[string]
	Lent       workqueue.TypedInterface[string]
	given      workqueue.TypedInterface[string]
}

func newHeap(pods cache.SharedIndexInformer) *heap {
	h := &heap{idle: workqueue.NewTyped[string](), busy: workqueue.NewTyped[string](), Lent: workqueue.NewTyped[string](), given: workqueue.NewTyped[string]()}
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // ok: nobody ever asks for it
			h.idle.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 23) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @23 "DeleteFunc is called for deletions here"
			h.busy.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 28) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @28 "DeleteFunc is called for deletions here"
			h.Lent.Add("pod " + pod.Name)
		}
	}})
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 33) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @33 "DeleteFunc is called for deletions here"
			h.given.Add("pod " + pod.Name)
		}
	}})
	return h
}

func (h *heap) run(work func(string), worker func(workqueue.TypedInterface[string])) {
	defer h.idle.ShutDown()
	go worker(h.given)
	for {
		name, shutdown := h.busy.Get()
		if shutdown {
			return
		}
		work(name)
		h.busy.Done(name)
	}
}

// A tail fills a queue that somebody else has, too.
type tail struct {
	names workqueue.TypedInterface[string]
}

func newTail(pods cache.SharedIndexInformer, worker func(workqueue.TypedInterface[string])) *tail {
	names := workqueue.NewTyped[string]()
	t := &tail{names: names}
	go worker(names)
	_, _ = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok { // want tombstone "DeleteFunc (line 63) is also given cache.DeletedFinalStateUnknown when the deletion was missed, and the object is dropped, as it is not *v1.Pod" @63 "DeleteFunc is called for deletions here"
			t.names.Add("pod " + pod.Name)
		}
	}})
	return t
}
