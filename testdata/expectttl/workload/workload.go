// Package workload keeps counts in the way of the workload controllers of Kubernetes: nothing is reported.
package workload

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.com/operators/expectttl/store"
)

type podControl interface {
	CreatePods(ctx context.Context, namespace string, owner *corev1.ReplicationController) error
	DeletePod(ctx context.Context, namespace, name string) error
}

// Controller makes and deletes pods in batches.
type Controller struct {
	pods     podControl
	expected store.Tally
	queue    workqueue.TypedRateLimitingInterface[string]
	get      func(namespace, name string) (*corev1.ReplicationController, error)
	list     func(namespace string) ([]*corev1.Pod, error)
	status   func(ctx context.Context, rc *corev1.ReplicationController) error
}

func inBatches(n int, fn func() error) (int, error) {
	for i := range n {
		if err := fn(); err != nil {
			return i, err
		}
	}
	return n, nil
}

func (c *Controller) manage(ctx context.Context, key string, rc *corev1.ReplicationController, pods []*corev1.Pod) error {
	diff := len(pods) - int(*rc.Spec.Replicas)
	if diff < 0 {
		diff *= -1
		if err := c.expected.ExpectCreations(key, diff); err != nil {
			return err
		}
		made, err := inBatches(diff, func() error {
			err := c.pods.CreatePods(ctx, rc.Namespace, rc)
			if err != nil && apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
				return nil
			}
			return err
		})
		if skipped := diff - made; skipped > 0 {
			for range skipped {
				c.expected.CreationObserved(key)
			}
		}
		return err
	} else if diff > 0 {
		if err := c.expected.ExpectDeletions(key, diff); err != nil {
			return err
		}
		failed := make(chan error, diff)
		var wg sync.WaitGroup
		wg.Add(diff)
		for _, pod := range pods[:diff] {
			go func(target *corev1.Pod) {
				defer wg.Done()
				if err := c.pods.DeletePod(ctx, rc.Namespace, target.Name); err != nil {
					c.expected.DeletionObserved(key)
					if !apierrors.IsNotFound(err) {
						failed <- err
					}
				}
			}(pod)
		}
		wg.Wait()
		select {
		case err := <-failed:
			if err != nil {
				return err
			}
		default:
		}
	}
	return nil
}

func (c *Controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	rc, err := c.get(namespace, name)
	if apierrors.IsNotFound(err) {
		c.expected.DeleteExpectations(key)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", key, err)
	}
	needed := c.expected.SatisfiedExpectations(key)
	pods, err := c.list(namespace)
	if err != nil {
		return err
	}
	var manageErr error
	if needed && rc.DeletionTimestamp == nil {
		manageErr = c.manage(ctx, key, rc, pods)
	}
	if err := c.status(ctx, rc); err != nil {
		return err
	}
	return manageErr
}

func (c *Controller) added(obj any) {
	pod := obj.(*corev1.Pod)
	if pod.DeletionTimestamp != nil {
		c.deleted(pod)
		return
	}
	c.expected.CreationObserved(pod.Labels["owner"])
	c.queue.Add(pod.Labels["owner"])
}

func (c *Controller) updated(_, obj any) {
	pod := obj.(*corev1.Pod)
	if pod.DeletionTimestamp != nil {
		c.deleted(pod)
		return
	}
	c.queue.Add(pod.Labels["owner"])
}

func (c *Controller) deleted(obj any) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		tombstone, ok := obj.(cache.DeletedFinalStateUnknown)
		if !ok {
			return
		}
		if pod, ok = tombstone.Obj.(*corev1.Pod); !ok {
			return
		}
	}
	c.expected.DeletionObserved(pod.Labels["owner"])
	c.queue.Add(pod.Labels["owner"])
}

func (c *Controller) watch(pods cache.SharedIndexInformer) error {
	_, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: c.added, UpdateFunc: c.updated, DeleteFunc: c.deleted})
	return err
}

func (c *Controller) work(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

var _ = []any{(*Controller).watch, (*Controller).work}
