// compute.Gone counts a server that is only shutting down or being deleted as
// gone, so the finalizer goes while the server may yet fail to go.
//
//adv:rule=finalizerorder sub=notawaited claim=near
package vmpool

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/bug/vmpool/compute"
)

const vmFinalizer = "pool.stratusvm.io/server"

type PoolMachine struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Flavor string
		Image  string
	}
	Status struct {
		ServerID string
		Phase    string
	}
}

func (m *PoolMachine) DeepCopyObject() runtime.Object {
	out := *m
	out.ObjectMeta = *m.ObjectMeta.DeepCopy()
	return &out
}

type MachineReconciler struct {
	client.Client
	Recorder record.EventRecorder
	Compute  compute.API
}

func (r *MachineReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	m := new(PoolMachine)
	if err := r.Get(ctx, req.NamespacedName, m); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if m.DeletionTimestamp.IsZero() {
		return r.reconcileLive(ctx, m)
	}
	if !controllerutil.ContainsFinalizer(m, vmFinalizer) {
		return ctrl.Result{}, nil
	}
	return r.reconcileGone(ctx, m)
}

func (r *MachineReconciler) reconcileLive(ctx context.Context, m *PoolMachine) (ctrl.Result, error) {
	if controllerutil.AddFinalizer(m, vmFinalizer) {
		if err := r.Update(ctx, m); err != nil {
			return ctrl.Result{}, err
		}
	}
	if m.Status.ServerID == "" {
		id, err := r.Compute.BootServer(ctx, m.Spec.Flavor, m.Spec.Image)
		if err != nil {
			r.Recorder.Eventf(m, corev1.EventTypeWarning, "BootFailed", "%v", err)
			return ctrl.Result{}, err
		}
		m.Status.ServerID = id
		if err := r.Status().Update(ctx, m); err != nil {
			return ctrl.Result{}, err
		}
	}
	phase, err := r.Compute.GetServer(ctx, m.Status.ServerID)
	if err != nil && !errors.Is(err, compute.ErrNotFound) {
		return ctrl.Result{}, err
	}
	if phase != m.Status.Phase {
		m.Status.Phase = phase
		if err := r.Status().Update(ctx, m); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (r *MachineReconciler) reconcileGone(ctx context.Context, m *PoolMachine) (ctrl.Result, error) {
	if id := m.Status.ServerID; id != "" {
		gone, err := compute.Gone(ctx, r.Compute, id)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("asking for server %s: %w", id, err)
		}
		if !gone {
			if err := r.Compute.DestroyServer(ctx, id); err != nil && !errors.Is(err, compute.ErrNotFound) {
				return ctrl.Result{}, fmt.Errorf("destroying server %s: %w", id, err)
			}
			return ctrl.Result{RequeueAfter: 5 * time.Second}, nil
		}
	}
	controllerutil.RemoveFinalizer(m, vmFinalizer)
	if err := r.Update(ctx, m); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.Recorder.Event(m, corev1.EventTypeNormal, "Released", "server is gone")
	return ctrl.Result{}, nil
}

func (r *MachineReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&PoolMachine{}).Complete(r)
}
