// The finalizer is taken off the loop variable, a copy of the pod, and the
// element of the list is patched, on which it still is.
//
//adv:rule=finalizerorder sub=notpersisted claim=yes
package jobpods

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const (
	accountingFinalizer  = "billing.batchgrid.io/accounted"
	accountingAnnotation = "billing.batchgrid.io/cost-center"
)

// Ledger gets the seconds that pods have used.
type Ledger interface {
	Charge(ctx context.Context, costCenter, podUID string, seconds int64) error
}

type accountant struct {
	client client.Client
	ledger Ledger
}

// Add adds the accounting controller to the manager.
func Add(mgr manager.Manager, ledger Ledger) error {
	c, err := controller.New("job-accounting", mgr, controller.Options{
		Reconciler:              &accountant{client: mgr.GetClient(), ledger: ledger},
		MaxConcurrentReconciles: 4,
	})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind(mgr.GetCache(), &batchv1.Job{}, &handler.TypedEnqueueRequestForObject[*batchv1.Job]{})); err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.Pod{},
		handler.TypedEnqueueRequestForOwner[*corev1.Pod](mgr.GetScheme(), mgr.GetRESTMapper(), &batchv1.Job{}, handler.OnlyControllerOwner())))
}

func (a *accountant) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	job := &batchv1.Job{}
	if err := a.client.Get(ctx, req.NamespacedName, job); err != nil && !apierrors.IsNotFound(err) {
		return reconcile.Result{}, err
	}
	costCenter := job.Annotations[accountingAnnotation]
	if costCenter == "" {
		costCenter = "unassigned"
	}

	pods := &corev1.PodList{}
	if err := a.client.List(ctx, pods,
		client.InNamespace(req.Namespace),
		client.MatchingLabels{batchv1.JobNameLabel: req.Name},
	); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing pods: %w", err)
	}

	settled := 0
	for i, pod := range pods.Items {
		if !controllerutil.ContainsFinalizer(&pod, accountingFinalizer) || !finished(&pod) {
			continue
		}
		if err := a.ledger.Charge(ctx, costCenter, string(pod.UID), seconds(&pod)); err != nil {
			return reconcile.Result{}, fmt.Errorf("charging pod %s: %w", pod.Name, err)
		}
		base := pod.DeepCopy()
		controllerutil.RemoveFinalizer(&pod, accountingFinalizer)
		if err := a.client.Patch(ctx, &pods.Items[i], client.MergeFrom(base)); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return reconcile.Result{}, fmt.Errorf("releasing pod %s: %w", pod.Name, err)
		}
		settled++
	}
	log.FromContext(ctx).V(1).Info("pods settled", "count", settled)
	return reconcile.Result{}, nil
}

func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func seconds(pod *corev1.Pod) int64 {
	var total int64
	for _, cs := range pod.Status.ContainerStatuses {
		if t := cs.State.Terminated; t != nil {
			total += int64(t.FinishedAt.Sub(t.StartedAt.Time).Seconds())
		}
	}
	return total
}
