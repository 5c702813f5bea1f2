// Package rail has kinds that somebody keeps unseen.
package rail

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Spec names what an object needs.
type Spec struct{ Needs string }

// Tram is a kind.
type Tram struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Tram) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Track is a kind.
type Track struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Track) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}
