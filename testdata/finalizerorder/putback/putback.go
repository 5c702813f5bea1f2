// Package putback has functions that add nothing to an object on its way out, although it looks so, and such that do.
package putback

import (
	"context"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const held = "example.com/held"

type reconciler struct {
	client.Client
	kube kubernetes.Interface
	get  func(name string) (*corev1.Pod, error)
}

// release puts back all finalizers but one.
func (r *reconciler) release(ctx context.Context, name string) error {
	pod, err := r.get(name)
	if err != nil {
		return err
	}
	if pod.GetDeletionTimestamp() == nil {
		return errors.New("it lives")
	}
	changed := pod.DeepCopy()
	changed.Finalizers = []string{}
	for _, f := range pod.Finalizers {
		if f != held {
			changed.Finalizers = append(changed.Finalizers, f) // ok: it was there
		}
	}
	_, err = r.kube.CoreV1().Pods(pod.Namespace).Update(ctx, changed, metav1.UpdateOptions{})
	return err
}

// all adds those that it is given.
func (r *reconciler) all(ctx context.Context, name string, more []string) error {
	pod, err := r.get(name)
	if err != nil {
		return err
	}
	changed := pod.DeepCopy()
	for _, f := range more {
		changed.Finalizers = append(changed.Finalizers, f) // want addedbeforecheck "changed gets a finalizer here before line 60 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @60 "the check of the deletion timestamp"
	}
	if _, err = r.kube.CoreV1().Pods(pod.Namespace).Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if pod.GetDeletionTimestamp() != nil {
		return r.cleanUp(ctx, pod)
	}
	return nil
}

func (r *reconciler) cleanUp(context.Context, *corev1.Pod) error { return nil }

// inspect asks for the deletion and, needlessly, for the object.
func (r *reconciler) inspect(ctx context.Context, name string) error {
	pod, err := r.get(name)
	if err != nil {
		return err
	}
	if pod != nil && pod.GetDeletionTimestamp() != nil {
		return r.cleanUp(ctx, pod)
	} else if !controllerutil.ContainsFinalizer(pod, held) {
		controllerutil.AddFinalizer(pod, held) // ok: the other branch is the one of deleted objects
		return r.Update(ctx, pod)
	}
	return nil
}

// again adds what is there: that is said, and no more.
func (r *reconciler) again(ctx context.Context, pod *corev1.Pod) error {
	if !slices.Contains(pod.Finalizers, held) {
		return nil
	}
	if controllerutil.AddFinalizer(pod, held) { // want notpersisted "pod stays as it is: line 85 has looked, and this adds a finalizer that is there, so that the write after it changes nothing" @85 "the test that has found it so"
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	if pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, pod)
	}
	return nil
}

// protect is called by prepare alone.
func (r *reconciler) protect(ctx context.Context, pod *corev1.Pod) error {
	if controllerutil.AddFinalizer(pod, held) { // ok: prepare may leave out those that are being deleted without it
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	if pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, pod)
	}
	return nil
}

func gone(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && !slices.Contains(pod.Finalizers, held)
}

func (r *reconciler) prepare(ctx context.Context, pod *corev1.Pod) error {
	if gone(pod) {
		return nil
	}
	return r.protect(ctx, pod)
}

// guard is the same, called without a question.
func (r *reconciler) guard(ctx context.Context, pod *corev1.Pod) error {
	if controllerutil.AddFinalizer(pod, held) { // want addedbeforecheck "pod gets a finalizer here before line 130 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @130 "the check of the deletion timestamp"
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	if pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, pod)
	}
	return nil
}

func (r *reconciler) straight(ctx context.Context, pod *corev1.Pod) error {
	if pod.Name == "" {
		return nil
	}
	return r.guard(ctx, pod)
}

// Reconcile writes the finalizers of its copy in a literal.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pod.Finalizers = []string{held} // ok: they are written below
	return ctrl.Result{}, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		var now corev1.Pod
		if err := r.Get(ctx, req.NamespacedName, &now); err != nil {
			return err
		}
		now.Finalizers = pod.Finalizers
		return r.Update(ctx, &now)
	})
}

var _ = []any{(*reconciler).release, (*reconciler).all, (*reconciler).inspect, (*reconciler).again, (*reconciler).prepare, (*reconciler).straight}

// A scope carries the object through the functions of a reconcile.
type scope struct {
	pod  *corev1.Pod
	name string
}

func (r *reconciler) scoped(ctx context.Context, name string) error {
	pod, err := r.get(name)
	if err != nil {
		return err
	}
	s := &scope{pod: pod, name: name}
	if !pod.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, pod)
	}
	return r.normal(ctx, s)
}

// normal is called for those that live.
func (r *reconciler) normal(ctx context.Context, s *scope) error {
	controllerutil.AddFinalizer(s.pod, held) // ok: the caller has seen to those that are being deleted
	if err := r.Update(ctx, s.pod); err != nil {
		return err
	}
	if s.pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, s.pod)
	}
	return nil
}

func (r *reconciler) unscoped(ctx context.Context, name string) error {
	pod, err := r.get(name)
	if err != nil {
		return err
	}
	return r.each(ctx, &scope{pod: pod, name: name})
}

// each is called for all.
func (r *reconciler) each(ctx context.Context, s *scope) error {
	controllerutil.AddFinalizer(s.pod, held) // want addedbeforecheck "s.pod gets a finalizer here before line 206 asks whether it is being deleted: the API server refuses new finalizers on a deleted object, so each reconcile of one fails here; handle the deletion first" @206 "the check of the deletion timestamp"
	if err := r.Update(ctx, s.pod); err != nil {
		return err
	}
	if s.pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, s.pod)
	}
	return nil
}

var _ = []any{(*reconciler).scoped, (*reconciler).unscoped}

// holds keeps the finalizer as long as something is left, whatever has failed.
func (r *reconciler) holds(ctx context.Context, pod *corev1.Pod) error {
	failed := r.cleanUp(ctx, pod)
	if len(pod.Status.ContainerStatuses) == 0 {
		controllerutil.RemoveFinalizer(pod, held) // ok: nothing is left
	} else {
		controllerutil.AddFinalizer(pod, held) // ok: something is
	}
	if pod.DeletionTimestamp != nil {
		return r.cleanUp(ctx, pod)
	}
	return errors.Join(failed, r.Update(ctx, pod))
}

var _ = (*reconciler).holds
