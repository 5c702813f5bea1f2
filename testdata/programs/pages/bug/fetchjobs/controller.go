// sync gives nil to the queue's loop while a fetch Pod is expected, and the set of expected names keeps no time: a Pod that was made and evicted between two watches blocks its ConfigMap until the process restarts.
//
//adv:rule=expectttl sub=nottl claim=yes

package fetchjobs

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/rand"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const sourceLabel = "fetch.example.com/source"

type Controller struct {
	kube    kubernetes.Interface
	sources corelisters.ConfigMapLister
	pods    corelisters.PodLister
	synced  []cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[string]
	pending *pendingPods
}

func NewController(kube kubernetes.Interface, f informers.SharedInformerFactory) (*Controller, error) {
	cms, pods := f.Core().V1().ConfigMaps(), f.Core().V1().Pods()
	c := &Controller{
		kube:    kube,
		sources: cms.Lister(),
		pods:    pods.Lister(),
		synced:  []cache.InformerSynced{cms.Informer().HasSynced, pods.Informer().HasSynced},
		queue:   workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		pending: newPendingPods(),
	}
	if _, err := cms.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
		DeleteFunc: c.enqueue,
	}); err != nil {
		return nil, err
	}
	_, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.podSeen,
		DeleteFunc: c.podSeen,
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *Controller) podSeen(obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	pod, ok := obj.(*corev1.Pod)
	if !ok || pod.Labels[sourceLabel] == "" {
		return
	}
	key := pod.Namespace + "/" + pod.Labels[sourceLabel]
	c.pending.ObservePod(key, pod.Name)
	c.queue.Add(key)
}

func (c *Controller) Run(ctx context.Context, workers int) {
	defer utilruntime.HandleCrash()
	defer c.queue.ShutDown()
	if !cache.WaitForNamedCacheSyncWithContext(ctx, c.synced...) {
		return
	}
	for range workers {
		go wait.UntilWithContext(ctx, c.worker, time.Second)
	}
	<-ctx.Done()
}

func (c *Controller) worker(ctx context.Context) {
	for c.next(ctx) {
	}
}

func (c *Controller) next(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "sync failed", "source", key)
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *Controller) sync(ctx context.Context, key string) error {
	ns, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return nil
	}
	src, err := c.sources.ConfigMaps(ns).Get(name)
	if apierrors.IsNotFound(err) {
		c.pending.ForgetSource(key)
		return nil
	}
	if err != nil {
		return err
	}
	if src.Data["url"] == "" {
		return nil
	}
	if !c.pending.Satisfied(key) {
		klog.FromContext(ctx).V(4).Info("fetch pods are not in the cache yet", "source", key)
		return nil
	}
	have, err := c.pods.Pods(ns).List(labels.SelectorFromSet(labels.Set{sourceLabel: name}))
	if err != nil {
		return err
	}
	for _, p := range have {
		if p.Annotations["fetch.example.com/rev"] == src.ResourceVersion {
			return nil
		}
	}
	pod := fetchPod(src)
	c.pending.ExpectPod(key, pod.Name)
	if _, err := c.kube.CoreV1().Pods(ns).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		c.pending.ObservePod(key, pod.Name)
		return fmt.Errorf("creating fetch pod for %s: %w", key, err)
	}
	return nil
}

func fetchPod(src *corev1.ConfigMap) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   src.Namespace,
			Name:        src.Name + "-" + rand.String(6),
			Labels:      map[string]string{sourceLabel: src.Name},
			Annotations: map[string]string{"fetch.example.com/rev": src.ResourceVersion},
		},
		Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyOnFailure,
			Containers:    []corev1.Container{{Name: "fetch", Image: "curlimages/curl", Args: []string{src.Data["url"]}}},
		},
	}
}
