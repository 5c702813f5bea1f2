// The returns before the deletion branch are for a pause annotation, and for
// invalid specs and failed phases of splits that are not being deleted.
//
//adv:rule=finalizerorder sub=unreachable claim=no
package meshroute

import (
	"context"
	"errors"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/meshroute/api"
)

const splitFinalizer = "mesh.lattice.run/split"

// ErrRefused is given for splits that no further try will make acceptable.
var ErrRefused = errors.New("split refused")

type ControlPlane interface {
	Apply(ctx context.Context, id, service string, backends map[string]int32) error
	Remove(ctx context.Context, id string) error
}

type SplitReconciler struct {
	client.Client
	Plane ControlPlane
}

func (r *SplitReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	split := &api.TrafficSplit{}
	if err := r.Get(ctx, req.NamespacedName, split); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	logger := log.FromContext(ctx).WithValues("service", split.Spec.Service)
	deleting := !split.DeletionTimestamp.IsZero()

	if split.IsPaused() {
		logger.Info("split is paused") // taking the annotation off is an event
		return ctrl.Result{}, nil
	}

	if err := split.Check(); err != nil && !deleting {
		return ctrl.Result{}, r.phase(ctx, split, "Invalid", err.Error())
	}
	if !deleting && split.Status.Phase == "Failed" && split.Status.Reason == reason(split) {
		return ctrl.Result{}, nil // has failed for this generation
	}

	if deleting {
		if !controllerutil.ContainsFinalizer(split, splitFinalizer) {
			return ctrl.Result{}, nil
		}
		if err := r.Plane.Remove(ctx, string(split.UID)); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(split, splitFinalizer)
		return ctrl.Result{}, r.Update(ctx, split)
	}

	if controllerutil.AddFinalizer(split, splitFinalizer) {
		if err := r.Update(ctx, split); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.Plane.Apply(ctx, string(split.UID), split.Spec.Service, split.Spec.Backends); errors.Is(err, ErrRefused) {
		logger.Error(err, "control plane refuses the split")
		return ctrl.Result{}, r.phase(ctx, split, "Failed", reason(split))
	} else if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.phase(ctx, split, "Active", "")
}

// reason names the generation that was refused.
func reason(split *api.TrafficSplit) string {
	return fmt.Sprintf("Refused/%d", split.Generation)
}

func (r *SplitReconciler) phase(ctx context.Context, split *api.TrafficSplit, phase, why string) error {
	if split.Status.Phase == phase && split.Status.Reason == why {
		return nil
	}
	split.Status.Phase, split.Status.Reason = phase, why
	return r.Status().Update(ctx, split)
}

func (r *SplitReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&api.TrafficSplit{}).Complete(r)
}
