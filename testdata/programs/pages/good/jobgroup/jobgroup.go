// The Jobs get a plain owner reference and not a controller reference, and the watch is told to wake every owner (builder.MatchEveryOwner), as several groups share a Job.
//
//adv:rule=eventfilter sub=constant claim=no
package jobgroup

import (
	"context"
	"crypto/sha1"
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type (
	// ImportGroup imports data sets, each of them once for all groups.
	ImportGroup struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec              ImportGroupSpec   `json:"spec"`
		Status            ImportGroupStatus `json:"status,omitempty"`
	}
	// ImportGroupSpec is the wish.
	ImportGroupSpec struct {
		Datasets []string `json:"datasets"`
	}
	// ImportGroupStatus is what is known.
	ImportGroupStatus struct {
		Done   int      `json:"done"`
		Failed []string `json:"failed,omitempty"`
	}
)

// DeepCopyObject implements runtime.Object.
func (in *ImportGroup) DeepCopyObject() runtime.Object {
	out := &ImportGroup{TypeMeta: in.TypeMeta, Status: ImportGroupStatus{Done: in.Status.Done}}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Datasets = slices.Clone(in.Spec.Datasets)
	out.Status.Failed = slices.Clone(in.Status.Failed)
	return out
}

// GroupReconciler runs the imports of groups.
type GroupReconciler struct {
	client.Client
	Importer string
}

func jobName(dataset string) string { return fmt.Sprintf("import-%x", sha1.Sum([]byte(dataset)))[:24] }

// Reconcile runs the imports of one group.
func (r *GroupReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	group := &ImportGroup{}
	if err := r.Get(ctx, req.NamespacedName, group); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !group.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	status := ImportGroupStatus{}
	for _, dataset := range group.Spec.Datasets {
		job, err := r.ensure(ctx, group, dataset)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("import of %s: %w", dataset, err)
		}
		for _, c := range job.Status.Conditions {
			if c.Status != corev1.ConditionTrue {
				continue
			}
			switch c.Type {
			case batchv1.JobComplete:
				status.Done++
			case batchv1.JobFailed:
				status.Failed = append(status.Failed, dataset)
			}
		}
	}
	if status.Done == group.Status.Done && slices.Equal(status.Failed, group.Status.Failed) {
		return ctrl.Result{}, nil
	}
	log.FromContext(ctx).Info("group moves on", "done", status.Done, "failed", len(status.Failed))
	group.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, group)
}

func (r *GroupReconciler) ensure(ctx context.Context, group *ImportGroup, dataset string) (*batchv1.Job, error) {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: group.Namespace, Name: jobName(dataset)}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, job, func() error {
		if job.CreationTimestamp.IsZero() {
			job.Spec.Template.Spec = corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever,
				Containers:    []corev1.Container{{Name: "import", Image: r.Importer, Args: []string{dataset}}},
			}
		}
		// Not as its controller: the next group wants to be an owner too.
		return controllerutil.SetOwnerReference(group, job, r.Scheme())
	})
	return job, err
}

// SetupWithManager sets the controller up.
func (r *GroupReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&ImportGroup{}).
		Owns(&batchv1.Job{}, builder.MatchEveryOwner).
		Complete(r)
}
