// The imaging step stays in its phase as long as the helper settled says no, which throws away for how long that has been so; nobody in the package has a timeout, and a lost Job event leaves the host in Imaging for ever.
//
//adv:rule=expectttl sub=durationignored claim=near

package bootflow

import (
	"context"
	"fmt"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// jobExpectations counts the imaging jobs that the cache has not shown yet.
type jobExpectations struct {
	mu    sync.Mutex
	since map[string]time.Time
}

func (e *jobExpectations) ExpectJob(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since[key] = time.Now()
}

func (e *jobExpectations) ObserveJob(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.since, key)
}

func (e *jobExpectations) IsSatisfied(key string) (bool, time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at, open := e.since[key]; open {
		return false, time.Since(at)
	}
	return true, 0
}

type step func(ctx context.Context, f *BootFlow) (Phase, error)

// FlowReconciler drives each BootFlow through a table of steps.
type FlowReconciler struct {
	client.Client
	jobs  *jobExpectations
	steps map[Phase]step
}

func (r *FlowReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.jobs = &jobExpectations{since: map[string]time.Time{}}
	r.steps = map[Phase]step{
		PhaseNew:     r.startImaging,
		PhaseImaging: r.watchImaging,
		PhaseBooting: r.boot,
	}
	seen := predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { r.jobs.ObserveJob(jobKey(e.Object)); return true },
		DeleteFunc: func(e event.DeleteEvent) bool { r.jobs.ObserveJob(jobKey(e.Object)); return true },
	}
	return ctrl.NewControllerManagedBy(mgr).For(&BootFlow{}).Owns(&batchv1.Job{}, builder.WithPredicates(seen)).Complete(r)
}

func jobKey(o client.Object) string { return o.GetNamespace() + "/" + o.GetName() }

func (r *FlowReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	flow := &BootFlow{}
	if err := r.Get(ctx, req.NamespacedName, flow); err != nil {
		if client.IgnoreNotFound(err) == nil {
			r.jobs.ObserveJob(req.String() + "-image")
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	run, known := r.steps[flow.Status.Phase]
	if !known {
		return ctrl.Result{}, nil
	}
	next, err := run(ctx, flow)
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("phase %q: %w", flow.Status.Phase, err)
	}
	if next == flow.Status.Phase {
		return ctrl.Result{}, nil
	}
	log.FromContext(ctx).Info("phase change", "from", flow.Status.Phase, "to", next)
	flow.Status.Phase = next
	return ctrl.Result{}, r.Status().Update(ctx, flow)
}

func (r *FlowReconciler) settled(f *BootFlow) bool {
	ok, _ := r.jobs.IsSatisfied(f.Namespace + "/" + f.Name + "-image")
	return ok
}

func (r *FlowReconciler) startImaging(ctx context.Context, f *BootFlow) (Phase, error) {
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: f.Namespace, Name: f.Name + "-image"},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "dd", Image: f.Spec.Image}},
		}}},
	}
	if err := ctrl.SetControllerReference(f, job, r.Scheme()); err != nil {
		return f.Status.Phase, err
	}
	r.jobs.ExpectJob(jobKey(job))
	if err := r.Create(ctx, job); err != nil {
		r.jobs.ObserveJob(jobKey(job))
		if client.IgnoreAlreadyExists(err) == nil {
			return PhaseImaging, nil
		}
		return f.Status.Phase, err
	}
	return PhaseImaging, nil
}

func (r *FlowReconciler) watchImaging(ctx context.Context, f *BootFlow) (Phase, error) {
	if !r.settled(f) {
		return PhaseImaging, nil
	}
	job := &batchv1.Job{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: f.Namespace, Name: f.Name + "-image"}, job); err != nil {
		if client.IgnoreNotFound(err) == nil {
			return PhaseNew, nil
		}
		return PhaseImaging, err
	}
	if job.Status.Succeeded > 0 {
		return PhaseBooting, nil
	}
	return PhaseImaging, nil
}

func (r *FlowReconciler) boot(ctx context.Context, f *BootFlow) (Phase, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: f.Spec.Host}, node); err != nil {
		return PhaseBooting, err
	}
	return PhaseAvailable, nil
}
