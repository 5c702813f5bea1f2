// Package api has the kinds of a program.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Spec names what an object needs.
type Spec struct{ Needs string }

// Ferry is a kind.
type Ferry struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Ferry) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Pier is a kind.
type Pier struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Pier) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Train is a kind.
type Train struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Train) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Station is a kind.
type Station struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Station) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Plane is a kind.
type Plane struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Plane) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Airport is a kind.
type Airport struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Airport) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Bus is a kind.
type Bus struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Bus) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Depot is a kind.
type Depot struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec Spec
}

// DeepCopyObject is a copy.
func (x *Depot) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// PlaneList is a list.
type PlaneList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Plane
}

// DeepCopyObject is a copy.
func (x *PlaneList) DeepCopyObject() runtime.Object {
	out := *x
	return &out
}
