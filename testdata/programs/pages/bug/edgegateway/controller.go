// The LoadBalancer Service is built anew and put in the place of the stored one, whose load-balancer-cleanup finalizer is lost with that, so that the cloud's load balancer may stay when it is deleted.
//
//adv:rule=finalizerorder sub=dropped claim=yes
package edgegateway

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"example.com/pages/bug/edgegateway/apply"
	"example.com/pages/bug/edgegateway/resources"
)

const gatewayLabel = "gateway.edge.io/enabled"

// Controller makes a public Service for each ConfigMap that describes a gateway.
type Controller struct {
	clients kubernetes.Interface
	lister  corelisters.ConfigMapLister
	synced  cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[string]
}

// NewController wires the informer with the queue.
func NewController(clients kubernetes.Interface, gateways coreinformers.ConfigMapInformer) (*Controller, error) {
	c := &Controller{
		clients: clients,
		lister:  gateways.Lister(),
		synced:  gateways.Informer().HasSynced,
		queue:   workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
	}
	_, err := gateways.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, cur any) { c.enqueue(cur) },
		// The Service goes with its owner.
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		runtime.HandleError(err)
		return
	}
	c.queue.Add(key)
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context, workers int) error {
	defer runtime.HandleCrash()
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return fmt.Errorf("caches did not sync")
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
		if err := c.sync(ctx, key); err != nil {
			runtime.HandleErrorWithContext(ctx, err, "Sync failed", "key", key)
			c.queue.AddRateLimited(key)
		} else {
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
	var gateway *corev1.ConfigMap
	if gateway, err = c.lister.ConfigMaps(namespace).Get(name); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	if gateway.Labels[gatewayLabel] != "true" || gateway.DeletionTimestamp != nil {
		return nil
	}
	return apply.Service(ctx, c.clients, resources.Service(gateway))
}
