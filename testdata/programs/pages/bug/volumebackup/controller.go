// hooksChanged, which the update filter asks, looks at the pre and the post hook and forgets the failure hook that the runner takes from the spec as well, so an edit of that one alone never reaches the reconciler.
//
//adv:rule=eventfilter sub=siblings claim=yes
package volumebackup

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// BackupReconciler keeps the CronJob of a VolumeBackup in line with its spec.
type BackupReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Image  string
}

// Reconcile implements reconcile.Reconciler.
func (r *BackupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)

	vb := &VolumeBackup{}
	if err := r.Get(ctx, req.NamespacedName, vb); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !vb.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}

	cron := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: vb.Name + "-backup", Namespace: vb.Namespace}}
	op, err := controllerutil.CreateOrUpdate(ctx, r.Client, cron, func() error {
		cron.Spec.Schedule = vb.Spec.Schedule
		cron.Spec.ConcurrencyPolicy = batchv1.ForbidConcurrent
		pod := &cron.Spec.JobTemplate.Spec.Template.Spec
		pod.RestartPolicy = corev1.RestartPolicyNever
		pod.Containers = []corev1.Container{{
			Name:  "backup",
			Image: r.Image,
			Args:  append([]string{"--claim", vb.Spec.ClaimName}, runnerArgs(&vb.Spec.Hooks)...),
		}}
		return controllerutil.SetControllerReference(vb, cron, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("sync cronjob of %s: %w", req, err)
	}
	if op != controllerutil.OperationResultNone {
		logger.Info("synced cronjob", "operation", op)
	}

	before := vb.DeepCopy()
	meta.SetStatusCondition(&vb.Status.Conditions, metav1.Condition{
		Type: "Scheduled", Status: metav1.ConditionTrue, Reason: "CronJobSynced", ObservedGeneration: vb.Generation,
	})
	if equality.Semantic.DeepEqual(before.Status, vb.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Patch(ctx, vb, client.MergeFrom(before))
}

// runnerArgs are the flags of the runner for the hooks.
func runnerArgs(h *Hooks) []string {
	var args []string
	add := func(flag string, hook *ExecHook) {
		if hook == nil {
			return
		}
		args = append(args, fmt.Sprintf("--%s=%s:%v", flag, hook.Container, hook.Command))
	}
	add("pre", h.Pre)
	add("post", h.Post)
	add("on-failure", h.OnFailure)
	if h.TimeoutSeconds > 0 {
		args = append(args, fmt.Sprintf("--hook-timeout=%ds", h.TimeoutSeconds))
	}
	return args
}

// hooksChanged says whether the runner has to be made anew for its hooks.
func hooksChanged(old, cur *VolumeBackup) bool {
	a, b := &old.Spec.Hooks, &cur.Spec.Hooks
	return !equality.Semantic.DeepEqual(a.Pre, b.Pre) ||
		!equality.Semantic.DeepEqual(a.Post, b.Post) ||
		a.TimeoutSeconds != b.TimeoutSeconds
}

// SetupWithManager registers the controller.
func (r *BackupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&VolumeBackup{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				old, cur := e.ObjectOld.(*VolumeBackup), e.ObjectNew.(*VolumeBackup)
				return old.Spec.Schedule != cur.Spec.Schedule ||
					old.Spec.ClaimName != cur.Spec.ClaimName ||
					hooksChanged(old, cur)
			},
		})).
		Owns(&batchv1.CronJob{}).
		Complete(r)
}
