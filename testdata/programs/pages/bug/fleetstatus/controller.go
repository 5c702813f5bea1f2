// workloadEvents.Delete lacks the CronJob that Create and Update have a case for, so a deleted CronJob stays in the counts of its fleet.
//
//adv:rule=eventfilter sub=cases claim=yes
package fleetstatus

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const fleetLabel = "fleet.acme.io/name"

// Counts are the workloads of a fleet.
type Counts struct {
	Workloads int `json:"workloads"`
	Ready     int `json:"ready"`
	Scheduled int `json:"scheduled"`
}

// Fleet shows the state of many workloads.
type Fleet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		MaxWorkloads int `json:"maxWorkloads,omitempty"`
	} `json:"spec,omitempty"`
	Status struct {
		Counts   `json:",inline"`
		Exceeded bool `json:"exceeded,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *Fleet) DeepCopyObject() runtime.Object {
	out := &Fleet{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

type counter func(ctx context.Context, c client.Reader, in *Counts, opts ...client.ListOption) error

func deployments(ctx context.Context, c client.Reader, in *Counts, opts ...client.ListOption) error {
	var list appsv1.DeploymentList
	if err := c.List(ctx, &list, opts...); err != nil {
		return err
	}
	for _, d := range list.Items {
		in.Workloads++
		if d.Spec.Replicas != nil && d.Status.ReadyReplicas >= *d.Spec.Replicas {
			in.Ready++
		}
	}
	return nil
}

func statefulSets(ctx context.Context, c client.Reader, in *Counts, opts ...client.ListOption) error {
	var list appsv1.StatefulSetList
	if err := c.List(ctx, &list, opts...); err != nil {
		return err
	}
	for _, s := range list.Items {
		in.Workloads++
		if s.Spec.Replicas != nil && s.Status.ReadyReplicas >= *s.Spec.Replicas {
			in.Ready++
		}
	}
	return nil
}

func cronJobs(ctx context.Context, c client.Reader, in *Counts, opts ...client.ListOption) error {
	var list batchv1.CronJobList
	if err := c.List(ctx, &list, opts...); err != nil {
		return err
	}
	in.Workloads += len(list.Items)
	in.Scheduled += len(list.Items)
	return nil
}

type fleetReconciler struct{ client.Client }

func (r fleetReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	fleet := &Fleet{}
	if err := r.Get(ctx, req.NamespacedName, fleet); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	var counts Counts
	for _, count := range []counter{deployments, statefulSets, cronJobs} {
		if err := count(ctx, r, &counts, client.InNamespace(req.Namespace), client.MatchingLabels{fleetLabel: req.Name}); err != nil {
			return reconcile.Result{}, fmt.Errorf("count workloads: %w", err)
		}
	}
	exceeded := fleet.Spec.MaxWorkloads > 0 && counts.Workloads > fleet.Spec.MaxWorkloads
	if fleet.Status.Counts == counts && fleet.Status.Exceeded == exceeded {
		return reconcile.Result{}, nil
	}
	fleet.Status.Counts, fleet.Status.Exceeded = counts, exceeded
	log.FromContext(ctx).Info("fleet changed", "counts", counts)
	return reconcile.Result{}, r.Status().Update(ctx, fleet)
}

// Setup adds the fleet controller.
func Setup(mgr ctrl.Manager) error {
	toFleet := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: types.NamespacedName{
			Namespace: o.GetNamespace(), Name: o.GetLabels()[fleetLabel]}}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&Fleet{}).
		Watches(&appsv1.Deployment{}, toFleet).
		Watches(&appsv1.StatefulSet{}, toFleet).
		Watches(&batchv1.CronJob{}, toFleet).
		WithEventFilter(workloadEvents{}).
		Complete(fleetReconciler{mgr.GetClient()})
}
