// Package api has kinds of its own.
package api // want package:"Web"

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// WebStatus is what is known of a Web.
type WebStatus struct {
	Phase      string
	Conditions []metav1.Condition
}

// SetPhase writes to the status.
func (s *WebStatus) SetPhase(phase string) { s.Phase = phase } // want SetPhase:"[{1 0 false} {0 0 false}]"

// Web has a status subresource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Web struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Replicas int
	Status   WebStatus
}

// DeepCopyObject is a copy.
func (w *Web) DeepCopyObject() runtime.Object {
	out := *w
	w.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Ready only reads.
func (w *Web) Ready() bool { return w.Status.Phase == "Ready" }

// Fail writes to the status.
func (w *Web) Fail() { w.Status.Phase = "Failed" }

// Page has none.
//
// +kubebuilder:object:root=true
type Page struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Status WebStatus
}

// DeepCopyObject is a copy.
func (p *Page) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}
