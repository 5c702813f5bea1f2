// The errors of deleting the records and the zone are put on a list that is
// returned only after the finalizer has been patched away.
//
//adv:rule=finalizerorder sub=removedonerror claim=yes
package dnszone

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const zoneFinalizer = "dns.nimbus.io/hosted-zone"

// ErrNoSuchRecord is returned by providers for records that are gone.
var ErrNoSuchRecord = errors.New("no such record")

type RecordRef struct {
	ID   string
	Name string
}

type HostedZone struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		Domain string
	}
	Status struct {
		ZoneID     string
		Records    []RecordRef
		Conditions []metav1.Condition
	}
}

func (z *HostedZone) DeepCopy() *HostedZone {
	out := new(HostedZone)
	*out = *z
	out.ObjectMeta = *z.ObjectMeta.DeepCopy()
	out.Status.Records = append([]RecordRef(nil), z.Status.Records...)
	out.Status.Conditions = append([]metav1.Condition(nil), z.Status.Conditions...)
	return out
}

func (z *HostedZone) DeepCopyObject() runtime.Object { return z.DeepCopy() }

// Provider is one DNS vendor.
type Provider interface {
	CreateZone(ctx context.Context, domain string) (string, error)
	DeleteZone(ctx context.Context, id string) error
	DeleteRecord(ctx context.Context, zoneID, recordID string) error
}

type ZoneReconciler struct {
	client.Client
	Provider Provider
}

func (r *ZoneReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	zone := &HostedZone{}
	if err := r.Get(ctx, req.NamespacedName, zone); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !zone.DeletionTimestamp.IsZero() {
		return r.finalize(ctx, zone)
	}
	if controllerutil.AddFinalizer(zone, zoneFinalizer) {
		if err := r.Update(ctx, zone); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}
	if zone.Status.ZoneID != "" {
		return ctrl.Result{}, nil
	}
	id, err := r.Provider.CreateZone(ctx, zone.Spec.Domain)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("creating zone %s: %w", zone.Spec.Domain, err)
	}
	zone.Status.ZoneID = id
	meta.SetStatusCondition(&zone.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "ZoneCreated",
	})
	return ctrl.Result{}, r.Status().Update(ctx, zone)
}

func (r *ZoneReconciler) finalize(ctx context.Context, zone *HostedZone) (ctrl.Result, error) {
	logger := log.FromContext(ctx).WithValues("domain", zone.Spec.Domain)
	if !controllerutil.ContainsFinalizer(zone, zoneFinalizer) {
		return ctrl.Result{}, nil
	}

	var errs []error
	for _, rec := range zone.Status.Records {
		err := r.Provider.DeleteRecord(ctx, zone.Status.ZoneID, rec.ID)
		if err != nil && !errors.Is(err, ErrNoSuchRecord) {
			errs = append(errs, fmt.Errorf("record %s: %w", rec.Name, err))
		}
	}
	if zone.Status.ZoneID != "" {
		if err := r.Provider.DeleteZone(ctx, zone.Status.ZoneID); err != nil {
			errs = append(errs, fmt.Errorf("zone %s: %w", zone.Status.ZoneID, err))
		}
	}

	base := zone.DeepCopy()
	controllerutil.RemoveFinalizer(zone, zoneFinalizer)
	if err := r.Patch(ctx, zone, client.MergeFrom(base)); err != nil {
		errs = append(errs, err)
	}
	if len(errs) == 0 {
		logger.Info("hosted zone released")
	}
	return ctrl.Result{}, kerrors.NewAggregate(errs)
}

func (r *ZoneReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&HostedZone{}).Named("hostedzone").Complete(r)
}
