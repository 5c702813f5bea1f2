// Package api has tables, which are described elsewhere.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TableSpec says what a table is.
type TableSpec struct{ Definition, Server, Password string }

// Table is guarded.
type Table struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (t *Table) DeepCopyObject() runtime.Object {
	out := *t
	t.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// View is guarded.
type View struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (v *View) DeepCopyObject() runtime.Object {
	out := *v
	v.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Index is guarded.
type Index struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (x *Index) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Role is guarded.
type Role struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (r *Role) DeepCopyObject() runtime.Object {
	out := *r
	r.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Grant is guarded.
type Grant struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (g *Grant) DeepCopyObject() runtime.Object {
	out := *g
	g.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Trigger is guarded.
type Trigger struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec TableSpec
}

// DeepCopyObject is a copy.
func (t *Trigger) DeepCopyObject() runtime.Object {
	out := *t
	t.DeepCopyInto(&out.ObjectMeta)
	return &out
}
