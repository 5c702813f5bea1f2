// Package v1 has the Database.
package v1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Database is a database on a shared server.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseSpec `json:"spec"`
	Status struct {
		Name string `json:"name,omitempty"`
	} `json:"status,omitempty"`
}

// DatabaseSpec is the wish.
type DatabaseSpec struct {
	Server     string   `json:"server"`
	Owner      string   `json:"owner"`
	Extensions []string `json:"extensions,omitempty"`
}

// Equal compares.
func (s DatabaseSpec) Equal(o DatabaseSpec) bool { return reflect.DeepEqual(s, o) }

// DeepCopyObject implements runtime.Object.
func (in *Database) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Extensions = append([]string(nil), in.Spec.Extensions...)
	return &out
}
