// The informer's UpdateFunc skips updates that do not change metadata.generation, but the informer is one of ConfigMaps, which have none, so a rotated CA bundle is never copied to the namespaces.
//
//adv:rule=eventfilter sub=nogeneration claim=near
package trustsync

import (
	"context"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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
	bundleLabel = "trust.acme.io/bundle"
	targetName  = "trusted-ca"
)

// Controller copies the CA bundle of the platform to all namespaces.
type Controller struct {
	kube       kubernetes.Interface
	sourceNS   string
	configMaps corelisters.ConfigMapLister
	namespaces corelisters.NamespaceLister
	synced     []cache.InformerSynced
	queue      workqueue.TypedRateLimitingInterface[string]
}

// NewController makes the controller.
func NewController(kube kubernetes.Interface, sourceNS string, cms coreinformers.ConfigMapInformer, nss coreinformers.NamespaceInformer) (*Controller, error) {
	c := &Controller{
		kube: kube, sourceNS: sourceNS,
		configMaps: cms.Lister(), namespaces: nss.Lister(),
		synced: []cache.InformerSynced{cms.Informer().HasSynced, nss.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "trustsync"}),
	}
	if _, err := cms.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueueBundle,
		UpdateFunc: func(oldObj, newObj any) {
			before, after := oldObj.(*corev1.ConfigMap), newObj.(*corev1.ConfigMap)
			if before.Generation == after.Generation {
				return // a resync
			}
			c.enqueueBundle(after)
		},
	}); err != nil {
		return nil, err
	}
	_, err := nss.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { c.queue.Add(obj.(*corev1.Namespace).Name) },
	})
	return c, err
}

// enqueueBundle queues all namespaces, as the bundle goes to each.
func (c *Controller) enqueueBundle(obj any) {
	cm, ok := obj.(*corev1.ConfigMap)
	if !ok || cm.Namespace != c.sourceNS || cm.Labels[bundleLabel] == "" {
		return
	}
	all, err := c.namespaces.List(labels.Everything())
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("list namespaces: %w", err))
		return
	}
	for _, ns := range all {
		c.queue.Add(ns.Name)
	}
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	defer utilruntime.HandleCrash()
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced...) {
		return
	}
	for range workers {
		go wait.UntilWithContext(ctx, c.work, time.Second)
	}
	<-ctx.Done()
}

func (c *Controller) work(ctx context.Context) {
	for {
		ns, quit := c.queue.Get()
		if quit {
			return
		}
		if err := c.sync(ctx, ns); err != nil {
			klog.ErrorS(err, "sync failed", "namespace", ns)
			c.queue.AddRateLimited(ns)
		} else {
			c.queue.Forget(ns)
		}
		c.queue.Done(ns)
	}
}

func (c *Controller) sync(ctx context.Context, ns string) error {
	bundles, err := c.configMaps.ConfigMaps(c.sourceNS).List(labels.SelectorFromSet(labels.Set{bundleLabel: "platform"}))
	if err != nil {
		return err
	}
	want := map[string]string{}
	for _, b := range bundles {
		maps.Copy(want, b.Data)
	}
	have, err := c.configMaps.ConfigMaps(ns).Get(targetName)
	if apierrors.IsNotFound(err) {
		_, err = c.kube.CoreV1().ConfigMaps(ns).Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: targetName, Namespace: ns},
			Data:       want,
		}, metav1.CreateOptions{FieldManager: "trustsync"})
		return err
	}
	if err != nil || maps.Equal(have.Data, want) {
		return err
	}
	have = have.DeepCopy()
	have.Data = want
	_, err = c.kube.CoreV1().ConfigMaps(ns).Update(ctx, have, metav1.UpdateOptions{FieldManager: "trustsync"})
	return err
}
