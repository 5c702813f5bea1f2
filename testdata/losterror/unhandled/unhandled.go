// Package unhandled has requests whose errors are asked for some kinds, and lost if they are of another one.
package unhandled

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	clientset kubernetes.Interface
	recorder  record.EventRecorder
	failures  int
	failed    map[string]error
}

var errGone = errors.New("gone")

// Both branches return nil, so that only the conflict, which comes again by itself, is meant to.
func (r *reconciler) both(ctx context.Context, log logr.Logger, d *appsv1.Deployment) (ctrl.Result, error) {
	if err := r.Status().Update(ctx, d); err != nil { // want unhandled "errors of Status().Update other than Conflict are dropped here: return them, or the status is never retried" @40 "nil is returned here"
		log.Error(err, "status")
		if apierrors.IsConflict(err) {
			return ctrl.Result{Requeue: true}, nil
		}
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, nil
}

// What is not NotFound falls through.
func (r *reconciler) fallsThrough(ctx context.Context, d *appsv1.Deployment) error {
	err := r.Status().Update(ctx, d) // want unhandled "errors of Status().Update other than NotFound are dropped here: return them, or the status is never retried" @51 "nil is returned here"
	if apierrors.IsNotFound(err) {
		return r.Update(ctx, d)
	}
	return nil
}

// The next element of the list comes after a failure.
func (r *reconciler) continues(ctx context.Context, log logr.Logger, list []appsv1.Deployment) error {
	for i := range list {
		_, err := r.clientset.AppsV1().Deployments("default").UpdateStatus(ctx, &list[i], metav1.UpdateOptions{}) // want unhandled "errors of UpdateStatus other than Conflict are dropped here: return them, or the status is never retried" @65 "nil is returned here"
		if err != nil && !apierrors.IsConflict(err) {
			log.Error(err, "status", "name", list[i].Name, "reason", err.Error())
			r.recorder.Eventf(&list[i], corev1.EventTypeWarning, "Failed", "%s", err)
			continue
		}
		log.Info("updated")
	}
	return nil
}

func (r *reconciler) ignored(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	err := r.Create(ctx, d) // want unhandled "errors of Create other than AlreadyExists are dropped here: return them, or the write is never retried" @73 "nil is returned here"
	if client.IgnoreAlreadyExists(err) != nil {
		log.Error(err, "create")
	}
	return nil
}

func (r *reconciler) sentinel(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.store(ctx, d); err != nil { // want unhandled "errors of store other than errGone are dropped here: return them, or the write is never retried" @83 "nil is returned here"
		if errors.Is(err, errGone) {
			return err
		}
		log.Error(fmt.Errorf("store: %w", err), "store")
	}
	return nil
}

// Its error is that of the request: a fact.
func (r *reconciler) store(ctx context.Context, d *appsv1.Deployment) error {
	if d.Name == "" {
		return errGone
	}
	if err := r.Update(ctx, d); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	return nil
}

func (r *reconciler) retried(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error { // want unhandled "errors of RetryOnConflict other than NotFound are dropped here: return them, or the write is never retried" @106 "nil is returned here"
		return r.Update(ctx, d)
	})
	switch {
	case err == nil, apierrors.IsNotFound(err):
	default:
		log.Error(err, "update")
	}
	return nil
}

func (r *reconciler) mutated(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, d, func() error { return nil }) // want unhandled "errors of CreateOrUpdate other than Invalid are dropped here: return them, or the write is never retried" @117 "nil is returned here"
	if apierrors.IsInvalid(err) {
		return err
	}
	if err != nil {
		log.Error(err, "apply")
	}
	return nil
}

// What follows is right.

func (r *reconciler) returned(ctx context.Context, d *appsv1.Deployment) error {
	err := r.Status().Update(ctx, d)
	if apierrors.IsConflict(err) {
		return nil
	}
	return err
}

func (r *reconciler) requeued(ctx context.Context, log logr.Logger, d *appsv1.Deployment) (ctrl.Result, error) {
	if err := r.Update(ctx, d); err != nil {
		if apierrors.IsConflict(err) {
			return ctrl.Result{}, nil
		}
		log.Error(err, "update")
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{}, nil
}

// No kind is asked for: the request is one that may fail.
func (r *reconciler) bestEffort(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.Update(ctx, d); err != nil {
		log.Error(err, "update")
	}
	return nil
}

// The error is ignored on purpose.
func (r *reconciler) onPurpose(ctx context.Context, d *appsv1.Deployment) error {
	if err := r.Create(ctx, d); err != nil && !apierrors.IsAlreadyExists(err) {
		utilruntime.HandleError(fmt.Errorf("create: %w", err))
	}
	return nil
}

func (r *reconciler) collected(ctx context.Context, list []appsv1.Deployment) error {
	var errs []error
	for i := range list {
		if err := r.Update(ctx, &list[i]); err != nil && !apierrors.IsConflict(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// The failure is counted, recorded in a variable, or told to another function, and not by the error itself.
func (r *reconciler) noted(ctx context.Context, log logr.Logger, list []appsv1.Deployment) error {
	failures, last, failed := 0, "", false
	for i := range list {
		switch err := r.Update(ctx, &list[i]); {
		case err == nil || apierrors.IsConflict(err):
		case i == 0:
			log.Error(err, "update")
			failures++
		case i == 1:
			log.Error(err, "update")
			last = "the second one"
		case i == 2:
			r.failures++
		case i == 3:
			r.failed[list[i].Name] = err
		case i == 4:
			r.again(list[i].Name)
		default:
			failed = true
		}
	}
	if failures > 0 || last != "" || failed {
		return fmt.Errorf("%d %s %t", failures, last, failed)
	}
	return nil
}

func (r *reconciler) again(string) {}

// The second request for the same object tells of a failure that lasts.
func (r *reconciler) twice(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.Update(ctx, d); err != nil && !apierrors.IsConflict(err) {
		log.Error(err, "update")
	}
	return r.Status().Update(ctx, d)
}

// So does the look at what was to be created.
func (r *reconciler) lookedUp(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.Create(ctx, d); err != nil && !apierrors.IsAlreadyExists(err) {
		log.Error(err, "create")
	}
	return r.Get(ctx, client.ObjectKeyFromObject(d), d.DeepCopy())
}

func (r *reconciler) tries(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	for range 3 {
		err := r.Update(ctx, d)
		if err == nil {
			return nil
		}
		if apierrors.IsNotFound(err) {
			return err
		}
		log.Error(err, "update")
	}
	return nil
}

// Deletions and cleanups, and what is no object that matters.

func (r *reconciler) removeLabels(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.Update(ctx, d); err != nil && !apierrors.IsNotFound(err) {
		log.Error(err, "update")
	}
	return nil
}

func (r *reconciler) leaving(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if d.DeletionTimestamp != nil {
		if err := r.Update(ctx, d); err != nil && !apierrors.IsNotFound(err) {
			log.Error(err, "update")
		}
		return nil
	}
	if err := r.Delete(ctx, d); err != nil && !apierrors.IsNotFound(err) {
		log.Error(err, "delete")
	}
	if err := r.Create(ctx, &corev1.Event{}); err != nil && !apierrors.IsAlreadyExists(err) {
		log.Error(err, "event")
	}
	return nil
}

// A deferred function may set the result.
func (r *reconciler) deferred(ctx context.Context, d *appsv1.Deployment) (err error) {
	failed := false
	defer func() {
		if failed {
			err = errGone
		}
	}()
	if err := r.Update(ctx, d); err != nil && !apierrors.IsConflict(err) {
		failed = true
		return nil
	}
	return nil
}

// What comes next does not need the status: it is left out on purpose.
func (r *reconciler) goesOn(ctx context.Context, log logr.Logger, d *appsv1.Deployment) error {
	if err := r.Status().Update(ctx, d); err != nil && !apierrors.IsConflict(err) {
		log.Error(err, "the status is not stored")
	}
	r.again(d.Name)
	return nil
}
