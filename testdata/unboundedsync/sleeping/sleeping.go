// Package sleeping waits for objects in loops of its own.
package sleeping

import (
	"context"
	"errors"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type reconciler struct {
	client client.Client
	tries  int
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	job := &batchv1.Job{}
	for _, wait := range []func(context.Context, client.ObjectKey, *batchv1.Job) error{
		r.done, r.gone, r.helped, r.returns, r.counted, r.timed, r.looks, r.selects, r.asks, r.mixed, r.plain, r.lenient, r.swallows,
	} {
		if err := wait(ctx, req.NamespacedName, job); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// done takes no notice of what fails.
func (r *reconciler) done(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		err := r.client.Get(ctx, key, job)
		if err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		log.FromContext(ctx).Info("not done", "error", err)
		time.Sleep(time.Second) // want neverstops "this loop goes on after the end of the context that r.client.Get is given (line 37): no way leads out of it then; wait for that end, too" @37 "this is given the context"
	}
}

// gone ends only where the server says so.
func (r *reconciler) gone(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !apierrors.IsNotFound(r.client.Get(ctx, key, job)) {
		<-tick.C // want neverstops "this loop goes on after the end of the context that r.client.Get is given (line 50): no way leads out of it then; wait for that end, too" @50 "this is given the context"
	}
	return nil
}

// helped lets another function ask, which gives each error to it.
func (r *reconciler) helped(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		ok, err := r.succeeded(ctx, key, job)
		if err != nil {
			log.FromContext(ctx).Error(err, "cannot see the job")
		} else if ok {
			return nil
		}
		<-time.After(time.Second) // want neverstops "this loop goes on after the end of the context that r.succeeded is given (line 59): no way leads out of it then; wait for that end, too" @59 "this is given the context"
	}
}

func (r *reconciler) succeeded(ctx context.Context, key client.ObjectKey, job *batchv1.Job) (bool, error) {
	if err := r.client.Get(ctx, key, job); err != nil {
		return false, err
	}
	return job.Status.Succeeded > 0, nil
}

// returns gives the error back.
func (r *reconciler) returns(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		if err := r.client.Get(ctx, key, job); client.IgnoreNotFound(err) != nil {
			return err // ok
		}
		if job.Status.Succeeded > 0 {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// counted gives up.
func (r *reconciler) counted(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for range r.tries {
		if err := r.client.Get(ctx, key, job); err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		time.Sleep(time.Second) // ok
	}
	return errors.New("not done")
}

// timed gives up, too.
func (r *reconciler) timed(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	start := time.Now()
	for time.Since(start) < time.Minute {
		if err := r.client.Get(ctx, key, job); err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		time.Sleep(time.Second) // ok
	}
	return errors.New("not done")
}

// looks asks the context.
func (r *reconciler) looks(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for ctx.Err() == nil {
		if err := r.client.Get(ctx, key, job); err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		time.Sleep(time.Second) // ok
	}
	return ctx.Err()
}

// selects waits for the end of it.
func (r *reconciler) selects(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		if err := r.client.Get(ctx, key, job); err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second): // ok
		}
	}
}

// asks looks at what kind of error it is.
func (r *reconciler) asks(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		err := r.client.Get(ctx, key, job)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err == nil && job.Status.Succeeded > 0 {
			return nil
		}
		time.Sleep(time.Second) // ok
	}
}

// mixed asks for something else, too.
func (r *reconciler) mixed(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	pod := &corev1.Pod{}
	for pod.Name == "" {
		if err := r.client.Get(ctx, key, job); err != nil {
			log.FromContext(ctx).Error(err, "cannot see the job")
		}
		pod.Name = job.Labels["pod"]
		time.Sleep(time.Second) // ok: it may leave with the job of an earlier turn
	}
	return nil
}

// plain asks a function that says no where it cannot see the job.
func (r *reconciler) plain(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for !r.isDone(ctx, key, job) {
		time.Sleep(time.Second) // want neverstops "this loop goes on after the end of the context that r.isDone is given (line 166): no way leads out of it then; wait for that end, too" @166 "this is given the context"
	}
	return nil
}

func (r *reconciler) isDone(ctx context.Context, key client.ObjectKey, job *batchv1.Job) bool {
	return r.client.Get(ctx, key, job) == nil && job.Status.Succeeded > 0
}

// lenient asks one that says yes then.
func (r *reconciler) lenient(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for !r.mayBeDone(ctx, key, job) {
		time.Sleep(time.Second) // ok
	}
	return nil
}

func (r *reconciler) mayBeDone(ctx context.Context, key client.ObjectKey, job *batchv1.Job) bool {
	return r.client.Get(ctx, key, job) != nil || job.Status.Succeeded > 0
}

// swallows asks one that keeps failures to itself, but for one.
func (r *reconciler) swallows(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	for {
		if ok, err := r.seen(ctx, key, job); ok || err != nil {
			return err
		}
		time.Sleep(time.Second) // want neverstops "this loop goes on after the end of the context that r.seen is given (line 191): no way leads out of it then; wait for that end, too" @191 "this is given the context"
	}
}

func (r *reconciler) seen(ctx context.Context, key client.ObjectKey, job *batchv1.Job) (bool, error) {
	if err := r.client.Get(ctx, key, job); err != nil {
		log.FromContext(ctx).Error(err, "cannot see the job")
		return false, nil
	}
	if job.Status.Failed > 0 {
		return false, errors.New("it has failed")
	}
	return job.Status.Succeeded > 0, nil
}

// prepare is given what never ends.
func (r *reconciler) prepare(ctx context.Context, key client.ObjectKey) {
	for r.client.Get(ctx, key, &corev1.Pod{}) != nil {
		time.Sleep(time.Second) // ok
	}
}

// Prepare waits for the pod at the start of the process.
func (r *reconciler) Prepare(key client.ObjectKey) { r.prepare(context.Background(), key) }

// Start goes on for as long as the process does.
func (r *reconciler) Start(ctx context.Context) error {
	for {
		if err := r.client.List(ctx, &batchv1.JobList{}); err != nil {
			log.FromContext(ctx).Error(err, "cannot list")
		}
		time.Sleep(time.Minute) // ok: no way leads out of it
	}
}
