// Package controllers has what looks after Backups.
package controllers

import (
	"context"
	"encoding/json"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/bucket"
	"github.com/ctrllint/ctrllint/demo/inventory"
)

const (
	// backupLabel names the Backup that a job is for, tryLabel which try of it.
	backupLabel = "backup.example.com/backup"
	tryLabel    = "backup.example.com/try"
	// patience is for how long the cache may take to show a new job.
	patience = 5 * time.Minute
)

// BackupReconciler runs a job for each Backup, which copies the volumes into an archive.
type BackupReconciler struct {
	client.Client
	Inventory    func(ctx context.Context, cluster string) (*inventory.Inventory, error)
	Bucket       *bucket.Client
	expectations Expectations
}

func (r *BackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key := req.String()
	var backup v1.Backup
	if err := r.Get(ctx, req.NamespacedName, &backup); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !backup.DeletionTimestamp.IsZero() {
		r.expectations.CreationObserved(key)
		return ctrl.Result{}, r.finalize(ctx, &backup)
	}
	if controllerutil.AddFinalizer(&backup, v1.Finalizer) {
		if err := r.Update(ctx, &backup); err != nil {
			return ctrl.Result{}, err
		}
	}

	retry := backup.Annotations[v1.RetryAnnotation]
	if backup.Status.Phase == v1.PhaseFailed && retry == v1.GiveUp {
		return ctrl.Result{}, r.drop(ctx, &backup)
	}
	if backup.Status.Phase == v1.PhaseDone || backup.Status.Phase == v1.PhaseFailed && backup.Status.Retry == retry {
		return ctrl.Result{}, nil
	}
	var jobs batchv1.JobList
	if err := r.List(ctx, &jobs, client.InNamespace(backup.Namespace), client.MatchingLabels{backupLabel: backup.Name, tryLabel: retry}); err != nil {
		return ctrl.Result{}, err
	}
	if len(jobs.Items) > 0 {
		r.expectations.CreationObserved(key)
		backup.Status.Retry = retry
		switch job := jobs.Items[0].Status; {
		case job.Succeeded > 0:
			backup.Status.Phase = v1.PhaseDone
		case job.Failed > 0:
			backup.Status.Phase = v1.PhaseFailed
		default:
			return ctrl.Result{}, nil // it still runs
		}
		return ctrl.Result{}, r.Status().Update(ctx, &backup)
	}
	if ok, waited := r.expectations.Satisfied(key); !ok {
		if waited < patience {
			return ctrl.Result{RequeueAfter: patience - waited}, nil
		}
		log.FromContext(ctx).Info("the job does not show up", "waited", waited)
		return ctrl.Result{}, nil
	}

	job, err := r.job(ctx, &backup, retry)
	if err != nil {
		return ctrl.Result{}, err
	}
	r.expectations.ExpectCreation(key)
	if err := r.Create(ctx, job); err != nil {
		r.expectations.CreationObserved(key)
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// job copies the volumes that the namespace has now.
func (r *BackupReconciler) job(ctx context.Context, backup *v1.Backup, retry string) (*batchv1.Job, error) {
	inv, err := r.Inventory(ctx, backup.Spec.Cluster)
	if err != nil {
		return nil, err
	}
	claims, err := inv.Claims(backup.Spec.Namespace)
	if err != nil {
		return nil, err
	}
	templates := make([]*corev1.PersistentVolumeClaim, len(claims))
	for i, name := range claims {
		if templates[i], err = inv.Template(backup.Spec.Namespace, name); err != nil {
			return nil, err
		}
	}
	restore, err := json.Marshal(templates)
	if err != nil {
		return nil, err
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Namespace:    backup.Namespace,
		GenerateName: backup.Name + "-",
		Labels:       map[string]string{backupLabel: backup.Name, tryLabel: retry},
	}}
	job.Spec.Template.Spec = corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers: []corev1.Container{{
			Name: "copy", Image: "registry.example.com/copy:v1",
			Env:  []corev1.EnvVar{{Name: "RESTORE", Value: string(restore)}},
			Args: append([]string{string(backup.UID), backup.Spec.Cluster, backup.Spec.Namespace}, claims...),
		}},
	}
	return job, controllerutil.SetControllerReference(backup, job, r.Scheme())
}

// finalize deletes the archive, and lets the Backup go.
func (r *BackupReconciler) finalize(ctx context.Context, backup *v1.Backup) error {
	if err := r.Bucket.Delete(ctx, string(backup.UID)); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(backup, v1.Finalizer)
	return r.Update(ctx, backup)
}

// drop deletes a Backup that has failed: there is no archive to wait for.
func (r *BackupReconciler) drop(ctx context.Context, backup *v1.Backup) error {
	backup.Finalizers = nil
	if err := r.Update(ctx, backup); err != nil {
		return err
	}
	return client.IgnoreNotFound(r.Delete(ctx, backup))
}

func (r *BackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		// The reconciler writes the status, which must not start it again.
		For(&v1.Backup{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}))).
		Owns(&batchv1.Job{}).
		// A slow cluster is not to keep the backups of the others waiting.
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
