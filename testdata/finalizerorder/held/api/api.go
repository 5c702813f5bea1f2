// Package api has disks, which are in a zone.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Disk is guarded.
type Disk struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Zone string
}

// DeepCopyObject is a copy.
func (d *Disk) DeepCopyObject() runtime.Object {
	out := *d
	d.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DiskList is a list of disks.
type DiskList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Disk
}

// DeepCopyObject is a copy.
func (l *DiskList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = append([]Disk(nil), l.Items...)
	return &out
}

// Zone is never guarded.
type Zone struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (z *Zone) DeepCopyObject() runtime.Object {
	out := *z
	z.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Pool stays until nothing is in it.
type Pool struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (p *Pool) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Region is looked after by somebody else.
type Region struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject is a copy.
func (r *Region) DeepCopyObject() runtime.Object {
	out := *r
	r.DeepCopyInto(&out.ObjectMeta)
	return &out
}
