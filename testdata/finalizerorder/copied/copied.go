// Package copied has copies of objects written by helpers.
package copied

import (
	"context"
	"errors"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.com/operators/finalizerorder/copied/scope"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

// copies has a helper write a copy of the object.
func (r *reconciler) copies(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(pod, guard) // ok: the copy has the change
	}
	return ctrl.Result{}, updateCopy(ctx, r.Client, pod)
}

func updateCopy(ctx context.Context, cl client.Client, obj client.Object) error {
	copied, err := copyOf(obj)
	if err != nil {
		return err
	}
	return cl.Update(ctx, copied)
}

func copyOf(obj client.Object) (client.Object, error) {
	copied, ok := obj.DeepCopyObject().(client.Object)
	if !ok {
		return nil, errors.New("no copy")
	}
	return copied, nil
}

// labels has a helper write a copy that the labels have changed in, as they have here.
func (r *reconciler) labels(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	clone := pod.DeepCopy()
	if pod.DeletionTimestamp != nil {
		controllerutil.RemoveFinalizer(clone, guard) // ok: the labels change, too
		delete(clone.Labels, guard)
	}
	return ctrl.Result{}, r.save(ctx, pod, clone)
}

func (r *reconciler) save(ctx context.Context, was, is *corev1.Pod) error {
	copied := is.DeepCopy()
	if reflect.DeepEqual(was.Labels, is.Labels) {
		return nil
	}
	return r.Update(ctx, copied)
}

// scoped makes what it works with before the finalizer.
func (r *reconciler) scoped(ctx context.Context, pod *corev1.Pod) error {
	s, err := r.createScope(ctx, pod)
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

func (r *reconciler) createScope(ctx context.Context, pod *corev1.Pod) (*scope.Scope, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(pod), secret); err != nil {
		return nil, err
	}
	return scope.NewScope(string(secret.Data["endpoint"]))
}

// machined makes a machine before the finalizer.
func (r *reconciler) machined(ctx context.Context, pod *corev1.Pod) error {
	s, err := r.createScope(ctx, pod)
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
	return r.Update(ctx, pod) // want lateadd "pod gets its finalizer only here, after createMachine at line 105: after a crash or an error in between nothing guards what that has made; add the finalizer first" @105 "something is created here"
}

func createMachine(s *scope.Scope, pod *corev1.Pod) error { return s.Create(pod.Name) }
