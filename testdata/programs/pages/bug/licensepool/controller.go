// When no seat is left, the error is made with %s of the pool while its mutex is held, and String takes that mutex again.
//
//adv:rule=lockheld sub=relock claim=yes

package licensepool

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const (
	productLabel = "license.acme.io/product"
	gateName     = "license.acme.io/seat"
)

// Controller takes the scheduling gate off pods that have a seat.
type Controller struct {
	kube   kubernetes.Interface
	pods   corelisters.PodLister
	synced cache.InformerSynced
	queue  workqueue.TypedRateLimitingInterface[string]
	pools  map[string]*pool
}

// NewController makes the controller; seats says how many there are of each product.
func NewController(kube kubernetes.Interface, pods coreinformers.PodInformer, seats map[string]int) (*Controller, error) {
	c := &Controller{
		kube:   kube,
		pods:   pods.Lister(),
		synced: pods.Informer().HasSynced,
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		pools:  map[string]*pool{},
	}
	for product, n := range seats {
		c.pools[product] = newPool(product, n)
	}
	_, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, cur any) { c.enqueue(cur) },
		DeleteFunc: c.freed,
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *Controller) freed(obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return
	}
	if p := c.pools[pod.Labels[productLabel]]; p != nil && p.release(pod.UID) {
		klog.InfoS("Seat is free again", "pool", p.String(), "pod", klog.KObj(pod))
	}
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context, workers int) error {
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return errors.New("pods did not sync")
	}
	for range workers {
		go wait.UntilWithContext(ctx, c.work, time.Second)
	}
	<-ctx.Done()
	return nil
}

func (c *Controller) work(ctx context.Context) {
	for {
		key, quit := c.queue.Get()
		if quit {
			return
		}
		switch err := c.sync(ctx, key); {
		case errors.Is(err, errExhausted):
			klog.V(2).InfoS("Pod has to wait", "key", key, "reason", err)
			c.queue.AddAfter(key, time.Minute)
		case err != nil:
			utilruntime.HandleError(err)
			c.queue.AddRateLimited(key)
		default:
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *Controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	pod, err := c.pods.Pods(namespace).Get(name)
	if err != nil {
		return nil //nolint:nilerr // gone; freed has seen it
	}
	p := c.pools[pod.Labels[productLabel]]
	if p == nil || len(pod.Spec.SchedulingGates) == 0 {
		return nil
	}
	if err := p.take(pod.UID, key); err != nil {
		return err
	}
	patch := fmt.Appendf(nil, `{"spec":{"schedulingGates":[{"name":%q,"$patch":"delete"}]}}`, gateName)
	_, err = c.kube.CoreV1().Pods(namespace).Patch(ctx, name, types.StrategicMergePatchType, patch, patchOptions)
	return err
}
