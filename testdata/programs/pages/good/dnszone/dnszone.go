// DeleteFunc says no to the deletions of the zones, which is right: the finalizer has the cleanup done at the update that sets the deletion timestamp, and nothing is left to do when the object is gone.
//
//adv:rule=eventfilter sub=deletion claim=no
package dnszone

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// ErrBusy is what the provider says when it is at work on the zone.
var ErrBusy = errors.New("zone is busy")

// Provider hosts zones.
type Provider interface {
	// EnsureZone makes the zone of the domain, or finds the one that is there.
	EnsureZone(ctx context.Context, domain string, ttl int) (id string, err error)
	UpdateZone(ctx context.Context, id string, ttl int) error
	DeleteZone(ctx context.Context, id string) error
}

// Zone is a DNS zone.
type Zone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ZoneSpec   `json:"spec"`
	Status            ZoneStatus `json:"status,omitempty"`
}

// ZoneSpec is the wish.
type ZoneSpec struct {
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="domain is immutable"
	Domain string `json:"domain"`
	TTL    int    `json:"ttl,omitempty"`
}

// ZoneStatus is what is known.
type ZoneStatus struct {
	ID         string `json:"id,omitempty"`
	Generation int64  `json:"generation,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (z *Zone) DeepCopyObject() runtime.Object {
	c := &Zone{TypeMeta: z.TypeMeta, Spec: z.Spec, Status: z.Status}
	z.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return c
}

const zoneFinalizer = "dns.acme.io/zone"

// ZoneReconciler hosts zones at a provider.
type ZoneReconciler struct {
	client.Client
	DNS Provider
}

// Reconcile hosts one zone.
func (r *ZoneReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	zone := &Zone{}
	if err := r.Get(ctx, req.NamespacedName, zone); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if zone.GetDeletionTimestamp() != nil {
		return r.delete(ctx, zone)
	}
	if !controllerutil.ContainsFinalizer(zone, zoneFinalizer) {
		controllerutil.AddFinalizer(zone, zoneFinalizer)
		if err := r.Update(ctx, zone); err != nil {
			return ctrl.Result{}, err
		}
	}
	if zone.Status.Generation == zone.Generation && zone.Status.ID != "" {
		return ctrl.Result{}, nil
	}
	if zone.Status.ID == "" {
		id, err := r.DNS.EnsureZone(ctx, zone.Spec.Domain, zone.Spec.TTL)
		if err != nil {
			return ctrl.Result{}, err
		}
		zone.Status.ID = id
	} else if err := r.DNS.UpdateZone(ctx, zone.Status.ID, zone.Spec.TTL); err != nil {
		return ctrl.Result{}, err
	}
	zone.Status.Generation = zone.Generation
	return ctrl.Result{}, r.Status().Update(ctx, zone)
}

func (r *ZoneReconciler) delete(ctx context.Context, zone *Zone) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(zone, zoneFinalizer) {
		return ctrl.Result{}, nil
	}
	if zone.Status.ID != "" {
		switch err := r.DNS.DeleteZone(ctx, zone.Status.ID); {
		case errors.Is(err, ErrBusy):
			log.FromContext(ctx).Info("zone is busy, trying again later", "id", zone.Status.ID)
			return ctrl.Result{RequeueAfter: 20 * time.Second}, nil
		case err != nil:
			return ctrl.Result{}, err
		}
	}
	controllerutil.RemoveFinalizer(zone, zoneFinalizer)
	return ctrl.Result{}, r.Update(ctx, zone)
}

func ignoreDeletionPredicate() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			// Ignore updates to CR status in which case metadata.Generation does not change
			return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
		},
		DeleteFunc: func(e event.DeleteEvent) bool {
			// The finalizer has run when the object goes.
			return false
		},
	}
}

// SetupWithManager sets the controller up.
func (r *ZoneReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Zone{}).
		WithEventFilter(ignoreDeletionPredicate()).
		Complete(r)
}
