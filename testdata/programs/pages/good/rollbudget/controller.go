// No bug: the store keeps no time and a reconcile returns with nothing while it waits, but a Runnable of the leader counts rounds, drops what has waited for three of them and reconciles its owner.
//
//adv:rule=expectttl sub=nottl claim=no

// Package rollbudget deletes outdated pods of DaemonSets, a few at a time.
package rollbudget

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const patience = 3 // rounds of the sweeper

// Reconciler of DaemonSets that roll by budget.
type Reconciler struct {
	client.Client
	expect *deletions
	budget int
	wake   chan event.GenericEvent
}

// Reconcile implements reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ds := &appsv1.DaemonSet{}
	if err := r.Get(ctx, req.NamespacedName, ds); err != nil {
		if apierrors.IsNotFound(err) {
			r.expect.Forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ds.Annotations["roll.example.org/hash"] == "" {
		return ctrl.Result{}, nil
	}
	if !r.expect.Satisfied(req.NamespacedName) {
		log.FromContext(ctx).V(1).Info("deletions under way")
		return ctrl.Result{}, nil // the event of the pod, or the sweeper, comes back to it
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(ds.Namespace), client.MatchingLabels(ds.Spec.Selector.MatchLabels)); err != nil {
		return ctrl.Result{}, fmt.Errorf("list pods: %w", err)
	}
	left := r.budget
	for i := range pods.Items {
		if pods.Items[i].DeletionTimestamp != nil {
			left--
		}
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if left <= 0 {
			break
		}
		if pod.DeletionTimestamp != nil || pod.Labels["roll.example.org/hash"] == ds.Annotations["roll.example.org/hash"] {
			continue
		}
		r.expect.ExpectDeletion(req.NamespacedName, pod.UID)
		if err := r.Delete(ctx, pod, client.Preconditions{UID: &pod.UID}); err != nil {
			r.expect.ObserveDeletion(req.NamespacedName, pod.UID)
			return ctrl.Result{}, fmt.Errorf("delete %s: %w", pod.Name, err)
		}
		left--
	}
	return ctrl.Result{}, nil
}

// sweeper is a Runnable.
type sweeper struct{ r *Reconciler }

// Start implements manager.Runnable.
func (s *sweeper) Start(ctx context.Context) error {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		for _, key := range s.r.expect.nextRound(patience) {
			log.FromContext(ctx).Info("deletions not seen, looking again", "daemonSet", key)
			ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
			select {
			case s.r.wake <- event.GenericEvent{Object: ds}:
			case <-ctx.Done():
				return nil
			}
		}
	}
}

func ownerOf(pod client.Object) (types.NamespacedName, bool) {
	ref := metav1.GetControllerOf(pod)
	if ref == nil || ref.Kind != "DaemonSet" {
		return types.NamespacedName{}, false
	}
	return types.NamespacedName{Namespace: pod.GetNamespace(), Name: ref.Name}, true
}

// SetupWithManager registers the reconciler and its sweeper.
func SetupWithManager(mgr ctrl.Manager, budget int) error {
	r := &Reconciler{Client: mgr.GetClient(), budget: budget, expect: newDeletions(), wake: make(chan event.GenericEvent)}
	if err := mgr.Add(&sweeper{r}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("roll-budget").For(&appsv1.DaemonSet{}).
		WatchesRawSource(source.Channel(r.wake, &handler.EnqueueRequestForObject{})).
		Watches(&corev1.Pod{}, handler.Funcs{
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
				if owner, ok := ownerOf(e.Object); ok {
					r.expect.ObserveDeletion(owner, e.Object.GetUID())
					q.Add(reconcile.Request{NamespacedName: owner})
				}
			},
		}).Complete(r)
}
