// No bug: where a create fails, all creates that were expected and are not asked for any more are taken back at once, the failed one among them.
//
//adv:rule=expectttl sub=notlowered claim=no

// Package canarypods runs some canaries beside each Deployment.
package canarypods

import (
	"context"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/good/canarypods/expect"
)

const canaryLabel = "canary.example.org/of"

// Reconciler of Deployments with canaries.
type Reconciler struct {
	client.Client
	expect *expect.Counter
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		if apierrors.IsNotFound(err) {
			r.expect.DeleteExpectations(req.String())
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	want, err := strconv.Atoi(d.Annotations["canary.example.org/count"])
	if err != nil || d.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	if !r.expect.SatisfiedExpectations(req.String()) {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(d.Namespace), client.MatchingLabels{canaryLabel: d.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("list canaries: %w", err)
	}
	return ctrl.Result{}, r.fill(ctx, d, req.String(), want-len(pods.Items))
}

func (r *Reconciler) fill(ctx context.Context, d *appsv1.Deployment, key string, missing int) error {
	if missing <= 0 {
		return nil
	}
	pods := make([]*corev1.Pod, 0, missing)
	for range missing {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: d.Namespace, GenerateName: d.Name + "-canary-",
				Labels: map[string]string{canaryLabel: d.Name},
			},
			Spec: *d.Spec.Template.Spec.DeepCopy(),
		}
		if err := ctrl.SetControllerReference(d, pod, r.Scheme()); err != nil {
			return fmt.Errorf("own canary: %w", err)
		}
		pods = append(pods, pod)
	}
	r.expect.RaiseExpectations(key, len(pods))
	for i, pod := range pods {
		if err := r.Create(ctx, pod); err != nil {
			// This one and those behind it are not asked for.
			r.expect.LowerExpectations(key, len(pods)-i)
			return fmt.Errorf("create canary %d of %d: %w", i+1, len(pods), err)
		}
	}
	return nil
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client, r.expect = mgr.GetClient(), expect.NewCounter(5*time.Minute)
	return ctrl.NewControllerManagedBy(mgr).Named("canaries").For(&appsv1.Deployment{}).
		Watches(&corev1.Pod{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
				if name := e.Object.GetLabels()[canaryLabel]; name != "" {
					req := reconcile.Request{NamespacedName: client.ObjectKey{Namespace: e.Object.GetNamespace(), Name: name}}
					r.expect.LowerExpectations(req.String(), 1)
					q.Add(req)
				}
			},
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
				if name := e.Object.GetLabels()[canaryLabel]; name != "" {
					q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Namespace: e.Object.GetNamespace(), Name: name}})
				}
			},
		}).Complete(r)
}
