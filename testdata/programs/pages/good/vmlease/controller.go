// The deferred patch writes the removal of the finalizer only together with what has succeeded: the removal is the last thing that is done to a lease, and the write lets "not found" pass.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=no
package vmlease

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const leaseFinalizer = "labs.training.example/vm"

// VMLease is a machine that a student has for some hours.
type VMLease struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Template string          `json:"template"`
		Lifetime metav1.Duration `json:"lifetime"`
	} `json:"spec"`
	Status VMLeaseStatus `json:"status,omitempty"`
}

type VMLeaseStatus struct {
	Started bool   `json:"started,omitempty"`
	Message string `json:"message,omitempty"`
}

func (l *VMLease) DeepCopy() *VMLease {
	out := *l
	l.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (l *VMLease) DeepCopyObject() runtime.Object { return l.DeepCopy() }

// Hypervisor runs machines by the UID of their lease. Both of Stop and Destroy succeed where there is nothing to do.
type Hypervisor interface {
	Start(ctx context.Context, id, template string) error
	Stop(ctx context.Context, id string) error
	Destroy(ctx context.Context, id string) error
}

// Scoreboard is told when a machine comes and goes.
type Scoreboard interface {
	Forget(ctx context.Context, id string) error
}

// LeaseReconciler starts and destroys machines.
type LeaseReconciler struct {
	client.Client
	Hypervisor Hypervisor
	Scoreboard Scoreboard
}

func (r *LeaseReconciler) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	lease := &VMLease{}
	if err := r.Get(ctx, req.NamespacedName, lease); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	stored := lease.DeepCopy()
	defer func() {
		err = errors.Join(err, r.persist(ctx, stored, lease))
	}()

	switch {
	case !lease.DeletionTimestamp.IsZero():
		return ctrl.Result{}, r.destroy(ctx, lease)
	case controllerutil.AddFinalizer(lease, leaseFinalizer):
		return ctrl.Result{RequeueAfter: time.Second}, nil // nothing is started before it is written
	}
	return r.start(ctx, lease)
}

// persist writes what has changed; the status first, as the lease may be gone behind the other write.
func (r *LeaseReconciler) persist(ctx context.Context, stored, lease *VMLease) error {
	if stored.Status != lease.Status {
		if err := r.Status().Patch(ctx, lease.DeepCopy(), client.MergeFrom(stored)); client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("patching status: %w", err)
		}
	}
	if err := r.Patch(ctx, lease, client.MergeFrom(stored)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("patching lease: %w", err)
	}
	return nil
}

func (r *LeaseReconciler) start(ctx context.Context, lease *VMLease) (ctrl.Result, error) {
	if left := time.Until(lease.CreationTimestamp.Add(lease.Spec.Lifetime.Duration)); left > 0 {
		if err := r.Hypervisor.Start(ctx, string(lease.UID), lease.Spec.Template); err != nil {
			lease.Status.Message = err.Error()
			return ctrl.Result{}, fmt.Errorf("starting machine: %w", err)
		}
		lease.Status = VMLeaseStatus{Started: true}
		return ctrl.Result{RequeueAfter: left}, nil
	}
	log.FromContext(ctx).Info("Lease has expired")
	return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, lease.DeepCopy()))
}

func (r *LeaseReconciler) destroy(ctx context.Context, lease *VMLease) error {
	if !controllerutil.ContainsFinalizer(lease, leaseFinalizer) {
		return nil
	}
	id := string(lease.UID)
	for _, step := range []func(context.Context, string) error{r.Hypervisor.Stop, r.Hypervisor.Destroy, r.Scoreboard.Forget} {
		if err := step(ctx, id); err != nil {
			lease.Status.Message = err.Error()
			return fmt.Errorf("destroying machine %s: %w", id, err)
		}
	}
	lease.Status.Started = false
	controllerutil.RemoveFinalizer(lease, leaseFinalizer)
	return nil
}

// SetupWithManager registers the controller.
func (r *LeaseReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&VMLease{}).Complete(r)
}
