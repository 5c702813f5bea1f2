// The loop over the queue has nothing to do with the context and the deferred calls come too late to end it, but a function that runs after the context has ended shuts the queue down and the workers come back.
//
//adv:rule=startctx sub=loop claim=no

package dnsqueue

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const hostAnnotation = "dns.example.com/hostname"

// Checker writes on Services whether their names lead to them.
type Checker struct {
	kube     kubernetes.Interface
	factory  informers.SharedInformerFactory
	services corelisters.ServiceLister
	queue    workqueue.TypedRateLimitingInterface[cache.ObjectName]
	resolver *net.Resolver
	workers  int
}

func Register(mgr manager.Manager, workers int) error {
	kube, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	f := informers.NewSharedInformerFactory(kube, time.Hour)
	c := &Checker{
		kube:     kube,
		factory:  f,
		services: f.Core().V1().Services().Lister(),
		queue:    workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
		resolver: &net.Resolver{PreferGo: true},
		workers:  workers,
	}
	if _, err := f.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.push,
		UpdateFunc: func(_, obj any) { c.push(obj) },
	}); err != nil {
		return fmt.Errorf("handler: %w", err)
	}
	return mgr.Add(c)
}

func (c *Checker) push(obj any) {
	if name, err := cache.ObjectToName(obj); err == nil {
		c.queue.Add(name)
	}
}

// Start implements manager.Runnable.
func (c *Checker) Start(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	stop := context.AfterFunc(ctx, c.queue.ShutDown)
	defer stop()

	c.factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), c.factory.Core().V1().Services().Informer().HasSynced) {
		return nil
	}
	for i := range c.workers {
		wg.Go(func() { c.work(ctx, i) })
	}
	wg.Wait()
	return nil
}

func (c *Checker) work(ctx context.Context, i int) {
	logger := klog.FromContext(ctx).WithValues("worker", i)
	for {
		name, down := c.queue.Get()
		if down {
			logger.V(2).Info("queue is down")
			return
		}
		err := c.check(ctx, name)
		if err == nil || ctx.Err() != nil {
			c.queue.Forget(name)
		} else {
			logger.Error(err, "check failed", "service", name)
			c.queue.AddRateLimited(name)
		}
		c.queue.Done(name)
	}
}

func (c *Checker) check(ctx context.Context, name cache.ObjectName) error {
	svc, err := c.services.Services(name.Namespace).Get(name.Name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	host := svc.Annotations[hostAnnotation]
	if host == "" || svc.Spec.Type != corev1.ServiceTypeLoadBalancer {
		return nil
	}
	lookup, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	state := "missing"
	if ips, err := c.resolver.LookupHost(lookup, host); err == nil {
		state = "elsewhere"
		for _, in := range svc.Status.LoadBalancer.Ingress {
			for _, ip := range ips {
				if ip == in.IP {
					state = "ok"
				}
			}
		}
	}
	if svc.Annotations["dns.example.com/state"] == state {
		return nil
	}
	svc = svc.DeepCopy()
	metav1.SetMetaDataAnnotation(&svc.ObjectMeta, "dns.example.com/state", state)
	_, err = c.kube.CoreV1().Services(svc.Namespace).Update(ctx, svc, metav1.UpdateOptions{})
	return err
}
