// Run waits for its workers before it comes to the deferred ShutDown of the queue, and the workers block in Get until that, so SIGTERM is never followed by the summary or the end of the process.
//
//adv:rule=startctx sub=loop claim=near

// Package collector deletes volumes that were released and are kept by nobody.
package collector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const keep = "gc.example.org/keep"

// Collector deletes orphans.
type Collector struct {
	client  kubernetes.Interface
	volumes corelisters.PersistentVolumeLister
	synced  cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[string]
	grace   time.Duration
	deleted atomic.Int64
	failed  atomic.Int64
}

// New registers the handlers.
func New(client kubernetes.Interface, pvs coreinformers.PersistentVolumeInformer) (*Collector, error) {
	c := &Collector{
		client:  client,
		volumes: pvs.Lister(),
		synced:  pvs.Informer().HasSynced,
		queue:   workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		grace:   15 * time.Minute,
	}
	add := func(obj any) {
		if pv, ok := obj.(*corev1.PersistentVolume); ok && pv.Status.Phase == corev1.VolumeReleased {
			c.queue.AddAfter(pv.Name, c.grace)
		}
	}
	_, err := pvs.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, obj any) { add(obj) },
	})
	if err != nil {
		return nil, fmt.Errorf("watch volumes: %w", err)
	}
	return c, nil
}

// Run works until ctx ends and comes back when the last deletion is over.
func (c *Collector) Run(ctx context.Context, workers int) error {
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return errors.New("volumes did not sync")
	}
	var wg sync.WaitGroup
	for i := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			klog.V(2).InfoS("worker started", "worker", i)
			for c.next(ctx) {
			}
		}()
	}
	<-ctx.Done()
	klog.InfoS("waiting for deletions under way")
	wg.Wait()
	return nil
}

// Summary says what was done.
func (c *Collector) Summary() string {
	return fmt.Sprintf("deleted=%d failed=%d\n", c.deleted.Load(), c.failed.Load())
}

func (c *Collector) next(ctx context.Context) bool {
	name, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(name)
	if err := c.collect(ctx, name); err != nil {
		c.failed.Add(1)
		klog.ErrorS(err, "volume not collected", "volume", name)
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	return true
}

func (c *Collector) collect(ctx context.Context, name string) error {
	pv, err := c.volumes.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	if pv.Status.Phase != corev1.VolumeReleased || pv.Annotations[keep] == "true" {
		return nil
	}
	uid := pv.UID
	err = c.client.CoreV1().PersistentVolumes().Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete: %w", err)
	}
	c.deleted.Add(1)
	return nil
}
