// All missing Pods are expected at once and the batch ends at its first failure, but behind it as many are lowered as were not made, be it that their create failed or that the batch has not come to them.
//
//adv:rule=expectttl sub=notlowered claim=no

package slowstart

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// UIDCount is how many creations are still to be seen, and since when.
type UIDCount struct {
	add   atomic.Int64
	since time.Time
}

// Expectations is a map from the key of a set to its count.
type Expectations struct{ m sync.Map }

func (e *Expectations) ExpectCreations(key string, n int) {
	c := &UIDCount{since: time.Now()}
	c.add.Store(int64(n))
	e.m.Store(key, c)
}

func (e *Expectations) CreationObserved(key string) {
	if c, ok := e.m.Load(key); ok {
		c.(*UIDCount).add.Add(-1)
	}
}

func (e *Expectations) SatisfiedExpectations(key string) bool {
	v, ok := e.m.Load(key)
	if !ok {
		return true
	}
	c := v.(*UIDCount)
	return c.add.Load() <= 0 || time.Since(c.since) > 5*time.Minute
}

func (e *Expectations) DeleteExpectations(key string) { e.m.Delete(key) }

type Controller struct {
	kube  kubernetes.Interface
	sets  appslisters.ReplicaSetLister
	pods  corelisters.PodLister
	exp   Expectations
	burst int
}

func New(kube kubernetes.Interface, f informers.SharedInformerFactory) (*Controller, error) {
	c := &Controller{kube: kube, sets: f.Apps().V1().ReplicaSets().Lister(), pods: f.Core().V1().Pods().Lister(), burst: 500}
	_, err := f.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: c.addPod})
	if err != nil {
		return nil, err
	}
	_, err = f.Apps().V1().ReplicaSets().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.setGone})
	return c, err
}

func (c *Controller) addPod(obj any) {
	pod := obj.(*corev1.Pod)
	if ref := metav1.GetControllerOf(pod); ref != nil {
		c.exp.CreationObserved(pod.Namespace + "/" + ref.Name)
	}
}

func (c *Controller) setGone(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		c.exp.DeleteExpectations(key)
	}
}

// Grow brings rs to its number of Pods.
func (c *Controller) Grow(ctx context.Context, rs *appsv1.ReplicaSet, have int) error {
	key, err := cache.MetaNamespaceKeyFunc(rs)
	if err != nil {
		return fmt.Errorf("no key for %v: %w", klog.KObj(rs), err)
	}
	if !c.exp.SatisfiedExpectations(key) {
		return fmt.Errorf("%s: waiting for the cache", key)
	}
	diff := min(int(*rs.Spec.Replicas)-have, c.burst)
	if diff <= 0 {
		return nil
	}
	c.exp.ExpectCreations(key, diff)
	made, err := slowStartBatch(diff, 1, func() error {
		_, err := c.kube.CoreV1().Pods(rs.Namespace).Create(ctx, newPod(rs), metav1.CreateOptions{})
		if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			// All that comes fails: the set is about to go, and its expectations with it.
			return nil
		}
		return err
	})
	// Those that failed, and those that were not tried, send no event.
	if skipped := diff - made; skipped > 0 {
		klog.FromContext(ctx).V(2).Info("slow start stopped", "set", klog.KObj(rs), "skipped", skipped)
		for range skipped {
			c.exp.CreationObserved(key)
		}
	}
	return err
}

func newPod(rs *appsv1.ReplicaSet) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName:    rs.Name + "-",
			Namespace:       rs.Namespace,
			Labels:          rs.Spec.Template.Labels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))},
		},
		Spec: rs.Spec.Template.Spec,
	}
}

// slowStartBatch calls fn count times in growing batches, and says how often it has succeeded.
func slowStartBatch(count, initial int, fn func() error) (int, error) {
	remaining, successes := count, 0
	for batch := min(remaining, initial); batch > 0; batch = min(2*batch, remaining) {
		errs := make(chan error, batch)
		var wg sync.WaitGroup
		for range batch {
			wg.Go(func() {
				if err := fn(); err != nil {
					errs <- err
				}
			})
		}
		wg.Wait()
		successes += batch - len(errs)
		if len(errs) > 0 {
			return successes, <-errs
		}
		remaining -= batch
	}
	return successes, nil
}
