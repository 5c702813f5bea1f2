// The Service's labels and selector come from the lister's Deployment, but by maps.Clone and labels.Merge, which make maps of their own, before anything is added to them.
//
//adv:rule=cachemutation sub=alias claim=no

package metricsvc

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	portAnnotation = "metrics.acme.io/port"
	scrapeLabel    = "metrics.acme.io/scrape"
)

type controller struct {
	kube        kubernetes.Interface
	deployments appslisters.DeploymentLister
	queue       workqueue.TypedRateLimitingInterface[string]
}

// Run makes a metrics Service for each Deployment that has a port for it, until the context ends.
// It runs the informer itself: the caller does not start the factory.
func Run(ctx context.Context, kube kubernetes.Interface, deployments appsinformers.DeploymentInformer) error {
	c := &controller{
		kube:        kube,
		deployments: deployments.Lister(),
		queue:       workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
	}
	enqueue := func(obj any) {
		key, err := cache.MetaNamespaceKeyFunc(obj)
		utilruntime.HandleError(err)
		c.queue.Add(key)
	}
	if _, err := deployments.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, obj any) { enqueue(obj) },
	}); err != nil {
		return err
	}
	go deployments.Informer().RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), deployments.Informer().HasSynced) {
		return ctx.Err()
	}
	defer context.AfterFunc(ctx, c.queue.ShutDown)()
	for {
		key, quit := c.queue.Get()
		if quit {
			return nil
		}
		if err := c.sync(ctx, key); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "Sync failed", "deployment", key)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	deploy, err := c.deployments.Deployments(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(deploy.Annotations[portAnnotation], 10, 16)
	if err != nil {
		return nil
	}
	svc := serviceFor(deploy, int32(port))
	services := c.kube.CoreV1().Services(namespace)
	current, err := services.Get(ctx, svc.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = services.Create(ctx, svc, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	if !metav1.IsControlledBy(current, deploy) {
		return fmt.Errorf("service %s belongs to somebody else", svc.Name)
	}
	current.Labels = svc.Labels
	current.Spec.Ports = svc.Spec.Ports
	current.Spec.Selector = svc.Spec.Selector
	_, err = services.Update(ctx, current, metav1.UpdateOptions{})
	return err
}

func serviceFor(deploy *appsv1.Deployment, port int32) *corev1.Service {
	own := maps.Clone(deploy.Labels)
	if own == nil {
		own = map[string]string{}
	}
	own[scrapeLabel] = "true"
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       deploy.Namespace,
			Name:            deploy.Name + "-metrics",
			Labels:          own,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(deploy, appsv1.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone,
			Selector:  labels.Merge(deploy.Spec.Template.Labels, nil),
			Ports:     []corev1.ServicePort{{Name: "metrics", Port: port, TargetPort: intstr.FromInt32(port)}},
		},
	}
	delete(svc.Labels, "app.kubernetes.io/managed-by")
	delete(svc.Spec.Selector, appsv1.DefaultDeploymentUniqueLabelKey)
	return svc
}
