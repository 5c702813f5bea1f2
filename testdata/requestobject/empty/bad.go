// Package empty sends the part of an object that it has not changed.
package empty

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	typed kubernetes.Interface
}

// The new size is never stored.
func (r *reconciler) scale(ctx context.Context, key client.ObjectKey, size int32) error {
	found := &appsv1.Deployment{}
	if err := r.Get(ctx, key, found); err != nil {
		return err
	}
	if *found.Spec.Replicas != size {
		found.Spec.Replicas = &size
		return r.Client.Status().Update(ctx, found) // want emptyrequest "Status().Update sends the status only: spec.replicas (line 26) is never stored; use Update" @26 "spec.replicas is written here"
	}
	return nil
}

// The finalizer is never stored, with a patch.
func (r *reconciler) finalizer(ctx context.Context, key client.ObjectKey) error {
	var pod corev1.Pod
	if err := r.Get(ctx, key, &pod); err != nil {
		return err
	}
	base := pod.DeepCopy()
	if !controllerutil.AddFinalizer(&pod, "example.com/cleanup") {
		return nil
	}
	return r.Status().Patch(ctx, &pod, client.MergeFrom(base)) // want emptyrequest "Status().Patch sends the status only: metadata.finalizers (line 39) is never stored; use Patch" @39 "metadata.finalizers is written here"
}

// The copy has what was written, and nothing else.
func (r *reconciler) cordon(ctx context.Context, name string) error {
	node, err := r.typed.CoreV1().Nodes().Get(ctx, name, options)
	if err != nil {
		return err
	}
	node = node.DeepCopy()
	node.Spec.Unschedulable = true
	_, err = r.typed.CoreV1().Nodes().UpdateStatus(ctx, node, updates) // want emptyrequest "UpdateStatus sends the status only: spec.unschedulable (line 52) is never stored; use Update" @52 "spec.unschedulable is written here"
	return err
}

// The caller has read the object; a helper writes to it.
func (r *reconciler) reconcile(ctx context.Context, key client.ObjectKey) error {
	service := &corev1.Service{}
	if err := r.Get(ctx, key, service); err != nil {
		return err
	}
	return r.publish(ctx, service)
}

func (r *reconciler) publish(ctx context.Context, service *corev1.Service) error {
	open(service)
	return r.Status().Update(ctx, service) // want emptyrequest "Status().Update sends the status only: spec (line 67) is never stored; use Update" @67 "spec is written here"
}

func open(service *corev1.Service) {
	service.Spec.Type = corev1.ServiceTypeNodePort
}

// The phase is never stored: an update leaves the status alone.
func (r *reconciler) fail(ctx context.Context, pods *corev1.PodList) error {
	if err := r.List(ctx, pods); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		pod.Status.Phase = corev1.PodFailed
		if err := r.Update(ctx, pod); err != nil { // want emptyrequest "Update does not send the status: status.phase (line 82) is never stored; use Status().Update" @82 "status.phase is written here"
			return err
		}
	}
	return nil
}

// The condition is never stored.
func (r *reconciler) degraded(ctx context.Context, key client.ObjectKey) error {
	node := &corev1.Node{}
	if err := r.Get(ctx, key, node); err != nil {
		return err
	}
	node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: "Degraded", Status: corev1.ConditionTrue})
	return r.Update(ctx, node) // want emptyrequest "Update does not send the status: status.conditions (line 96) is never stored; use Status().Update" @96 "status.conditions is written here"
}
