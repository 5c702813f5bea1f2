// Package result has Results that ask for another run, and that callers lose.
package result

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
}

// It waits for the pod.
func (r *reconciler) running(ctx context.Context, key client.ObjectKey) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return ctrl.Result{}, err
	}
	if pod.Status.Phase != corev1.PodRunning {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) onlyOnFailure(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.running(ctx, req.NamespacedName) // want result "the Result of running is read only when err != nil, so its requeue (line 25) is lost: return it when it is not zero" @25 "it asks for another run here" @39 "this caller drops it, too"
	if err != nil {
		return result, err
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) onlyOnFailureToo(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if result, err := r.running(ctx, req.NamespacedName); err != nil {
		return result, err
	}
	return ctrl.Result{}, nil
}

// The failure is in the Result alone.
func (r *reconciler) created(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	err := r.Create(ctx, pod)
	if apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) blank(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	_, err := r.created(ctx, pod) // want result "created answers a failure with a requeue and a nil error (line 52), and its Result is dropped here: return it" @52 "it asks for another run here"
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// What follows is right.

func (r *reconciler) passedOn(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.running(ctx, req.NamespacedName)
	if err != nil || !result.IsZero() {
		return result, err
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) compared(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.running(ctx, req.NamespacedName)
	if err != nil {
		return result, err
	}
	if result != (ctrl.Result{}) {
		return result, nil
	}
	return ctrl.Result{}, nil
}

// The wait is not that of a failure, and the caller has decided not to wait.
func (r *reconciler) notAwaited(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if _, err := r.running(ctx, req.NamespacedName); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// The caller comes back in any case.
func (r *reconciler) periodic(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.running(ctx, req.NamespacedName)
	if err != nil {
		return result, err
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

// The branch replaces what the Result asks for.
func (r *reconciler) changed(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result, err := r.running(ctx, req.NamespacedName)
	if err != nil {
		result.RequeueAfter = time.Hour
		return result, nil
	}
	return ctrl.Result{}, nil
}

// A Result with an error is nobody's.
func (r *reconciler) failing(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	if err := r.Create(ctx, pod); err != nil {
		return ctrl.Result{Requeue: true}, err
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) told(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) {
	if _, err := r.failing(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}
