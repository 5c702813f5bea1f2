// Package informed has a controller of client-go that does something about objects that are gone.
package informed

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Sweeper keeps a ConfigMap for each namespace, and hears of no deletions.
type Sweeper struct {
	client kubernetes.Interface
	spaces listers.NamespaceLister
	nodes  listers.NodeLister
	pods   listers.PodLister
	nets   listers.ServiceLister
	queue  workqueue.TypedRateLimitingInterface[string]
}

func (s *Sweeper) watch(f informers.SharedInformerFactory) {
	_, _ = f.Core().V1().Namespaces().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{ // want deletion "this handler has no DeleteFunc and queues no *v1.Namespace that is deleted, but (*Sweeper).syncSpace writes something where there is none of the key that it is called with (line 61): what it does for one that is gone is not done" @61 "this is done for one that is gone"
		AddFunc:    s.enqueue,
		UpdateFunc: func(_, now any) { s.enqueue(now) },
	})
	_, _ = f.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{ // ok: nothing is done for one that is gone
		AddFunc:    s.enqueue,
		UpdateFunc: func(_, now any) { s.enqueue(now) },
	})
	_, _ = f.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{ // ok: deletions are queued, too
		AddFunc:    s.enqueue,
		UpdateFunc: func(_, now any) { s.enqueue(now) },
		DeleteFunc: s.enqueue,
	})
	_, _ = f.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{ // ok: it looks again after a time
		AddFunc:    s.enqueue,
		UpdateFunc: func(_, now any) { s.enqueue(now) },
	})
}

func (s *Sweeper) enqueue(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		s.queue.Add(key)
	}
}

func (s *Sweeper) syncSpace(ctx context.Context, key string) error {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	_, err = s.spaces.Get(name)
	if apierrors.IsNotFound(err) {
		return s.client.CoreV1().ConfigMaps("brooms").Delete(ctx, name, metav1.DeleteOptions{})
	}
	if err != nil {
		return err
	}
	_, err = s.client.CoreV1().ConfigMaps("brooms").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	return err
}

func (s *Sweeper) syncNode(ctx context.Context, key string) error {
	_, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	node, err := s.nodes.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.label(ctx, node)
}

// label makes a ConfigMap for a node that it is given by name.
func (s *Sweeper) label(ctx context.Context, node *corev1.Node) error {
	if _, err := s.nodes.Get(node.Name); apierrors.IsNotFound(err) {
		return s.client.CoreV1().ConfigMaps("brooms").Delete(ctx, node.Name, metav1.DeleteOptions{})
	}
	return nil
}

func (s *Sweeper) syncNet(ctx context.Context, key string) error {
	space, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	if _, err = s.nets.Services(space).Get(name); apierrors.IsNotFound(err) {
		return s.client.CoreV1().ConfigMaps(space).Delete(ctx, name, metav1.DeleteOptions{})
	}
	s.queue.AddAfter(key, time.Minute)
	return err
}

func (s *Sweeper) syncPod(ctx context.Context, key string) error {
	space, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	if _, err = s.pods.Pods(space).Get(name); apierrors.IsNotFound(err) {
		return s.client.CoreV1().ConfigMaps(space).Delete(ctx, name, metav1.DeleteOptions{})
	}
	return err
}
