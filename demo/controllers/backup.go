// Package controllers has what looks after Backups and Schedules.
package controllers

import (
	"context"
	"errors"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/inventory"
)

// Bucket keeps archives.
type Bucket interface {
	Copy(ctx context.Context, archive, volume string) error
	Delete(ctx context.Context, archive string) error
}

// Clusters know the volumes of each cluster.
type Clusters interface {
	Inventory(ctx context.Context, name string) (*inventory.Inventory, error)
}

// BackupReconciler copies volumes, once for each Backup.
type BackupReconciler struct {
	client.Client
	Clusters Clusters
	Bucket   Bucket
}

func (r *BackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var backup v1.Backup
	if err := r.Get(ctx, req.NamespacedName, &backup); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !backup.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, &backup)
	}
	if controllerutil.AddFinalizer(&backup, v1.Finalizer) {
		if err := r.Update(ctx, &backup); err != nil {
			return ctrl.Result{}, err
		}
	}

	retry := backup.Annotations[v1.RetryAnnotation]
	if backup.Status.Phase == v1.PhaseDone || backup.Status.Phase == v1.PhaseFailed && backup.Status.Retry == retry {
		return ctrl.Result{}, nil
	}
	archives, err := r.copyVolumes(ctx, &backup)
	backup.Status = v1.BackupStatus{Phase: v1.PhaseDone, Retry: retry, Archives: archives}
	if err != nil {
		backup.Status.Phase, backup.Status.Message = v1.PhaseFailed, err.Error()
	}
	return ctrl.Result{}, r.Status().Update(ctx, &backup)
}

// copyVolumes gives the names of the archives that were made, also when not all could be.
func (r *BackupReconciler) copyVolumes(ctx context.Context, backup *v1.Backup) (archives []string, err error) {
	inv, err := r.Clusters.Inventory(ctx, backup.Spec.Cluster)
	if err != nil {
		return nil, fmt.Errorf("cluster %s: %w", backup.Spec.Cluster, err)
	}
	claims, err := inv.Claims(backup.Spec.Namespace)
	if err != nil {
		return nil, err
	}
	for _, claim := range claims {
		archive := fmt.Sprintf("%s-%s", backup.UID, claim)
		if err := r.Bucket.Copy(ctx, archive, backup.Spec.Cluster+"/"+backup.Spec.Namespace+"/"+claim); err != nil {
			return archives, err
		}
		archives = append(archives, archive)
	}
	return archives, nil
}

// finalize deletes the archives, and lets the Backup go.
func (r *BackupReconciler) finalize(ctx context.Context, backup *v1.Backup) error {
	err := r.deleteArchives(ctx, backup.Status.Archives)
	controllerutil.RemoveFinalizer(backup, v1.Finalizer)
	return errors.Join(err, r.Update(ctx, backup))
}

func (r *BackupReconciler) deleteArchives(ctx context.Context, archives []string) error {
	var errs []error
	for _, archive := range archives {
		errs = append(errs, r.Bucket.Delete(ctx, archive))
	}
	return errors.Join(errs...)
}

func (r *BackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		// The reconciler writes the status, which must not start it again.
		For(&v1.Backup{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		// A slow cluster is not to keep the backups of the others waiting.
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
