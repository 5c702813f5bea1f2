// When the third of eight creates fails only one creation is taken back, and the five that were never asked for keep the job from being reconciled until the expectations time out.
//
//adv:rule=expectttl sub=notlowered claim=yes

// Package mlbatch runs the workers of batch Jobs that are annotated as distributed training.
package mlbatch

import (
	"context"
	"fmt"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/pages/bug/mlbatch/expectations"
)

const workersAnnotation = "ml.example.org/workers"

// JobReconciler keeps the number of workers.
type JobReconciler struct {
	client.Client
	expect *expectations.Store
}

// Reconcile implements reconcile.Reconciler.
func (r *JobReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	logger := log.FromContext(ctx)
	job := &batchv1.Job{}
	if err := r.Get(ctx, req.NamespacedName, job); err != nil {
		if apierrors.IsNotFound(err) {
			r.expect.DeleteExpectations(req.String())
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	want, err := strconv.Atoi(job.Annotations[workersAnnotation])
	if err != nil || job.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	if !r.expect.SatisfiedExpectations(req.String()) {
		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(req.Namespace), client.MatchingLabels{"training-job": job.Name}); err != nil {
		return ctrl.Result{}, fmt.Errorf("list workers: %w", err)
	}
	if missing := want - len(pods.Items); missing > 0 {
		logger.Info("scaling up", "missing", missing)
		return ctrl.Result{}, r.scaleUp(ctx, job, req.String(), missing)
	}
	return ctrl.Result{}, nil
}

func (r *JobReconciler) scaleUp(ctx context.Context, job *batchv1.Job, key string, missing int) error {
	r.expect.ExpectCreations(key, missing)
	for i := 0; i < missing; i++ {
		pod := r.workerFor(job)
		if err := ctrl.SetControllerReference(job, pod, r.Scheme()); err != nil {
			r.expect.CreationObserved(key)
			return fmt.Errorf("own worker: %w", err)
		}
		if err := r.Create(ctx, pod); err != nil {
			r.expect.CreationObserved(key)
			return fmt.Errorf("create worker %d of %d: %w", i+1, missing, err)
		}
	}
	return nil
}

func (r *JobReconciler) workerFor(job *batchv1.Job) *corev1.Pod {
	spec := job.Spec.Template.Spec.DeepCopy()
	spec.RestartPolicy = corev1.RestartPolicyOnFailure
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: job.Name + "-worker-",
			Namespace:    job.Namespace,
			Labels:       map[string]string{"training-job": job.Name},
		},
		Spec: *spec,
	}
}

func (r *JobReconciler) owner(obj client.Object) (reconcile.Request, bool) {
	ref := metav1.GetControllerOf(obj)
	if ref == nil || ref.Kind != "Job" || obj.GetLabels()["training-job"] == "" {
		return reconcile.Request{}, false
	}
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: obj.GetNamespace(), Name: ref.Name}}, true
}

// SetupWithManager registers the reconciler.
func (r *JobReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	r.expect = expectations.New()
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	return ctrl.NewControllerManagedBy(mgr).For(&batchv1.Job{}).
		Watches(&corev1.Pod{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) {
				if req, ok := r.owner(e.Object); ok {
					r.expect.CreationObserved(req.String())
					q.Add(req)
				}
			},
			DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) {
				if req, ok := r.owner(e.Object); ok {
					r.expect.DeletionObserved(req.String())
					q.Add(req)
				}
			},
		}).Complete(r)
}
