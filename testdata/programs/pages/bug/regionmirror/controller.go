// The informers are started with the context that has two minutes for their first sync, so they stop two minutes after the start and the workers go on with listers that hear nothing any more.
//
//adv:rule=startctx sub=replaced claim=yes

// Package regionmirror copies ConfigMaps with the mirror label into the region's namespace.
package regionmirror

import (
	"context"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const (
	mirrorLabel = "mirror.example.org/region"
	syncTimeout = 2 * time.Minute
)

// Controller mirrors ConfigMaps.
type Controller struct {
	client  kubernetes.Interface
	factory informers.SharedInformerFactory
	lister  corelisters.ConfigMapLister
	synced  cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[string]
	target  string
}

// New wires the informers.
func New(client kubernetes.Interface, target string) (*Controller, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 10*time.Minute,
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = mirrorLabel }))
	cms := factory.Core().V1().ConfigMaps()
	c := &Controller{
		client:  client,
		factory: factory,
		lister:  cms.Lister(),
		synced:  cms.Informer().HasSynced,
		target:  target,
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "regionmirror"}),
	}
	_, err := cms.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.queue.Add(key)
}

// Run mirrors until ctx ends.
func (c *Controller) Run(ctx context.Context, workers int) error {
	defer utilruntime.HandleCrash()
	defer c.queue.ShutDown()
	logger := klog.FromContext(ctx)

	syncCtx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	c.factory.Start(syncCtx.Done())
	if !cache.WaitForNamedCacheSync("regionmirror", syncCtx.Done(), c.synced) {
		return fmt.Errorf("config maps did not sync within %s", syncTimeout)
	}

	logger.Info("starting workers", "workers", workers, "target", c.target)
	for range workers {
		go wait.UntilWithContext(ctx, c.work, time.Second)
	}
	<-ctx.Done()
	logger.Info("stopping")
	return nil
}

func (c *Controller) work(ctx context.Context) {
	for {
		key, quit := c.queue.Get()
		if quit {
			return
		}
		if err := c.mirror(ctx, key); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "mirroring failed", "configMap", key)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *Controller) mirror(ctx context.Context, key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil || ns == c.target {
		return nil
	}
	src, err := c.lister.ConfigMaps(ns).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	dst := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.target, Name: ns + "-" + name},
		Data:       maps.Clone(src.Data),
	}
	_, err = c.client.CoreV1().ConfigMaps(c.target).Create(ctx, dst, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = c.client.CoreV1().ConfigMaps(c.target).Update(ctx, dst, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("write %s/%s: %w", c.target, dst.Name, err)
	}
	return nil
}
