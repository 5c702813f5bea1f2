// The finalizer is taken off in memory before the key is scheduled for deletion, and the deferred patch writes that although the key service has failed.
//
//adv:rule=finalizerorder sub=writeafterremoval claim=yes
package backupvault

import (
	"context"
	"errors"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

const vaultFinalizer = "backup.acme.dev/vault"

// Reconciler keeps vaults.
type Reconciler struct {
	client.Client
	Store ObjectStore
	Keys  KeyService
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, reterr error) {
	vault := &BackupVault{}
	if err := r.Get(ctx, req.NamespacedName, vault); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	before := vault.DeepCopy()
	defer func() {
		// The status first, from a copy: the answer of the server would overwrite what else has changed.
		if before.Status != vault.Status {
			if err := r.Status().Patch(ctx, vault.DeepCopy(), client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
				reterr = errors.Join(reterr, fmt.Errorf("patching status: %w", err))
			}
		}
		if err := r.Patch(ctx, vault, client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
			reterr = errors.Join(reterr, fmt.Errorf("patching vault: %w", err))
		}
	}()

	if !vault.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.reconcileDelete(ctx, vault)
	}
	if controllerutil.AddFinalizer(vault, vaultFinalizer) {
		return ctrl.Result{RequeueAfter: time.Second}, nil // written by the deferred patch first
	}
	return ctrl.Result{}, r.reconcileNormal(ctx, vault)
}

func (r *Reconciler) reconcileNormal(ctx context.Context, vault *BackupVault) error {
	if vault.Status.KeyID == "" {
		id, err := r.Keys.EnsureKey(ctx, "vault/"+string(vault.UID))
		if err != nil {
			vault.Status.Phase = "KeyFailed"
			return fmt.Errorf("ensuring key: %w", err)
		}
		vault.Status.KeyID = id
	}
	bucket := fmt.Sprintf("vault-%s-%s", vault.Namespace, vault.Name)
	if err := r.Store.EnsureBucket(ctx, bucket, vault.Spec.Region, vault.Status.KeyID); err != nil {
		vault.Status.Phase = "BucketFailed"
		return fmt.Errorf("ensuring bucket %s: %w", bucket, err)
	}
	vault.Status.Bucket, vault.Status.Phase = bucket, "Ready"
	return nil
}

func (r *Reconciler) reconcileDelete(ctx context.Context, vault *BackupVault) error {
	logger := log.FromContext(ctx)
	vault.Status.Phase = "Deleting"

	if bucket := vault.Status.Bucket; bucket != "" {
		if err := r.Store.PurgeBucket(ctx, bucket); err != nil {
			return fmt.Errorf("purging bucket %s: %w", bucket, err)
		}
		if err := r.Store.DeleteBucket(ctx, bucket); err != nil {
			return fmt.Errorf("deleting bucket %s: %w", bucket, err)
		}
		logger.Info("Bucket is gone", "bucket", bucket)
	}
	controllerutil.RemoveFinalizer(vault, vaultFinalizer)

	if vault.Status.KeyID == "" {
		return nil
	}
	if err := r.Keys.ScheduleKeyDeletion(ctx, vault.Status.KeyID, vault.Spec.RetentionDays); err != nil {
		return fmt.Errorf("scheduling deletion of key %s: %w", vault.Status.KeyID, err)
	}
	logger.Info("Key is scheduled for deletion", "key", vault.Status.KeyID)
	return nil
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, opts controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("backupvault").
		For(&BackupVault{}).
		WithOptions(opts).
		Complete(r)
}
