// The lister's autoscaler is given to a function whose parts sort, delete and set, but which copies its argument before any of that.
//
//adv:rule=cachemutation sub=callee claim=no

package scalerdefaults

import (
	"context"
	"fmt"
	"strconv"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/pages/good/scalerdefaults/normalize"
)

const capAnnotation = "scaling.acme.io/most-replicas"

// Controller keeps autoscalers within the bounds of their namespaces.
type Controller struct {
	kube       kubernetes.Interface
	scalers    autoscalinglisters.HorizontalPodAutoscalerLister
	namespaces corelisters.NamespaceLister
	synced     []cache.InformerSynced
	queue      workqueue.TypedRateLimitingInterface[string]
}

// New makes the controller.
func New(kube kubernetes.Interface, f informers.SharedInformerFactory) (*Controller, error) {
	hpas, namespaces := f.Autoscaling().V2().HorizontalPodAutoscalers(), f.Core().V1().Namespaces()
	c := &Controller{
		kube:       kube,
		scalers:    hpas.Lister(),
		namespaces: namespaces.Lister(),
		synced:     []cache.InformerSynced{hpas.Informer().HasSynced, namespaces.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "scalers"}),
	}
	add := func(obj any) {
		if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
			c.queue.Add(key)
		}
	}
	_, err := hpas.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, cur any) { add(cur) },
	})
	return c, err
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced...) {
		return
	}
	for i := 0; i < workers; i++ {
		go wait.UntilWithContext(ctx, func(ctx context.Context) {
			for c.process(ctx) {
			}
		}, time.Second)
	}
	<-ctx.Done()
}

func (c *Controller) process(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		klog.ErrorS(err, "Sync failed", "hpa", key, "tries", c.queue.NumRequeues(key))
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *Controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return nil //nolint:nilerr // never gets better
	}
	hpa, err := c.scalers.HorizontalPodAutoscalers(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	ns, err := c.namespaces.Get(namespace)
	if err != nil {
		return err
	}
	most, err := strconv.ParseInt(ns.Annotations[capAnnotation], 10, 32)
	if err != nil || most < 1 {
		return nil
	}
	want := normalize.Autoscaler(hpa, normalize.Capped(int32(most)))
	if apiequality.Semantic.DeepEqual(want.Spec, normalize.Autoscaler(hpa).Spec) {
		return nil
	}
	if _, err := c.kube.AutoscalingV2().HorizontalPodAutoscalers(namespace).Update(ctx, want, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("capping at %d: %w", most, err)
	}
	return nil
}
