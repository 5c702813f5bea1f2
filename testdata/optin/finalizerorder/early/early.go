// Package early returns before it has seen to the finalizer of a deleted object, or not.
package early

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct{ client.Client }

func (r *reconciler) databaseUp(ctx context.Context, name string) bool {
	pod := &corev1.Pod{}
	return r.Get(ctx, client.ObjectKey{Name: name}, pod) == nil
}

func (r *reconciler) release(ctx context.Context, pod *corev1.Pod) error {
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// status leaves objects of one phase alone, deleted ones too.
func (r *reconciler) status(ctx context.Context, pod *corev1.Pod) error {
	if pod.Status.Phase == corev1.PodPending {
		return nil // want unreachable "pod keeps its finalizer for as long as Status.Phase says so: a deleted object returns here, before line 34, behind which alone the finalizer goes; handle the deletion first" @34 "the deletion is handled from here on"
	}
	if pod.DeletionTimestamp != nil {
		return r.release(ctx, pod)
	}
	return nil
}

// notReady waits for something that may be gone for good.
func (r *reconciler) notReady(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err) // ok: the object itself
	}
	if pod.Spec.Hostname != "" && !r.databaseUp(ctx, pod.Spec.Hostname) {
		return ctrl.Result{RequeueAfter: time.Second}, nil // want unreachable "pod keeps its finalizer for as long as databaseUp says no: a deleted object returns here, before line 49, behind which alone the finalizer goes; handle the deletion first" @49 "the deletion is handled from here on"
	}
	if err := r.handleDeletion(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *reconciler) handleDeletion(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	return r.release(ctx, pod)
}

// missing reads an object that only the normal part needs.
func (r *reconciler) missing(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: "config"}, config); err != nil {
		return ctrl.Result{}, err // want unreachable "pod keeps its finalizer for as long as config cannot be read: a deleted object returns here, before line 72, behind which alone the finalizer goes; handle the deletion first" @72 "the deletion is handled from here on"
	}
	if pod.DeletionTimestamp != nil {
		return ctrl.Result{}, r.release(ctx, pod)
	}
	pod.Labels["hash"] = config.Data["hash"]
	return ctrl.Result{}, r.Update(ctx, pod)
}

// needed reads an object that the cleanup needs, too.
func (r *reconciler) needed(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: "login"}, secret); err != nil {
		return ctrl.Result{}, err // ok: the cleanup logs in with it
	}
	if pod.DeletionTimestamp != nil {
		if err := cleanUp(secret.Data); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.release(ctx, pod)
	}
	return ctrl.Result{}, nil
}

func cleanUp(map[string][]byte) error { return nil }

// tolerant looks at the deletion where the other object is not found.
func (r *reconciler) tolerant(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: "config"}, config); err != nil {
		if !apierrors.IsNotFound(err) || pod.DeletionTimestamp == nil {
			return ctrl.Result{}, err // ok: not found while deleting goes on
		}
	}
	if pod.DeletionTimestamp != nil {
		return ctrl.Result{}, r.release(ctx, pod)
	}
	return ctrl.Result{}, nil
}

// paused is meant to leave the object alone.
func (r *reconciler) paused(ctx context.Context, pod *corev1.Pod) error {
	if pod.Annotations["paused"] != "" {
		return nil // ok: on purpose
	}
	if pod.DeletionTimestamp != nil {
		return r.release(ctx, pod)
	}
	return nil
}

// done has no finalizer any more in that phase.
func (r *reconciler) done(ctx context.Context, pod *corev1.Pod) error {
	if pod.Status.Phase == corev1.PodSucceeded {
		return nil // ok: the finalizer goes without a deletion, too
	}
	if pod.DeletionTimestamp != nil {
		return r.release(ctx, pod)
	}
	if pod.Status.Reason == "Done" {
		return r.release(ctx, pod)
	}
	return nil
}

// first looks at the deletion before anything else.
func (r *reconciler) first(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp != nil {
		return r.release(ctx, pod)
	}
	if pod.Status.Phase == corev1.PodPending || !r.databaseUp(ctx, pod.Name) {
		return nil // ok: not deleted
	}
	return nil
}

// reassigned works on a copy that goes by the parameter's name, and writes it at the end.
func (r *reconciler) reassigned(ctx context.Context, pod *corev1.Pod) (err error) {
	old := pod
	pod = pod.DeepCopy()
	if pod.Status.NominatedNodeName == "" {
		return nil // want unreachable "pod keeps its finalizer for as long as Status.NominatedNodeName says so: a deleted object returns here, before line 165, behind which alone the finalizer goes; handle the deletion first" @165 "the deletion is handled from here on"
	}
	defer func() {
		err = r.Patch(ctx, pod, client.MergeFrom(old))
	}()
	if pod.DeletionTimestamp != nil {
		return r.strip(pod)
	}
	return nil
}

func (r *reconciler) strip(pod *corev1.Pod) error {
	defer func() { pod.Finalizers = pod.Finalizers[1:] }()
	return nil
}

var _ = []any{
	(*reconciler).reassigned,
	(*reconciler).status, (*reconciler).notReady, (*reconciler).missing, (*reconciler).needed, (*reconciler).tolerant, (*reconciler).paused,
	(*reconciler).done, (*reconciler).first,
}
