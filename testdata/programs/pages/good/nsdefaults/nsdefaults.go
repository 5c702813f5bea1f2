// The FilterFunc says false to a tombstone, as that is no Namespace, and nothing is lost: the handler behind it has no DeleteFunc, because what was made in a namespace goes with it.
//
//adv:rule=eventfilter sub=tombstone claim=no
package nsdefaults

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const (
	optIn      = "platform.acme.io/defaults"
	policyName = "default-deny"
)

// Defaults puts a NetworkPolicy into each namespace that wants it.
type Defaults struct {
	kube       kubernetes.Interface
	namespaces corelisters.NamespaceLister
	synced     cache.InformerSynced
	queue      workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// New makes a Defaults.
func New(kube kubernetes.Interface, nss coreinformers.NamespaceInformer) (*Defaults, error) {
	d := &Defaults{
		kube:       kube,
		namespaces: nss.Lister(),
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](time.Second, 5*time.Minute),
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "nsdefaults"},
		),
	}
	reg, err := nss.Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: wanted,
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    d.enqueue,
			UpdateFunc: func(_, cur interface{}) { d.enqueue(cur) },
		},
	})
	if err != nil {
		return nil, fmt.Errorf("add handler: %w", err)
	}
	d.synced = reg.HasSynced
	return d, nil
}

func wanted(obj interface{}) bool {
	ns, ok := obj.(*corev1.Namespace)
	return ok && ns.Labels[optIn] == "enabled" && ns.Status.Phase != corev1.NamespaceTerminating
}

func (d *Defaults) enqueue(obj interface{}) {
	name, err := cache.ObjectToName(obj)
	if err != nil {
		klog.ErrorS(err, "no name for object")
		return
	}
	d.queue.Add(name)
}

// Run works until the context ends.
func (d *Defaults) Run(ctx context.Context) error {
	defer d.queue.ShutDown()
	if !cache.WaitForNamedCacheSync("nsdefaults", ctx.Done(), d.synced) {
		return ctx.Err()
	}
	go wait.UntilWithContext(ctx, d.worker, time.Second)
	<-ctx.Done()
	return nil
}

func (d *Defaults) worker(ctx context.Context) {
	for {
		name, quit := d.queue.Get()
		if quit {
			return
		}
		func() {
			defer d.queue.Done(name)
			if err := d.apply(ctx, name.Name); err != nil {
				klog.ErrorS(err, "applying defaults", "namespace", name.Name, "retries", d.queue.NumRequeues(name))
				d.queue.AddRateLimited(name)
				return
			}
			d.queue.Forget(name)
		}()
	}
}

func (d *Defaults) apply(ctx context.Context, namespace string) error {
	ns, err := d.namespaces.Get(namespace)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil || !wanted(ns) {
		return err
	}
	policy := &networkingv1.NetworkPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: policyName},
		Spec: networkingv1.NetworkPolicySpec{
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress},
		},
	}
	_, err = d.kube.NetworkingV1().NetworkPolicies(namespace).Create(ctx, policy, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
