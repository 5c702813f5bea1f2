// Package api has what the controllers look after.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Plot is guarded by two controllers.
type Plot struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (p *Plot) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Shed had another finalizer before.
type Shed struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (s *Shed) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Hedge has two finalizers at once.
type Hedge struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (h *Hedge) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Path has one that its controllers are given.
type Path struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (p *Path) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}
