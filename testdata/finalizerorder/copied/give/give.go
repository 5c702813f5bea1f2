// Package give gives changed copies of objects, which may be those of a cache.
package give

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Held gives a copy with the finalizer.
func Held(node *corev1.Node, name string) *corev1.Node {
	held := node.DeepCopy()
	controllerutil.AddFinalizer(held, name)
	return held
}

// Free gives a copy without it, and whether it was there.
func Free(node *corev1.Node, name string) (*corev1.Node, bool) {
	free := node.DeepCopy()
	was := controllerutil.RemoveFinalizer(free, name)
	return free, was
}

// IfThere gives the node itself where there is nothing to do.
func IfThere(node *corev1.Node, name string) *corev1.Node {
	if !slices.Contains(node.Finalizers, name) {
		return node
	}
	free := node.DeepCopy()
	controllerutil.RemoveFinalizer(free, name)
	return free
}
