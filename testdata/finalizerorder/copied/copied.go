// Package copied makes scopes and machines before the finalizer.
package copied

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/copied/scope"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// scoped makes what it works with before the finalizer.
func (r *reconciler) scoped(ctx context.Context, pod *corev1.Pod) error {
	s, err := r.createScope(pod)
	if err != nil {
		return err
	}
	if pod.DeletionTimestamp != nil {
		return s.Delete(pod.Name)
	}
	controllerutil.AddFinalizer(pod, guard) // ok: a scope is no machine
	if err := r.Update(ctx, pod); err != nil {
		return err
	}
	return s.Create(pod.Name)
}

func (r *reconciler) createScope(pod *corev1.Pod) (*scope.Scope, error) {
	return scope.NewScope(pod.Spec.Hostname)
}

// machined makes a machine before the finalizer.
func (r *reconciler) machined(ctx context.Context, pod *corev1.Pod) error {
	s, err := r.createScope(pod)
	if err != nil {
		return err
	}
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pod, guard)
		return r.Update(ctx, pod)
	}
	if err := createMachine(s, pod); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, guard)
	return r.Update(ctx, pod) // want lateadd "pod gets its finalizer only after createMachine (line 48): a crash in between leaks what that created; store the finalizer first" @48 "created here"
}

func createMachine(s *scope.Scope, pod *corev1.Pod) error { return s.Create(pod.Name) }
