// The predicate of the passes compares their specs alone, so the update that marks a pass for deletion is dropped and its reservation and finalizer stay.
//
//adv:rule=eventfilter sub=deletion claim=yes
package satellitepass

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/bug/satellitepass/predicates"
)

const reservationFinalizer = "groundstation.space/reservation"

// Antennas reserves the antennas of stations.
type Antennas interface {
	Reserve(ctx context.Context, pass *predicates.SatellitePass) (string, error)
	Cancel(ctx context.Context, reservation string) error
}

// Scheduler reserves antennas for passes.
type Scheduler struct {
	client.Client
	Antennas Antennas
}

func (s *Scheduler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pass := &predicates.SatellitePass{}
	if err := s.Get(ctx, req.NamespacedName, pass); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("norad", pass.Spec.NoradID, "station", pass.Spec.Station))

	if pass.DeletionTimestamp.IsZero() {
		if err := s.plan(ctx, pass); err != nil {
			return ctrl.Result{}, fmt.Errorf("planning pass: %w", err)
		}
		return ctrl.Result{}, nil
	}
	if err := s.cancel(ctx, pass); err != nil {
		return ctrl.Result{}, fmt.Errorf("cancelling pass: %w", err)
	}
	return ctrl.Result{}, nil
}

func (s *Scheduler) plan(ctx context.Context, pass *predicates.SatellitePass) error {
	if controllerutil.AddFinalizer(pass, reservationFinalizer) {
		if err := s.Update(ctx, pass); err != nil {
			return err
		}
	}
	reservation, err := s.Antennas.Reserve(ctx, pass)
	if err != nil {
		return fmt.Errorf("reserving antenna: %w", err)
	}
	if pass.Status.Reservation == reservation {
		return nil
	}
	log.FromContext(ctx).Info("Antenna reserved", "reservation", reservation)
	pass.Status.Reservation = reservation
	return s.Status().Update(ctx, pass)
}

func (s *Scheduler) cancel(ctx context.Context, pass *predicates.SatellitePass) error {
	if !controllerutil.ContainsFinalizer(pass, reservationFinalizer) {
		return nil
	}
	if id := pass.Status.Reservation; id != "" {
		if err := s.Antennas.Cancel(ctx, id); err != nil {
			return fmt.Errorf("cancelling reservation %s: %w", id, err)
		}
	}
	controllerutil.RemoveFinalizer(pass, reservationFinalizer)
	return s.Update(ctx, pass)
}

// SetupWithManager registers the controller.
func (s *Scheduler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&predicates.SatellitePass{}, builder.WithPredicates(predicates.PlanChanged{})).
		Complete(s)
}
