// render hands the lister's own Ingress to defaults.Ingress, which fills in class, path types and annotations in place.
//
//adv:rule=cachemutation sub=callee claim=yes

package ingdefaults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	networkinglisters "k8s.io/client-go/listers/networking/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/pages/bug/ingdefaults/defaults"
)

// Controller writes a piece of proxy configuration for each Ingress.
type Controller struct {
	kube      kubernetes.Interface
	ingresses networkinglisters.IngressLister
	synced    []cache.InformerSynced
	queue     workqueue.TypedRateLimitingInterface[cache.ObjectName]
	opts      defaults.Options
}

// New makes the controller of a factory that its caller starts.
func New(kube kubernetes.Interface, factory informers.SharedInformerFactory, opts defaults.Options) (*Controller, error) {
	ing := factory.Networking().V1().Ingresses()
	c := &Controller{
		kube:      kube,
		ingresses: ing.Lister(),
		queue:     workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
		opts:      opts,
	}
	reg, err := ing.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, _ bool) { c.enqueue(obj) },
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
		DeleteFunc: c.enqueue,
	})
	if err != nil {
		return nil, err
	}
	c.synced = append(c.synced, reg.HasSynced)
	return c, nil
}

func (c *Controller) enqueue(obj any) {
	name, err := cache.DeletionHandlingObjectToName(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.queue.Add(name)
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context) error {
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced...) {
		return errors.New("ingresses did not sync")
	}
	go wait.UntilWithContext(ctx, c.worker, time.Second)
	<-ctx.Done()
	return nil
}

func (c *Controller) worker(ctx context.Context) {
	for c.next(ctx) {
	}
}

func (c *Controller) next(ctx context.Context) bool {
	name, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(name)
	if err := c.sync(ctx, name); err != nil {
		klog.FromContext(ctx).Error(err, "sync failed", "ingress", name)
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	return true
}

func (c *Controller) sync(ctx context.Context, name cache.ObjectName) error {
	ing, err := c.ingresses.Ingresses(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		err = c.kube.CoreV1().ConfigMaps(name.Namespace).Delete(ctx, "proxy-"+name.Name, metav1.DeleteOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	conf, err := c.render(ing)
	if err != nil {
		return err
	}
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       ing.Namespace,
			Name:            "proxy-" + ing.Name,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(ing, networkingv1.SchemeGroupVersion.WithKind("Ingress"))},
		},
		Data: map[string]string{"proxy.conf": conf},
	}
	maps := c.kube.CoreV1().ConfigMaps(ing.Namespace)
	_, err = maps.Create(ctx, cm, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = maps.Update(ctx, cm, metav1.UpdateOptions{})
	}
	return err
}

func (c *Controller) render(ing *networkingv1.Ingress) (string, error) {
	full := defaults.Ingress(ing, c.opts)
	if *full.Spec.IngressClassName != c.opts.Class {
		return "", nil
	}
	var out bytes.Buffer
	for _, rule := range full.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		fmt.Fprintf(&out, "host %s timeout=%s\n", rule.Host, full.Annotations["proxy.acme.io/timeout"])
		for _, p := range rule.HTTP.Paths {
			if p.Backend.Service == nil {
				return "", fmt.Errorf("path %s of %s has no service", p.Path, rule.Host)
			}
			fmt.Fprintf(&out, "  %s %s -> %s\n", *p.PathType, p.Path, p.Backend.Service.Name)
		}
	}
	return out.String(), nil
}
