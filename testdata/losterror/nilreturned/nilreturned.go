// Package nilreturned has returns that name an error which is nil there, where another one is not.
package nilreturned

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	last error
}

// The error of the status is another variable.
func (r *reconciler) other(ctx context.Context, log logr.Logger, pod *corev1.Pod) (ctrl.Result, error) {
	err := r.Update(ctx, pod)
	if err != nil {
		return ctrl.Result{}, err
	}
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		log.Error(statusErr, "status")
		return ctrl.Result{}, err // want nilreturned "err is nil here, so nil is returned although Status().Update has failed: return statusErr" @28 "this call has failed"
	}
	return ctrl.Result{}, nil
}

// The variable never has a value.
func (r *reconciler) declared(ctx context.Context, pod *corev1.Pod) error {
	var err error
	for range 3 {
		if updateErr := r.Update(ctx, pod); updateErr != nil {
			return err // want nilreturned "err is nil here, so nil is returned although Update has failed: return updateErr" @39 "this call has failed"
		}
	}
	return nil
}

// The error that failed has no name.
func (r *reconciler) unnamed(ctx context.Context, key client.ObjectKey, pod *corev1.Pod) error {
	err := r.Get(ctx, key, pod)
	if err != nil {
		return err
	}
	if corev1.AddToScheme(runtime.NewScheme()) != nil {
		return err // want nilreturned "err is nil here, so nil is returned although corev1.AddToScheme has failed: return its error" @52 "this call has failed"
	}
	return nil
}

// The kind of the error was asked for, and it is another one; a block in between decides nothing.
func (r *reconciler) asked(ctx context.Context, log logr.Logger, pod *corev1.Pod) (*corev1.Pod, error) {
	found := &corev1.Pod{}
	err := r.Get(ctx, client.ObjectKeyFromObject(pod), found)
	if err != nil {
		return nil, err
	}
	if createErr := r.Create(ctx, pod); createErr != nil {
		if apierrors.IsAlreadyExists(createErr) {
			return found, nil
		}
		if log.Enabled() {
			log.Error(createErr, "create")
		}
		return nil, err // want nilreturned "err is nil here, so nil is returned although Create has failed: return createErr" @65 "this call has failed"
	}
	return pod, nil
}

// A deferred function reads the variable, so that it lives in memory.
func (r *reconciler) captured(ctx context.Context, log logr.Logger, pod *corev1.Pod) (ctrl.Result, error) {
	var statusErr error
	defer func() {
		if statusErr != nil {
			log.Error(statusErr, "status")
		}
	}()
	if statusErr = r.Get(ctx, client.ObjectKeyFromObject(pod), pod); statusErr != nil {
		return ctrl.Result{}, statusErr
	}
	if err := r.Update(ctx, pod); err != nil {
		if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
			log.Error(statusErr, "status")
		}
		log.Error(err, "update")
		return ctrl.Result{}, statusErr // want nilreturned "statusErr is nil here, so nil is returned although Update has failed: return err" @88 "this call has failed"
	}
	return ctrl.Result{}, nil
}

// What follows is right.

// The variable has a value on some paths.
func (r *reconciler) capturedAndSet(ctx context.Context, log logr.Logger, pod *corev1.Pod) (ctrl.Result, error) {
	var statusErr error
	defer func() { log.Info("done", "error", statusErr) }()
	if err := r.Update(ctx, pod); err != nil {
		if pod.Name == "" {
			statusErr = r.Status().Update(ctx, pod)
		}
		log.Error(err, "update")
		return ctrl.Result{}, statusErr
	}
	return ctrl.Result{}, nil
}

// The second error is made of the first one.
func (r *reconciler) derived(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if ignored := client.IgnoreNotFound(err); err != nil && ignored == nil {
		return ignored
	}
	return err
}

// Both are told.
func (r *reconciler) joined(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		return errors.Join(err, statusErr)
	}
	return err
}

// The first error may not be nil.
func (r *reconciler) first(ctx context.Context, log logr.Logger, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		log.Error(statusErr, "status")
		return err
	}
	return err
}

// The error is kept elsewhere.
func (r *reconciler) kept(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if err != nil {
		return err
	}
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		r.last = statusErr
		return err
	}
	return nil
}

// Nil is meant.
func (r *reconciler) meant(ctx context.Context, log logr.Logger, pod *corev1.Pod) error {
	if err := r.Update(ctx, pod); err != nil {
		log.Error(err, "update")
		return nil
	}
	return nil
}

// The object is gone, which is no failure.
func (r *reconciler) gone(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if err != nil {
		return err
	}
	if getErr := r.Get(ctx, client.ObjectKeyFromObject(pod), pod); apierrors.IsNotFound(getErr) {
		return err
	}
	return nil
}

// The Result asks for another run.
func (r *reconciler) requeued(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	err := r.Update(ctx, pod)
	if err != nil {
		return ctrl.Result{}, err
	}
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		return ctrl.Result{Requeue: true}, err
	}
	return ctrl.Result{}, nil
}

// A new error is returned.
func (r *reconciler) made(ctx context.Context, pod *corev1.Pod) error {
	err := r.Update(ctx, pod)
	if err != nil {
		return err
	}
	if statusErr := r.Status().Update(ctx, pod); statusErr != nil {
		err = fmt.Errorf("status: %w", statusErr)
		return err
	}
	return nil
}
