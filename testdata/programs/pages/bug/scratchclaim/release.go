// The finalizer is taken off the claim in memory before CreateOrPatch, which reads the stored claim into the same variable first: nothing takes it off, and the claim stays in Terminating.
//
//adv:rule=finalizerorder sub=notpersisted claim=near
package scratchclaim

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	archiveFinalizer = "runner.ci.example.net/archive"
	stateLabel       = "runner.ci.example.net/state"
	jobAnnotation    = "runner.ci.example.net/job"
)

// Archive keeps the workspaces of jobs.
type Archive interface {
	Store(ctx context.Context, job, volume string) error
}

// ClaimReconciler archives the workspace of a job before its claim goes.
type ClaimReconciler struct {
	Client   client.Client
	Archive  Archive
	Recorder record.EventRecorder
}

func (r *ClaimReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	claim := &corev1.PersistentVolumeClaim{}
	if err := r.Client.Get(ctx, req.NamespacedName, claim); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("job", claim.Annotations[jobAnnotation]))

	switch {
	case claim.DeletionTimestamp == nil:
		return r.guard(ctx, claim)
	case !controllerutil.ContainsFinalizer(claim, archiveFinalizer):
		return ctrl.Result{}, nil
	case claim.Status.Phase == corev1.ClaimPending:
		// Nothing has ever been written to it.
		return ctrl.Result{}, r.release(ctx, claim, "empty")
	}

	if err := r.Archive.Store(ctx, claim.Annotations[jobAnnotation], claim.Spec.VolumeName); err != nil {
		r.Recorder.Eventf(claim, corev1.EventTypeWarning, "ArchiveFailed", "Cannot archive the workspace: %v", err)
		return ctrl.Result{}, fmt.Errorf("archiving volume %s: %w", claim.Spec.VolumeName, err)
	}
	return ctrl.Result{}, r.release(ctx, claim, "archived")
}

func (r *ClaimReconciler) guard(ctx context.Context, claim *corev1.PersistentVolumeClaim) (ctrl.Result, error) {
	if claim.Annotations[jobAnnotation] == "" {
		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
	}
	base := claim.DeepCopy()
	if !controllerutil.AddFinalizer(claim, archiveFinalizer) {
		return ctrl.Result{}, nil
	}
	log.FromContext(ctx).Info("Guarding workspace")
	return ctrl.Result{}, r.Client.Patch(ctx, claim, client.StrategicMergeFrom(base))
}

// release lets the claim go, and says why for those who look at it until the others have let it go, too.
func (r *ClaimReconciler) release(ctx context.Context, claim *corev1.PersistentVolumeClaim, state string) error {
	controllerutil.RemoveFinalizer(claim, archiveFinalizer)
	result, err := controllerutil.CreateOrPatch(ctx, r.Client, claim, func() error {
		if claim.Labels == nil {
			claim.Labels = map[string]string{}
		}
		claim.Labels[stateLabel] = state
		return nil
	})
	if err != nil {
		return fmt.Errorf("releasing claim: %w", err)
	}
	log.FromContext(ctx).Info("Released workspace", "state", state, "result", result)
	return nil
}

// SetupWithManager registers the controller for the claims of runners.
func (r *ClaimReconciler) SetupWithManager(mgr ctrl.Manager) error {
	ours := predicate.NewPredicateFuncs(func(obj client.Object) bool {
		return obj.GetLabels()["app.kubernetes.io/managed-by"] == "ci-runner"
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("scratch-claims").
		For(&corev1.PersistentVolumeClaim{}).
		WithEventFilter(ours).
		Complete(r)
}
