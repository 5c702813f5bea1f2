package empty

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var (
	options metav1.GetOptions
	updates metav1.UpdateOptions
)

func (r *reconciler) scaled(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Spec.Replicas = &size
	return r.Update(ctx, found)
}

// Near miss: the default is for this run only, and what is sent is the status.
func (r *reconciler) defaulted(ctx context.Context, key client.ObjectKey) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	if found.Spec.Replicas == nil {
		found.Spec.Replicas = new(int32)
	}
	found.Status.Replicas = *found.Spec.Replicas
	return r.Status().Update(ctx, found)
}

// Near miss: the update stores the size, and its answer is what the status is written into.
func (r *reconciler) both(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Spec.Replicas = &size
	if err := r.Update(ctx, found); err != nil {
		return err
	}
	found.Status.ObservedGeneration = found.Generation
	return r.Status().Update(ctx, found)
}

// Near miss: what the function behind a variable does with the object is not known.
func (r *reconciler) handed(ctx context.Context, key client.ObjectKey, set func(*corev1.Pod)) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, "example.com/cleanup")
	set(pod)
	return r.Status().Update(ctx, pod)
}

// Near miss: one of the callers has written to the status.
func (r *reconciler) ready(ctx context.Context, key client.ObjectKey) error {
	node := &corev1.Node{}
	if err := r.Get(ctx, key, node); err != nil {
		return err
	}
	node.Status.Phase = corev1.NodeRunning
	return r.label(ctx, node)
}

func (r *reconciler) label(ctx context.Context, node *corev1.Node) error {
	node.Labels["ready"] = "true"
	return r.Status().Update(ctx, node)
}

// Near miss: callers that are not in sight may have written to the status.
func (r *reconciler) Label(ctx context.Context, node *corev1.Node) error {
	node.Labels["ready"] = "true"
	return r.Status().Update(ctx, node)
}

// Near miss: the metadata is stored, too.
func (r *reconciler) annotated(ctx context.Context, key client.ObjectKey) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	pod.Annotations = map[string]string{"example.com/failed": "true"}
	pod.Status.Phase = corev1.PodFailed
	return r.Update(ctx, pod)
}

// Near miss: the size is a subresource that has the spec.
func (r *reconciler) byScale(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	found.Spec.Replicas = &size
	return r.SubResource("scale").Update(ctx, found)
}

// Near miss: another variable is the same object.
func (r *reconciler) aliased(ctx context.Context, key client.ObjectKey, pods map[string]*corev1.Pod) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, key, pod); err != nil {
		return err
	}
	controllerutil.AddFinalizer(pod, "example.com/cleanup")
	pods["it"] = pod
	fail(pods)
	return r.Status().Update(ctx, pod)
}

func fail(pods map[string]*corev1.Pod) {
	pods["it"].Status.Phase = corev1.PodFailed
}
