// A pod that is deleted after its label was patched, and before that is seen, stays expected: only updates are shown to the expectations, so its shard group is never synced again.
//
//adv:rule=expectttl sub=asymmetric claim=yes

// Package shardgroup labels the pods of a StatefulSet with the shard that they serve.
package shardgroup

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const shardLabel = "shards.example.org/id"

// Controller of shard groups.
type Controller struct {
	client kubernetes.Interface
	sets   appslisters.StatefulSetLister
	pods   corelisters.PodLister
	synced []cache.InformerSynced
	queue  workqueue.TypedRateLimitingInterface[string]
	labels *labelExpectations
}

// New registers the handlers with the factory's informers.
func New(client kubernetes.Interface, factory informers.SharedInformerFactory) (*Controller, error) {
	sets, pods := factory.Apps().V1().StatefulSets(), factory.Core().V1().Pods()
	c := &Controller{
		client: client,
		sets:   sets.Lister(),
		pods:   pods.Lister(),
		synced: []cache.InformerSynced{sets.Informer().HasSynced, pods.Informer().HasSynced},
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		labels: newLabelExpectations(),
	}
	_, err := sets.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueueSet,
		UpdateFunc: func(_, obj any) { c.enqueueSet(obj) },
		DeleteFunc: c.enqueueSet,
	})
	if err != nil {
		return nil, err
	}
	_, err = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { c.enqueueOwner(obj) },
		UpdateFunc: func(_, obj any) {
			pod := obj.(*corev1.Pod)
			if key, ok := c.ownerKey(pod); ok {
				c.labels.ObserveLabel(key, pod.UID, pod.Labels[shardLabel])
				c.queue.Add(key)
			}
		},
		DeleteFunc: func(obj any) {
			if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = gone.Obj
			}
			c.enqueueOwner(obj)
		},
	})
	return c, err
}

func (c *Controller) enqueueSet(obj any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *Controller) enqueueOwner(obj any) {
	if pod, ok := obj.(*corev1.Pod); ok {
		if key, ok := c.ownerKey(pod); ok {
			c.queue.Add(key)
		}
	}
}

func (c *Controller) ownerKey(pod *corev1.Pod) (string, bool) {
	ref := metav1.GetControllerOf(pod)
	if ref == nil || ref.Kind != "StatefulSet" {
		return "", false
	}
	return pod.Namespace + "/" + ref.Name, true
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	defer c.queue.ShutDown()
	if !cache.WaitForNamedCacheSync("shardgroup", ctx.Done(), c.synced...) {
		return
	}
	go wait.UntilWithContext(ctx, func(ctx context.Context) {
		for {
			key, quit := c.queue.Get()
			if quit {
				return
			}
			if err := c.sync(ctx, key); err != nil {
				utilruntime.HandleError(fmt.Errorf("sync %s: %w", key, err))
				c.queue.AddRateLimited(key)
			} else {
				c.queue.Forget(key)
			}
			c.queue.Done(key)
		}
	}, time.Second)
	<-ctx.Done()
}

func (c *Controller) sync(ctx context.Context, key string) error {
	ns, name, _ := cache.SplitMetaNamespaceKey(key)
	set, err := c.sets.StatefulSets(ns).Get(name)
	if apierrors.IsNotFound(err) {
		c.labels.DeleteKey(key)
		return nil
	} else if err != nil {
		return err
	}
	if !c.labels.SatisfiedLabels(key) {
		klog.V(4).InfoS("waiting for labels", "set", key)
		c.queue.AddAfter(key, 5*time.Second)
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil {
		return err
	}
	pods, err := c.pods.Pods(ns).List(selector)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		want := shardOf(set, pod.Name)
		if pod.Labels[shardLabel] == want || pod.DeletionTimestamp != nil {
			continue
		}
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{shardLabel: want}}})
		if err != nil {
			return err
		}
		c.labels.ExpectLabel(key, pod.UID, want)
		if _, err := c.client.CoreV1().Pods(ns).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			c.labels.ObserveLabel(key, pod.UID, want)
			return fmt.Errorf("label %s: %w", pod.Name, err)
		}
	}
	return nil
}

func shardOf(set *appsv1.StatefulSet, pod string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(pod))
	n := uint32(1)
	if set.Spec.Replicas != nil && *set.Spec.Replicas > 0 {
		n = uint32(*set.Spec.Replicas)
	}
	return fmt.Sprintf("s%d", h.Sum32()%n)
}
