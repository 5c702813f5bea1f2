// Package v1 has the kinds of the examples.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Garden is a kind.
type Garden struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct{ Beds, Litres int }
}

// DeepCopyObject makes it an object.
func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

// Disk is a kind.
type Disk struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ ID, Size, Class string }
	Status struct{ ID, Phase string }
}

// DeepCopyObject makes it an object.
func (d *Disk) DeepCopyObject() runtime.Object { c := *d; return &c }

// DiskClass is a kind.
type DiskClass struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it an object.
func (d *DiskClass) DeepCopyObject() runtime.Object { c := *d; return &c }

// DiskList are disks.
type DiskList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Disk
}

// DeepCopyObject makes it an object.
func (d *DiskList) DeepCopyObject() runtime.Object { c := *d; return &c }
