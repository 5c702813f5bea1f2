// Run works the queue off in its own goroutine and shuts the queue down by a defer, which is only come to when the queue has been shut down: the Runnable never returns.
//
//adv:rule=startctx sub=loop claim=yes

package quotarun

import (
	"context"
	"fmt"

	"example.com/pages/bug/quotarun/queueworker"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// Controller gives each team's Namespace a ResourceQuota.
type Controller struct {
	kube       kubernetes.Interface
	namespaces corelisters.NamespaceLister
	quotas     corelisters.ResourceQuotaLister
	factory    informers.SharedInformerFactory
	workqueue  workqueue.TypedRateLimitingInterface[string]
}

// AddToManager makes the controller and has mgr run it.
func AddToManager(mgr manager.Manager) error {
	kube, err := kubernetes.NewForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	f := informers.NewSharedInformerFactory(kube, 0)
	c := &Controller{
		kube:       kube,
		namespaces: f.Core().V1().Namespaces().Lister(),
		quotas:     f.Core().V1().ResourceQuotas().Lister(),
		factory:    f,
		workqueue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "quota"},
		),
	}
	_, err = f.Core().V1().Namespaces().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.add,
		UpdateFunc: func(_, now any) { c.add(now) },
	})
	if err != nil {
		return fmt.Errorf("watching namespaces: %w", err)
	}
	return mgr.Add(manager.RunnableFunc(c.Run))
}

func (c *Controller) add(obj any) {
	if ns, ok := obj.(*corev1.Namespace); ok && ns.Labels["team"] != "" {
		c.workqueue.Add(ns.Name)
	}
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context) error {
	defer c.workqueue.ShutDown()
	logger := klog.FromContext(ctx).WithName("quota")

	c.factory.StartWithContext(ctx)
	if err := c.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return fmt.Errorf("caches did not sync: %w", err)
	}
	logger.Info("caches are in sync")

	// One worker is enough for namespaces.
	for queueworker.Next(ctx, c.workqueue, c.sync) {
	}
	logger.Info("worker is done")
	return nil
}

func (c *Controller) sync(ctx context.Context, name string) error {
	ns, err := c.namespaces.Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	want := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("10")}
	if cpu := ns.Annotations["team.example.com/cpu"]; cpu != "" {
		q, err := resource.ParseQuantity(cpu)
		if err != nil {
			klog.FromContext(ctx).Error(err, "annotation is ignored", "namespace", name)
		} else {
			want[corev1.ResourceRequestsCPU] = q
		}
	}
	have, err := c.quotas.ResourceQuotas(name).Get("team")
	if apierrors.IsNotFound(err) {
		_, err = c.kube.CoreV1().ResourceQuotas(name).Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: "team"},
			Spec:       corev1.ResourceQuotaSpec{Hard: want},
		}, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	if cpu := have.Spec.Hard[corev1.ResourceRequestsCPU]; cpu.Cmp(want[corev1.ResourceRequestsCPU]) == 0 {
		return nil
	}
	update := have.DeepCopy()
	update.Spec.Hard = want
	_, err = c.kube.CoreV1().ResourceQuotas(name).Update(ctx, update, metav1.UpdateOptions{})
	return err
}
