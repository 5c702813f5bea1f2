// The state machine launches the instances of the fleet in the state Pending
// and adds the finalizer only in Launched, one reconcile later: a fleet that is
// deleted or a process that stops in between leaves the instances behind.
//
//adv:rule=finalizerorder sub=lateadd claim=near
package fleetstate

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type State string

const (
	StatePending  State = ""
	StateLaunched State = "Launched"
	StateGuarded  State = "Guarded"
	StateRunning  State = "Running"

	fleetFinalizer = "compute.arcfleet.io/instances"
)

type Fleet struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Size     int
		Template string
	}
	Status struct {
		State   State
		FleetID string
		Healthy int
	}
}

func (f *Fleet) DeepCopyObject() runtime.Object {
	out := *f
	out.ObjectMeta = *f.ObjectMeta.DeepCopy()
	return &out
}

type ComputeAPI interface {
	CreateInstances(ctx context.Context, template string, n int) (fleetID string, err error)
	CountHealthy(ctx context.Context, fleetID string) (int, error)
	TerminateInstances(ctx context.Context, fleetID string) error
}

type handler func(ctx context.Context, f *Fleet) (ctrl.Result, error)

type FleetReconciler struct {
	client.Client
	API ComputeAPI

	handlers map[State]handler
}

func NewFleetReconciler(c client.Client, api ComputeAPI) *FleetReconciler {
	r := &FleetReconciler{Client: c, API: api}
	r.handlers = map[State]handler{
		StatePending:  r.onPending,
		StateLaunched: r.onLaunched,
		StateGuarded:  r.onGuarded,
		StateRunning:  r.onRunning,
	}
	return r
}

func (r *FleetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	f := &Fleet{}
	if err := r.Get(ctx, req.NamespacedName, f); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if f.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, r.onDeleted(ctx, f)
	}
	h, ok := r.handlers[f.Status.State]
	if !ok {
		log.FromContext(ctx).Info("unknown state", "state", f.Status.State)
		return ctrl.Result{}, nil
	}
	return h(ctx, f)
}

func (r *FleetReconciler) to(ctx context.Context, f *Fleet, s State) (ctrl.Result, error) {
	f.Status.State = s
	if err := r.Status().Update(ctx, f); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Millisecond}, nil
}

func (r *FleetReconciler) onPending(ctx context.Context, f *Fleet) (ctrl.Result, error) {
	id, err := r.API.CreateInstances(ctx, f.Spec.Template, f.Spec.Size)
	if err != nil {
		return ctrl.Result{}, err
	}
	f.Status.FleetID = id
	return r.to(ctx, f, StateLaunched)
}

func (r *FleetReconciler) onLaunched(ctx context.Context, f *Fleet) (ctrl.Result, error) {
	if controllerutil.AddFinalizer(f, fleetFinalizer) {
		if err := r.Update(ctx, f); err != nil {
			return ctrl.Result{}, err
		}
	}
	return r.to(ctx, f, StateGuarded)
}

func (r *FleetReconciler) onGuarded(ctx context.Context, f *Fleet) (ctrl.Result, error) {
	n, err := r.API.CountHealthy(ctx, f.Status.FleetID)
	if err != nil {
		return ctrl.Result{}, err
	}
	f.Status.Healthy = n
	if n < f.Spec.Size {
		return ctrl.Result{RequeueAfter: 15 * time.Second}, r.Status().Update(ctx, f)
	}
	return r.to(ctx, f, StateRunning)
}

func (r *FleetReconciler) onRunning(ctx context.Context, f *Fleet) (ctrl.Result, error) {
	n, err := r.API.CountHealthy(ctx, f.Status.FleetID)
	if err != nil {
		return ctrl.Result{}, err
	}
	if n != f.Status.Healthy {
		f.Status.Healthy = n
		if err := r.Status().Update(ctx, f); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (r *FleetReconciler) onDeleted(ctx context.Context, f *Fleet) error {
	if !controllerutil.ContainsFinalizer(f, fleetFinalizer) {
		return nil
	}
	if err := r.API.TerminateInstances(ctx, f.Status.FleetID); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(f, fleetFinalizer)
	return r.Update(ctx, f)
}

func (r *FleetReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Fleet{}).Complete(r)
}
