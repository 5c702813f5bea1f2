// Package helpers takes finalizers off for others.
package helpers

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LetGo takes a finalizer off the object to which meta belongs.
func LetGo(meta *metav1.ObjectMeta, finalizer string) {
	meta.SetFinalizers(slices.DeleteFunc(meta.GetFinalizers(), func(s string) bool { return s == finalizer }))
}

// Release takes a finalizer off any object.
func Release(obj metav1.Object, finalizer string) {
	obj.SetFinalizers(slices.DeleteFunc(obj.GetFinalizers(), func(s string) bool { return s == finalizer }))
}

// ReleaseNode takes it off nodes, for whoever asks.
func ReleaseNode(node *corev1.Node, finalizer string) {
	node.SetFinalizers(slices.DeleteFunc(node.GetFinalizers(), func(s string) bool { return s == finalizer }))
}
