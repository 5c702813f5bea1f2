// Package nothing looks up objects that may be gone, and goes on.
package nothing

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	corelisters "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const guard = "example.com/guard"

type reconciler struct {
	client.Client

	nodes corelisters.NodeLister
	cloud interface {
		Detach(ctx context.Context, provider, pod string) error
	}
}

// find gives nil where there is no node.
func (r *reconciler) find(ctx context.Context, pod *corev1.Pod) (*corev1.Node, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node); err != nil {
		return nil, err
	}
	return node, nil
}

// findAny gives the node that it has made in any case.
func (r *reconciler) findAny(ctx context.Context, pod *corev1.Pod) (*corev1.Node, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node); err != nil {
		return node, err
	}
	return node, nil
}

// findQuiet gives nil, and no error.
func (r *reconciler) findQuiet(ctx context.Context, pod *corev1.Pod) (*corev1.Node, error) {
	node := &corev1.Node{}
	if err := r.Get(ctx, client.ObjectKey{Name: pod.Spec.NodeName}, node); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return node, nil
}

// letsPass goes on where a deleted object has no node any more.
func (r *reconciler) letsPass(ctx context.Context, pod *corev1.Pod) error {
	node, err := r.find(ctx, pod)
	if err != nil && (!apierrors.IsNotFound(err) || pod.DeletionTimestamp.IsZero()) {
		return err
	}
	if !pod.DeletionTimestamp.IsZero() {
		return r.detach(ctx, pod, node.Spec.ProviderID) // want unreachable "pod keeps its finalizer once its Node is gone: find at line 55 gives nil then, and this panics before line 60, where the finalizer goes; do without it" @55 "nothing is found here" @60 "the finalizer goes here"
	}
	return nil
}

func (r *reconciler) detach(ctx context.Context, pod *corev1.Pod, provider string) error {
	if err := r.cloud.Detach(ctx, provider, pod.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// listed asks a lister, which gives nil.
func (r *reconciler) listed(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.nodes.Get(pod.Spec.NodeName)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.detach(ctx, pod, node.Spec.ProviderID) // want unreachable "pod keeps its finalizer once its Node is gone: Get at line 78 gives nil then, and this panics before line 82, where the finalizer goes; do without it" @78 "nothing is found here" @82 "the finalizer goes here"
}

// quiet has a helper that says nothing.
func (r *reconciler) quiet(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.findQuiet(ctx, pod)
	if err != nil {
		return err
	}
	return r.detach(ctx, pod, node.Spec.ProviderID) // want unreachable "pod keeps its finalizer once its Node is gone: findQuiet at line 90 gives nil then, and this panics before line 94, where the finalizer goes; do without it" @90 "nothing is found here" @94 "the finalizer goes here"
}

// handed hands the node on.
func (r *reconciler) handed(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.findQuiet(ctx, pod)
	if err != nil {
		return err
	}
	return r.detachFrom(ctx, pod, node) // want unreachable "pod keeps its finalizer once its Node is gone: findQuiet at line 102 gives nil then, and this panics before line 106, where the finalizer goes; do without it" @102 "nothing is found here" @106 "the finalizer goes here"
}

func (r *reconciler) detachFrom(ctx context.Context, pod *corev1.Pod, node *corev1.Node) error {
	if err := r.cloud.Detach(ctx, node.Spec.ProviderID, pod.Name); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// asks whether there is one.
func (r *reconciler) asks(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.findQuiet(ctx, pod)
	if err != nil {
		return err
	}
	if node != nil {
		if err := r.cloud.Detach(ctx, node.Spec.ProviderID, pod.Name); err != nil { // ok: it is there
			return err
		}
	}
	controllerutil.RemoveFinalizer(pod, guard)
	return r.Update(ctx, pod)
}

// waitsFor comes back where there is none.
func (r *reconciler) waitsFor(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.findQuiet(ctx, pod)
	if err != nil {
		return err
	}
	if node == nil {
		return errors.New("there is no node")
	}
	return r.detach(ctx, pod, node.Spec.ProviderID) // ok: it is there
}

// any has a node in any case.
func (r *reconciler) any(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionTimestamp.IsZero() {
		return nil
	}
	node, err := r.findAny(ctx, pod)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.detach(ctx, pod, node.Spec.ProviderID) // ok: it is empty, and not nil
}

// returns where the node is gone.
func (r *reconciler) returns(ctx context.Context, pod *corev1.Pod) error {
	node, err := r.find(ctx, pod)
	if apierrors.IsNotFound(err) && !pod.DeletionTimestamp.IsZero() {
		return r.detach(ctx, pod, "")
	}
	if err != nil {
		return err
	}
	if !pod.DeletionTimestamp.IsZero() {
		return r.detach(ctx, pod, node.Spec.ProviderID) // ok: it is there
	}
	return nil
}

var _ = []any{
	(*reconciler).letsPass, (*reconciler).listed, (*reconciler).quiet, (*reconciler).handed, (*reconciler).asks, (*reconciler).waitsFor, (*reconciler).any, (*reconciler).returns,
}
