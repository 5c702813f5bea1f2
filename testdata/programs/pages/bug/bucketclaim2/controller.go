// The shared predicate ClaimContent passes changes of spec and labels alone, so the update that sets the deletion timestamp is dropped, the bucket is never emptied and the finalizer stays.
//
//adv:rule=eventfilter sub=deletion claim=yes
package bucketclaim

import (
	"context"
	"fmt"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/pages/bug/bucketclaim2/api"
	"example.com/pages/bug/bucketclaim2/filter"
)

// ObjectStore is the storage behind.
type ObjectStore interface {
	Ensure(ctx context.Context, region, name string, versioning bool, tags map[string]string) error
	Empty(ctx context.Context, name string) error
	Remove(ctx context.Context, name string) error
}

type step func(ctx context.Context, claim *api.BucketClaim) (done bool, err error)

// Controller provisions buckets.
type Controller struct {
	kube  client.Client
	store ObjectStore
}

// Reconcile walks through the steps until one says that it is the last.
func (c *Controller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	claim := &api.BucketClaim{}
	if err := c.kube.Get(ctx, req.NamespacedName, claim); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for i, s := range []step{c.teardown, c.protect, c.provision, c.report} {
		done, err := s(ctx, claim)
		if err != nil {
			klog.FromContext(ctx).Error(err, "step failed", "step", i)
			return ctrl.Result{}, err
		}
		if done {
			break
		}
	}
	return ctrl.Result{}, nil
}

func (c *Controller) teardown(ctx context.Context, claim *api.BucketClaim) (bool, error) {
	if claim.GetDeletionTimestamp().IsZero() {
		return false, nil
	}
	if !controllerutil.ContainsFinalizer(claim, api.Finalizer) {
		return true, nil
	}
	if name := claim.Status.BucketName; name != "" {
		if err := c.store.Empty(ctx, name); err != nil {
			return true, fmt.Errorf("empty bucket %s: %w", name, err)
		}
		if err := c.store.Remove(ctx, name); err != nil {
			return true, fmt.Errorf("remove bucket %s: %w", name, err)
		}
	}
	controllerutil.RemoveFinalizer(claim, api.Finalizer)
	return true, c.kube.Update(ctx, claim)
}

func (c *Controller) protect(ctx context.Context, claim *api.BucketClaim) (bool, error) {
	if controllerutil.AddFinalizer(claim, api.Finalizer) {
		return false, c.kube.Update(ctx, claim)
	}
	return false, nil
}

func (c *Controller) provision(ctx context.Context, claim *api.BucketClaim) (bool, error) {
	name := fmt.Sprintf("%s-%s", claim.Namespace, claim.Name)
	if err := c.store.Ensure(ctx, claim.Spec.Region, name, claim.Spec.Versioning, claim.Spec.Tags); err != nil {
		return true, fmt.Errorf("ensure bucket: %w", err)
	}
	claim.Status.BucketName = name
	return false, nil
}

func (c *Controller) report(ctx context.Context, claim *api.BucketClaim) (bool, error) {
	claim.Status.Phase = "Bound"
	return true, c.kube.Status().Update(ctx, claim)
}

// Register adds the controller to the manager.
func Register(mgr ctrl.Manager, store ObjectStore) error {
	c := &Controller{kube: mgr.GetClient(), store: store}
	return ctrl.NewControllerManagedBy(mgr).
		For(&api.BucketClaim{}, builder.WithPredicates(filter.ClaimContent{WatchLabels: true})).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Complete(c)
}
