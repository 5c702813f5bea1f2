// release makes a copy of the secret without the finalizer and then updates the
// secret as it was read, so a deleted secret never goes.
//
//adv:rule=finalizerorder sub=notpersisted claim=near
package tlsleases

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/pages/bug/tlsleases/objects"
)

const leaseFinalizer = "pki.stronghold.dev/lease"

// Issuer revokes the leases of certificates.
type Issuer interface {
	Renew(ctx context.Context, serial string) error
	Revoke(ctx context.Context, serial string) error
}

type Controller struct {
	kube    kubernetes.Interface
	secrets corelisters.SecretLister
	synced  cache.InformerSynced
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	issuer  Issuer
}

func New(kube kubernetes.Interface, informer coreinformers.SecretInformer, issuer Issuer) (*Controller, error) {
	c := &Controller{
		kube:    kube,
		secrets: informer.Lister(),
		synced:  informer.Informer().HasSynced,
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
		issuer: issuer,
	}
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, obj any) { c.enqueue(obj) },
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	name, err := cache.ObjectToName(obj)
	if err != nil {
		runtime.HandleError(err)
		return
	}
	c.queue.Add(name)
}

func (c *Controller) Run(ctx context.Context, workers int) error {
	defer runtime.HandleCrash()
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return fmt.Errorf("caches did not sync")
	}
	for range workers {
		go wait.UntilWithContext(ctx, c.worker, time.Second)
	}
	<-ctx.Done()
	return nil
}

func (c *Controller) worker(ctx context.Context) {
	for {
		name, quit := c.queue.Get()
		if quit {
			return
		}
		if err := c.sync(ctx, name); err != nil {
			klog.FromContext(ctx).Error(err, "sync failed", "secret", name)
			c.queue.AddRateLimited(name)
		} else {
			c.queue.Forget(name)
		}
		c.queue.Done(name)
	}
}

func (c *Controller) sync(ctx context.Context, name cache.ObjectName) error {
	secret, err := c.secrets.Secrets(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	serial := secret.Annotations["pki.stronghold.dev/serial"]
	if secret.Type != corev1.SecretTypeTLS || serial == "" {
		return nil
	}
	if secret.DeletionTimestamp != nil {
		return c.release(ctx, secret, serial)
	}
	if !objects.Has(secret, leaseFinalizer) {
		guarded := objects.With(secret, leaseFinalizer)
		if _, err := c.kube.CoreV1().Secrets(name.Namespace).Update(ctx, guarded, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("guarding %s: %w", name, err)
		}
	}
	return c.issuer.Renew(ctx, serial)
}

func (c *Controller) release(ctx context.Context, secret *corev1.Secret, serial string) error {
	if !objects.Has(secret, leaseFinalizer) {
		return nil
	}
	if err := c.issuer.Revoke(ctx, serial); err != nil {
		return fmt.Errorf("revoking %s: %w", serial, err)
	}
	released := objects.Without(secret, leaseFinalizer)
	_, err := c.kube.CoreV1().Secrets(secret.Namespace).Update(ctx, secret, metav1.UpdateOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("releasing %s/%s: %w", secret.Namespace, secret.Name, err)
	}
	klog.FromContext(ctx).V(2).Info("lease revoked", "secret", klog.KObj(released), "left", released.Finalizers)
	return nil
}
