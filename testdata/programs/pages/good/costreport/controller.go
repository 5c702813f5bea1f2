// costEvents.Delete has a case for pods alone, where Create and Update name three kinds, and lets the deletions of the others through by its default.
//
//adv:rule=eventfilter sub=cases claim=no
package costreport

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const teamLabel = "cost.acme.io/team"

// Team pays for what it runs.
type Team struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            Bill `json:"status,omitempty"`
}

// Bill is what a team has.
type Bill struct {
	MilliCPU      int64 `json:"milliCPU"`
	StorageBytes  int64 `json:"storageBytes"`
	LoadBalancers int   `json:"loadBalancers"`
}

// DeepCopyObject implements runtime.Object.
func (t *Team) DeepCopyObject() runtime.Object {
	out := &Team{TypeMeta: t.TypeMeta, Status: t.Status}
	t.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

// TeamReconciler writes the bills.
type TeamReconciler struct {
	client.Client
}

// Reconcile writes the bill of one team.
func (r *TeamReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	team := &Team{}
	if err := r.Get(ctx, req.NamespacedName, team); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	bill, err := r.bill(ctx, client.MatchingLabels{teamLabel: team.Name})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("bill of %s: %w", team.Name, err)
	}
	if bill == team.Status {
		return ctrl.Result{}, nil
	}
	team.Status = bill
	return ctrl.Result{}, r.Status().Update(ctx, team)
}

func (r *TeamReconciler) bill(ctx context.Context, of client.MatchingLabels) (bill Bill, err error) {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, of); err != nil {
		return bill, err
	}
	cpu := resource.Quantity{}
	for _, p := range pods.Items {
		if p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		for _, c := range p.Spec.Containers {
			cpu.Add(*c.Resources.Requests.Cpu())
		}
	}
	bill.MilliCPU = cpu.MilliValue()

	claims := &corev1.PersistentVolumeClaimList{}
	if err := r.List(ctx, claims, of); err != nil {
		return bill, err
	}
	for _, c := range claims.Items {
		bill.StorageBytes += c.Status.Capacity.Storage().Value()
	}

	services := &corev1.ServiceList{}
	if err := r.List(ctx, services, of); err != nil {
		return bill, err
	}
	for _, s := range services.Items {
		if s.Spec.Type == corev1.ServiceTypeLoadBalancer {
			bill.LoadBalancers++
		}
	}
	return bill, nil
}

// SetupWithManager sets the controller up.
func (r *TeamReconciler) SetupWithManager(mgr ctrl.Manager) error {
	toTeam := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		team, ok := o.GetLabels()[teamLabel]
		if !ok {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: team}}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&Team{}).
		Watches(&corev1.Pod{}, toTeam).
		Watches(&corev1.PersistentVolumeClaim{}, toTeam).
		Watches(&corev1.Service{}, toTeam).
		WithEventFilter(costEvents{}).
		Complete(r)
}
