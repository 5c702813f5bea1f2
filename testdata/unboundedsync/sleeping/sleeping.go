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
		r.done, r.gone, r.helped, r.returns, r.counted, r.timed, r.looks, r.selects, r.asks, r.mixed,
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
		time.Sleep(time.Second) // want neverstops "this loop goes on once the context has ended that r.client.Get is given (line 37): that fails then, and no other way leads out of the loop; wait for the end of the context, too" @37 "this fails once the context has ended"
	}
}

// gone ends only where the server says so.
func (r *reconciler) gone(ctx context.Context, key client.ObjectKey, job *batchv1.Job) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !apierrors.IsNotFound(r.client.Get(ctx, key, job)) {
		<-tick.C // want neverstops "this loop goes on once the context has ended that r.client.Get is given (line 50): that fails then, and no other way leads out of the loop; wait for the end of the context, too" @50 "this fails once the context has ended"
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
		<-time.After(time.Second) // want neverstops "this loop goes on once the context has ended that r.succeeded is given (line 59): that fails then, and no other way leads out of the loop; wait for the end of the context, too" @59 "this fails once the context has ended"
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

// Start goes on for as long as the process does.
func (r *reconciler) Start(ctx context.Context) error {
	for {
		if err := r.client.List(ctx, &batchv1.JobList{}); err != nil {
			log.FromContext(ctx).Error(err, "cannot list")
		}
		time.Sleep(time.Minute) // ok: no way leads out of it
	}
}
