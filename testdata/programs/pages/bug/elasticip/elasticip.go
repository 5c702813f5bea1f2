// The finalizer is only in memory while Allocate gets an address: the patch
// that writes it is deferred to the end of the reconcile.
//
//adv:rule=finalizerorder sub=lateadd claim=yes
package elasticip

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const ElasticIPFinalizer = "elasticip.network.kumulus.io"

type ElasticIP struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   ElasticIPSpec
	Status ElasticIPStatus
}

type ElasticIPSpec struct {
	Pool         string
	AllocationID string
}

type ElasticIPStatus struct {
	Address string
	Ready   bool
}

func (e *ElasticIP) DeepCopy() *ElasticIP {
	out := new(ElasticIP)
	*out = *e
	out.ObjectMeta = *e.ObjectMeta.DeepCopy()
	return out
}

func (e *ElasticIP) DeepCopyObject() runtime.Object { return e.DeepCopy() }

type Allocation struct {
	ID      string
	Address string
}

// AddressService is the network API of the provider.
type AddressService interface {
	Describe(ctx context.Context, id string) (*Allocation, error)
	Allocate(ctx context.Context, pool string) (*Allocation, error)
	Release(ctx context.Context, id string) error
}

type Reconciler struct {
	client.Client
	Addresses AddressService
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, reterr error) {
	eip := &ElasticIP{}
	if err := r.Get(ctx, req.NamespacedName, eip); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	// Always patch the object when leaving, metadata and spec first.
	base := eip.DeepCopy()
	defer func() {
		status := eip.Status
		if err := r.Patch(ctx, eip, client.MergeFrom(base)); err != nil {
			reterr = kerrors.NewAggregate([]error{reterr, client.IgnoreNotFound(err)})
			return
		}
		if !base.DeletionTimestamp.IsZero() {
			return
		}
		statusBase := eip.DeepCopy()
		eip.Status = status
		if err := r.Status().Patch(ctx, eip, client.MergeFrom(statusBase)); err != nil {
			reterr = kerrors.NewAggregate([]error{reterr, err})
		}
	}()

	if !eip.DeletionTimestamp.IsZero() {
		return r.reconcileDelete(ctx, eip)
	}
	return r.reconcileNormal(ctx, eip)
}

func (r *Reconciler) reconcileNormal(ctx context.Context, eip *ElasticIP) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	controllerutil.AddFinalizer(eip, ElasticIPFinalizer)

	if eip.Spec.AllocationID != "" {
		got, err := r.Addresses.Describe(ctx, eip.Spec.AllocationID)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("describing allocation %s: %w", eip.Spec.AllocationID, err)
		}
		eip.Status.Address, eip.Status.Ready = got.Address, true
		return ctrl.Result{}, nil
	}

	alloc, err := r.Addresses.Allocate(ctx, eip.Spec.Pool)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("allocating from pool %q: %w", eip.Spec.Pool, err)
	}
	logger.Info("address allocated", "id", alloc.ID, "address", alloc.Address)
	eip.Spec.AllocationID = alloc.ID
	eip.Status.Address, eip.Status.Ready = alloc.Address, true
	return ctrl.Result{}, nil
}

func (r *Reconciler) reconcileDelete(ctx context.Context, eip *ElasticIP) (ctrl.Result, error) {
	if id := eip.Spec.AllocationID; id != "" {
		if err := r.Addresses.Release(ctx, id); err != nil {
			return ctrl.Result{}, fmt.Errorf("releasing allocation %s: %w", id, err)
		}
	}
	controllerutil.RemoveFinalizer(eip, ElasticIPFinalizer)
	return ctrl.Result{}, nil
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, workers int) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&ElasticIP{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
}
