// A failed Revoke keeps the seat, unless its owner has said by an annotation
// that the licence server is lost and the seat is to be given up.
//
//adv:rule=finalizerorder sub=removedonerror claim=no
package licenseseat

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const (
	seatFinalizer     = "licensing.quillcad.com/seat"
	abandonAnnotation = "licensing.quillcad.com/abandon-seat"
)

type Seat struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Product string
		User    string
	}
	Status struct {
		Token      string
		Conditions []metav1.Condition
	}
}

func (s *Seat) DeepCopyObject() runtime.Object {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	out.Status.Conditions = append([]metav1.Condition(nil), s.Status.Conditions...)
	return &out
}

// LicenceServer gives the same token to the same user and product. A token that
// it does not know is revoked without an error.
type LicenceServer interface {
	Acquire(ctx context.Context, product, user string) (token string, err error)
	Revoke(ctx context.Context, token string) error
}

type SeatReconciler struct {
	client.Client
	Recorder record.EventRecorder
	Licences LicenceServer
}

func (r *SeatReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var seat Seat
	if err := r.Get(ctx, req.NamespacedName, &seat); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if seat.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.acquire(ctx, &seat)
	}
	return ctrl.Result{}, r.surrender(ctx, &seat)
}

func (r *SeatReconciler) acquire(ctx context.Context, seat *Seat) error {
	if controllerutil.AddFinalizer(seat, seatFinalizer) {
		if err := r.Update(ctx, seat); err != nil {
			return fmt.Errorf("adding finalizer: %w", err)
		}
	}
	if seat.Status.Token != "" {
		return nil
	}
	token, err := r.Licences.Acquire(ctx, seat.Spec.Product, seat.Spec.User)
	if err != nil {
		r.Recorder.Eventf(seat, corev1.EventTypeWarning, "AcquireFailed", "no seat of %s: %v", seat.Spec.Product, err)
		return err
	}
	seat.Status.Token = token
	return r.Status().Update(ctx, seat)
}

func (r *SeatReconciler) surrender(ctx context.Context, seat *Seat) error {
	logger := log.FromContext(ctx)
	if !controllerutil.ContainsFinalizer(seat, seatFinalizer) {
		return nil
	}
	token := seat.Status.Token
	if token == "" {
		// the status may have been lost: the server knows
		var err error
		if token, err = r.Licences.Acquire(ctx, seat.Spec.Product, seat.Spec.User); err != nil && !abandoned(seat) {
			return fmt.Errorf("looking for the seat: %w", err)
		}
	}
	if err := r.Licences.Revoke(ctx, token); err != nil {
		r.Recorder.Eventf(seat, corev1.EventTypeWarning, "RevokeFailed",
			"%v; annotate with %s=true to give the seat up", err, abandonAnnotation)
		if !abandoned(seat) {
			return fmt.Errorf("revoking seat: %w", err)
		}
		logger.Error(err, "seat is given up on its owner's request")
	}
	controllerutil.RemoveFinalizer(seat, seatFinalizer)
	return r.Update(ctx, seat)
}

func abandoned(seat *Seat) bool { return seat.Annotations[abandonAnnotation] == "true" }

func (r *SeatReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Recorder = mgr.GetEventRecorderFor("seat-controller")
	return ctrl.NewControllerManagedBy(mgr).For(&Seat{}).Complete(r)
}
