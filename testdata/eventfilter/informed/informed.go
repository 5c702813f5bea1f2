// Package informed works off what the handler of an informer queues.
package informed

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Orchard is a custom resource.
type Orchard struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec OrchardSpec
}

type OrchardSpec struct {
	Class string
	Trees []Tree
}

type Tree struct{ Kind string }

func (o *Orchard) DeepCopyObject() runtime.Object { c := *o; return &c }

type worker struct {
	kube  kubernetes.Interface
	store cache.Indexer
	queue workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

func newWorker(kube kubernetes.Interface, orchards cache.SharedIndexInformer) (*worker, error) {
	w := &worker{kube, orchards.GetIndexer(), workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())}
	_, err := orchards.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { w.enqueue(obj.(*Orchard)) },
		UpdateFunc: func(prev, obj any) { // want fields "this update handler drops updates of *informed.Orchard that change only what lies in spec.Trees, but (*worker).sync reads it at informed.go:74: who changes it waits for an unrelated event" @74 "the field is read here"
			was, is := prev.(*Orchard), obj.(*Orchard)
			if was.Spec.Class != is.Spec.Class {
				w.enqueue(is)
			}
		},
	})
	return w, err
}

func (w *worker) enqueue(o *Orchard) { w.queue.Add(cache.MetaObjectToName(o)) }

func (w *worker) work(ctx context.Context) bool {
	key, quit := w.queue.Get()
	if quit {
		return false
	}
	defer w.queue.Done(key)
	if err := w.sync(ctx, key); err != nil {
		w.queue.AddRateLimited(key)
	}
	return true
}

func (w *worker) sync(ctx context.Context, key cache.ObjectName) error {
	obj, ok, err := w.store.GetByKey(key.String())
	if err != nil || !ok {
		return err
	}
	orchard := obj.(*Orchard)
	if orchard.Spec.Class != "big" {
		return nil
	}
	for _, t := range orchard.Spec.Trees {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: orchard.Name + "-" + t.Kind, Namespace: orchard.Namespace}}
		if _, err := w.kube.CoreV1().Secrets(orchard.Namespace).Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

var (
	_ = newWorker
	_ = (*worker).work
)
