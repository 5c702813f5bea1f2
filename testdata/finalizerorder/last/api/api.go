// Package api has kinds that need each other.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Spec says which object another one belongs to.
type Spec struct{ Owner string }

// Status says whether something belongs to an object.
type Status struct{ InUse bool }

// Fleet is one a fleet of ships.
type Fleet struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (f *Fleet) DeepCopyObject() runtime.Object {
	out := *f
	f.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Ship is one of a fleet.
type Ship struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (s *Ship) DeepCopyObject() runtime.Object {
	out := *s
	s.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Harbor is one where boats are.
type Harbor struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Harbor) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Boat is one in a harbor.
type Boat struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Boat) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Yard is one where hulls are built.
type Yard struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (y *Yard) DeepCopyObject() runtime.Object {
	out := *y
	y.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Hull is one built in a yard.
type Hull struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Hull) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Port is one that counts its berths.
type Port struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (p *Port) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Berth is one in a port.
type Berth struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Berth) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// HullList is a list of them.
type HullList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Hull
}

// DeepCopyObject is a copy.
func (l *HullList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Mine is one with carts.
type Mine struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (m *Mine) DeepCopyObject() runtime.Object {
	out := *m
	m.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Cart is one of a mine.
type Cart struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (c *Cart) DeepCopyObject() runtime.Object {
	out := *c
	c.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// CartList is some of them.
type CartList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Cart
}

// DeepCopyObject is a copy.
func (l *CartList) DeepCopyObject() runtime.Object {
	out := *l
	return &out
}

// Barn is one with horses.
type Barn struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (b *Barn) DeepCopyObject() runtime.Object {
	out := *b
	b.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Horse is one of a barn.
type Horse struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   Spec
	Status Status
}

// DeepCopyObject is a copy.
func (h *Horse) DeepCopyObject() runtime.Object {
	out := *h
	h.DeepCopyInto(&out.ObjectMeta)
	return &out
}
