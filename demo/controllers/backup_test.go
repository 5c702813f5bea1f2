package controllers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	v1 "github.com/ctrllint/ctrllint/demo/api/v1"
	"github.com/ctrllint/ctrllint/demo/bucket"
	"github.com/ctrllint/ctrllint/demo/controllers"
	"github.com/ctrllint/ctrllint/demo/inventory"
)

// operator is a reconciler with one Backup, and with a bucket that notes what is deleted.
type operator struct {
	*testing.T
	controllers.BackupReconciler
	backup  *v1.Backup
	late    bool // the cache does not show jobs
	deleted []string
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1.AddToScheme, batchv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	inv, err := inventory.Open(t.Context(), fake.NewClientset(&corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders"},
		Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
	}))
	if err != nil {
		t.Fatal(err)
	}
	o := &operator{T: t, backup: &v1.Backup{
		ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "nightly", UID: "7"},
		Spec:       v1.BackupSpec{Cluster: "east", Namespace: "shop"},
	}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		o.deleted = append(o.deleted, req.Method+" "+req.URL.Path)
	}))
	t.Cleanup(server.Close)
	o.Bucket = &bucket.Client{URL: server.URL}
	o.Inventory = func(context.Context, string) (*inventory.Inventory, error) { return inv, nil }
	o.Client = clientfake.NewClientBuilder().WithScheme(scheme).WithObjects(o.backup).WithStatusSubresource(&v1.Backup{}, &batchv1.Job{}).
		WithInterceptorFuncs(interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if o.late {
				return nil
			}
			return c.List(ctx, list, opts...)
		}}).Build()
	return o
}

// reconcile gives the jobs that there are afterwards.
func (o *operator) reconcile() (ctrl.Result, []batchv1.Job) {
	o.Helper()
	result, err := o.Reconcile(o.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o.backup)})
	if err != nil {
		o.Fatal(err)
	}
	if err := o.Get(o.Context(), client.ObjectKeyFromObject(o.backup), o.backup); client.IgnoreNotFound(err) != nil {
		o.Fatal(err)
	}
	late := o.late
	o.late = false
	var jobs batchv1.JobList
	if err := o.List(o.Context(), &jobs); err != nil {
		o.Fatal(err)
	}
	o.late = late
	return result, jobs.Items
}

// ends gives a job the status that its pods would.
func (o *operator) ends(job batchv1.Job, status batchv1.JobStatus) {
	o.Helper()
	job.Status = status
	if err := o.Status().Update(o.Context(), &job); err != nil {
		o.Fatal(err)
	}
}

func TestBackup(t *testing.T) {
	o := newOperator(t)
	_, jobs := o.reconcile()
	if len(jobs) != 1 || !metav1.IsControlledBy(&jobs[0], o.backup) || !slices.Equal(jobs[0].Spec.Template.Spec.Containers[0].Args, []string{"7", "east", "shop", "orders"}) {
		t.Fatalf("the first jobs are %+v", jobs)
	}
	if _, jobs = o.reconcile(); len(jobs) != 1 || o.backup.Status.Phase != "" {
		t.Errorf("while the job runs: %+v, %+v", jobs, o.backup.Status)
	}

	o.ends(jobs[0], batchv1.JobStatus{Failed: 1})
	for range 2 {
		if _, jobs = o.reconcile(); len(jobs) != 1 || o.backup.Status.Phase != v1.PhaseFailed {
			t.Errorf("once it has failed: %+v, %+v", jobs, o.backup.Status)
		}
	}

	o.backup.Annotations = map[string]string{v1.RetryAnnotation: "1"}
	if err := o.Update(t.Context(), o.backup); err != nil {
		t.Fatal(err)
	}
	if _, jobs = o.reconcile(); len(jobs) != 2 {
		t.Fatalf("when another try is asked for: %+v", jobs)
	}
	for _, job := range jobs {
		if job.Status.Failed == 0 {
			o.ends(job, batchv1.JobStatus{Succeeded: 1})
		}
	}
	if _, jobs = o.reconcile(); len(jobs) != 2 || o.backup.Status != (v1.BackupStatus{Phase: v1.PhaseDone, Retry: "1"}) {
		t.Errorf("when the second try is done: %+v, %+v", jobs, o.backup.Status)
	}

	if err := o.Delete(t.Context(), o.backup); err != nil {
		t.Fatal(err)
	}
	o.reconcile()
	if err := o.Get(t.Context(), client.ObjectKeyFromObject(o.backup), o.backup); err == nil || !slices.Equal(o.deleted, []string{"DELETE /7"}) {
		t.Errorf("the deleted backup is still there, or its archive: %v, %v", err, o.deleted)
	}
}

func TestGiveUp(t *testing.T) {
	o := newOperator(t)
	_, jobs := o.reconcile()
	o.ends(jobs[0], batchv1.JobStatus{Failed: 1})
	o.reconcile()
	o.backup.Annotations = map[string]string{v1.RetryAnnotation: v1.GiveUp}
	if err := o.Update(t.Context(), o.backup); err != nil {
		t.Fatal(err)
	}
	o.reconcile()
	if err := o.Get(t.Context(), client.ObjectKeyFromObject(o.backup), o.backup); err == nil || len(o.deleted) > 0 {
		t.Errorf("the backup that was given up is still there, or something was deleted for it: %v, %v", err, o.deleted)
	}
}

// A job that the cache does not show yet is not made twice, and what it has become is not missed.
func TestLateCache(t *testing.T) {
	o := newOperator(t)
	o.late = true
	o.reconcile()
	result, jobs := o.reconcile()
	if len(jobs) != 1 || result.RequeueAfter < time.Minute || result.RequeueAfter > 5*time.Minute {
		t.Fatalf("%+v, %+v", result, jobs)
	}
	o.late = false
	o.ends(jobs[0], batchv1.JobStatus{Succeeded: 1})
	if _, jobs := o.reconcile(); len(jobs) != 1 || o.backup.Status.Phase != v1.PhaseDone {
		t.Errorf("%+v, %+v", jobs, o.backup.Status)
	}
}
