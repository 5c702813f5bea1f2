// Each failure but "gone" is joined and returned before the finalizer goes, so nothing is lost although a loop goes on past failures.
//
//adv:rule=finalizerorder sub=removedonerror claim=no
package dnsrecordset

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/pages/good/dnsrecordset/registrar"
)

const recordsFinalizer = "dns.hosting.example/records"

// RecordSet is a name in all zones of the split horizon.
type RecordSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RecordSetSpec `json:"spec"`
}

type RecordSetSpec struct {
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Record string `json:"record"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Type   string   `json:"type"`
	Values []string `json:"values"`
}

func (s *RecordSet) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Values = append([]string(nil), s.Spec.Values...)
	return &out
}

// Reconciler keeps records.
type Reconciler struct {
	client.Client
	Zones    []registrar.Zone
	Recorder record.EventRecorder
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &RecordSet{}
	if err := r.Get(ctx, req.NamespacedName, set); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !set.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.reconcileDelete(ctx, set)
	}
	if controllerutil.AddFinalizer(set, recordsFinalizer) {
		if err := r.Update(ctx, set); err != nil {
			return ctrl.Result{}, fmt.Errorf("adding finalizer: %w", err)
		}
	}
	for _, zone := range r.Zones {
		if err := zone.Upsert(ctx, set.Spec.Record, set.Spec.Type, set.Spec.Values); err != nil {
			return ctrl.Result{}, fmt.Errorf("writing %s to zone %s: %w", set.Spec.Record, zone.Name(), err)
		}
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) reconcileDelete(ctx context.Context, set *RecordSet) error {
	if !controllerutil.ContainsFinalizer(set, recordsFinalizer) {
		return nil
	}
	if err := r.purge(ctx, set); err != nil {
		r.Recorder.Event(set, corev1.EventTypeWarning, "PurgeFailed", err.Error())
		return fmt.Errorf("purging records: %w", err)
	}
	controllerutil.RemoveFinalizer(set, recordsFinalizer)
	return r.Update(ctx, set)
}

// purge takes the name out of each zone, also where another zone cannot be reached.
func (r *Reconciler) purge(ctx context.Context, set *RecordSet) error {
	logger := log.FromContext(ctx)
	var failed []error
	for _, zone := range r.Zones {
		switch err := zone.Delete(ctx, set.Spec.Record, set.Spec.Type); {
		case err == nil:
			logger.Info("Record deleted", "zone", zone.Name())
		case registrar.IsGone(err):
			logger.V(1).Info("Record was gone", "zone", zone.Name())
		default:
			logger.Error(err, "Cannot delete record", "zone", zone.Name())
			failed = append(failed, fmt.Errorf("zone %s: %w", zone.Name(), err))
		}
	}
	return errors.Join(failed...)
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&RecordSet{}).Complete(r)
}
