// The sub-reconciler that applies a schema polls the migration Job with context.Background() although it is given the context of the reconciliation, so a manager that stops waits for a Job that may never be done.
//
//adv:rule=startctx sub=replaced claim=yes

package schemawait

import (
	"context"
	"errors"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Database is a schema in a shared server.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DatabaseSpec   `json:"spec"`
	Status            DatabaseStatus `json:"status,omitempty"`
}

type DatabaseSpec struct {
	Migrations string `json:"migrations"`
}

type DatabaseStatus struct {
	Applied    string             `json:"applied,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

func (d *Database) DeepCopyObject() runtime.Object {
	out := *d
	d.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append([]metav1.Condition(nil), d.Status.Conditions...)
	return &out
}

type subReconciler interface {
	Name() string
	Reconcile(ctx context.Context, db *Database) error
}

// DatabaseReconciler asks its sub-reconcilers, one after the other.
type DatabaseReconciler struct {
	client.Client
	subs []subReconciler
}

func (r *DatabaseReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.subs = []subReconciler{&secret{Client: r.Client}, &schema{Client: r.Client, poll: 3 * time.Second}}
	return ctrl.NewControllerManagedBy(mgr).For(&Database{}).Owns(&batchv1.Job{}).Complete(r)
}

func (r *DatabaseReconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, rerr error) {
	db := &Database{}
	if err := r.Get(ctx, req.NamespacedName, db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := db.DeepCopyObject().(*Database)
	defer func() {
		if err := r.Status().Patch(ctx, db, client.MergeFrom(before)); err != nil {
			rerr = errors.Join(rerr, fmt.Errorf("patch status: %w", err))
		}
	}()
	for _, s := range r.subs {
		c := metav1.Condition{Type: s.Name(), Status: metav1.ConditionTrue, Reason: "Done"}
		err := s.Reconcile(ctx, db)
		if err != nil {
			c.Status, c.Reason, c.Message = metav1.ConditionFalse, "Failed", err.Error()
		}
		meta.SetStatusCondition(&db.Status.Conditions, c)
		if err != nil {
			return ctrl.Result{}, fmt.Errorf("%s: %w", s.Name(), err)
		}
	}
	return ctrl.Result{}, nil
}

type secret struct{ client.Client }

func (*secret) Name() string { return "Credentials" }

func (s *secret) Reconcile(ctx context.Context, db *Database) error {
	return s.Get(ctx, client.ObjectKey{Namespace: db.Namespace, Name: db.Name + "-credentials"}, &corev1.Secret{})
}

type schema struct {
	client.Client
	poll time.Duration
}

func (*schema) Name() string { return "Schema" }

func (s *schema) Reconcile(ctx context.Context, db *Database) error {
	if db.Status.Applied == db.Spec.Migrations {
		return nil
	}
	job := migration(db)
	if err := ctrl.SetControllerReference(db, job, s.Scheme()); err != nil {
		return err
	}
	if err := s.Create(ctx, job); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create migration: %w", err)
	}
	if err := s.await(ctx, client.ObjectKeyFromObject(job)); err != nil {
		return fmt.Errorf("migration %s: %w", job.Name, err)
	}
	db.Status.Applied = db.Spec.Migrations
	return nil
}

func (s *schema) await(ctx context.Context, key client.ObjectKey) error {
	logger := log.FromContext(ctx).WithValues("job", key)
	return wait.PollUntilContextCancel(context.Background(), s.poll, true, func(ctx context.Context) (bool, error) {
		job := &batchv1.Job{}
		if err := s.Get(ctx, key, job); err != nil {
			logger.Error(err, "cannot read the migration")
			return false, nil
		}
		for _, c := range job.Status.Conditions {
			if c.Type == batchv1.JobFailed && c.Status == corev1.ConditionTrue {
				return false, errors.New(c.Message)
			}
		}
		return job.Status.Succeeded > 0, nil
	})
}

func migration(db *Database) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, GenerateName: "", Name: db.Name + "-" + db.Spec.Migrations},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "migrate", Image: "migrate/migrate", Args: []string{"up", db.Spec.Migrations}}},
		}}},
	}
}
