// No bug: the rules get the pod of the lister to read, and what they write to comes from a function that makes a copy the first time and gives that one from then on.
//
//adv:rule=cachemutation sub=write claim=no

// Package cowlabels labels and annotates pods by rules, most of which have nothing to do for most pods.
package cowlabels

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// change is a pod that is copied when somebody first writes to it.
type change struct {
	cached *corev1.Pod
	copied *corev1.Pod
}

// Read is for looking only.
func (c *change) Read() *corev1.Pod {
	if c.copied != nil {
		return c.copied
	}
	return c.cached
}

// Write gives a pod that is the caller's own.
func (c *change) Write() *corev1.Pod {
	if c.copied == nil {
		c.copied = c.cached.DeepCopy()
	}
	return c.copied
}

type rule func(c *change)

func teamFromNamespace(c *change) {
	team, _, ok := strings.Cut(c.Read().Namespace, "--")
	if !ok || c.Read().Labels["team"] == team {
		return
	}
	pod := c.Write()
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels["team"] = team
}

func dropLegacyAnnotations(c *change) {
	for key := range c.Read().Annotations {
		if strings.HasPrefix(key, "legacy.example.org/") {
			delete(c.Write().Annotations, key)
		}
	}
}

func noteImages(c *change) {
	var images []string
	for _, container := range c.Read().Spec.Containers {
		images = append(images, container.Image)
	}
	joined := strings.Join(images, ",")
	if c.Read().Annotations["images.example.org/all"] != joined {
		metav1.SetMetaDataAnnotation(&c.Write().ObjectMeta, "images.example.org/all", joined)
	}
}

// Controller applies the rules.
type Controller struct {
	client kubernetes.Interface
	pods   corelisters.PodLister
	synced cache.InformerSynced
	queue  workqueue.TypedRateLimitingInterface[cache.ObjectName]
	rules  []rule
}

// New registers the handlers.
func New(client kubernetes.Interface, pods coreinformers.PodInformer) (*Controller, error) {
	c := &Controller{
		client: client, pods: pods.Lister(), synced: pods.Informer().HasSynced,
		rules: []rule{teamFromNamespace, dropLegacyAnnotations, noteImages},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](100*time.Millisecond, time.Minute)),
	}
	enqueue := func(obj any) {
		if key, err := cache.ObjectToName(obj); err == nil {
			c.queue.Add(key)
		}
	}
	_, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, obj any) { enqueue(obj) },
	})
	return c, err
}

// Run applies rules until ctx ends.
func (c *Controller) Run(ctx context.Context) error {
	if !cache.WaitForNamedCacheSync("cowlabels", ctx.Done(), c.synced) {
		return errors.New("pods did not sync")
	}
	go func() {
		<-ctx.Done()
		c.queue.ShutDown()
	}()
	for {
		key, quit := c.queue.Get()
		if quit {
			return nil
		}
		if err := c.sync(ctx, key); err != nil {
			klog.FromContext(ctx).Error(err, "rules not applied", "pod", key)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *Controller) sync(ctx context.Context, key cache.ObjectName) error {
	pod, err := c.pods.Pods(key.Namespace).Get(key.Name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	ch := &change{cached: pod}
	for _, apply := range c.rules {
		apply(ch)
	}
	if ch.copied == nil {
		return nil
	}
	if _, err := c.client.CoreV1().Pods(key.Namespace).Update(ctx, ch.copied, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	return nil
}
