// handleDeletion takes the finalizer off and returns nil, and Reconcile goes on
// to put it on again: the API server refuses it and each deletion ends in an error.
//
//adv:rule=finalizerorder sub=addedwhiledeleting claim=yes
package certbundle

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const bundleFinalizer = "trust.sealring.io/bundle"

type TrustBundle struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		PEM      string
		Channels []string
	}
	Status struct {
		Published []string
	}
}

func (b *TrustBundle) DeepCopyObject() runtime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	out.Spec.Channels = append([]string(nil), b.Spec.Channels...)
	out.Status.Published = append([]string(nil), b.Status.Published...)
	return &out
}

// Distributor hands bundles out to machines outside of the cluster.
type Distributor interface {
	Publish(ctx context.Context, channel, pem string) error
	Retract(ctx context.Context, channel string) error
}

type BundleReconciler struct {
	client.Client
	Distributor Distributor
}

// +kubebuilder:rbac:groups=trust.sealring.io,resources=trustbundles,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=trust.sealring.io,resources=trustbundles/status,verbs=get;update;patch

func (r *BundleReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	var bundle TrustBundle
	if err := r.Get(ctx, req.NamespacedName, &bundle); err != nil {
		if client.IgnoreNotFound(err) != nil {
			logger.Error(err, "unable to fetch TrustBundle")
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, nil
	}

	if !bundle.ObjectMeta.DeletionTimestamp.IsZero() {
		if err := r.handleDeletion(ctx, &bundle); err != nil {
			logger.Error(err, "failed to handle deletion")
			return ctrl.Result{}, err
		}
	}

	if err := r.ensureFinalizer(ctx, &bundle); err != nil {
		logger.Error(err, "failed to ensure finalizer")
		return ctrl.Result{}, err
	}

	published := make([]string, 0, len(bundle.Spec.Channels))
	for _, ch := range bundle.Spec.Channels {
		if err := r.Distributor.Publish(ctx, ch, bundle.Spec.PEM); err != nil {
			return ctrl.Result{}, fmt.Errorf("publishing to %s: %w", ch, err)
		}
		published = append(published, ch)
	}
	bundle.Status.Published = published
	return ctrl.Result{}, r.Status().Update(ctx, &bundle)
}

func (r *BundleReconciler) ensureFinalizer(ctx context.Context, bundle *TrustBundle) error {
	if controllerutil.ContainsFinalizer(bundle, bundleFinalizer) {
		return nil
	}
	controllerutil.AddFinalizer(bundle, bundleFinalizer)
	return r.Update(ctx, bundle)
}

func (r *BundleReconciler) handleDeletion(ctx context.Context, bundle *TrustBundle) error {
	if !controllerutil.ContainsFinalizer(bundle, bundleFinalizer) {
		return nil
	}
	for _, ch := range bundle.Status.Published {
		if err := r.Distributor.Retract(ctx, ch); err != nil {
			return fmt.Errorf("retracting from %s: %w", ch, err)
		}
	}
	controllerutil.RemoveFinalizer(bundle, bundleFinalizer)
	if err := r.Update(ctx, bundle); err != nil {
		return fmt.Errorf("removing finalizer: %w", err)
	}
	return nil
}

func (r *BundleReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&TrustBundle{}).Complete(r)
}
