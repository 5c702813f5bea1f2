// Package api has kinds of which some fields never change.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Source says where something comes from.
type Source struct {
	// URL is there from the start.
	// +required
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the URL cannot be changed"
	URL string `json:"url"`

	// Branch may be given, or taken away, later.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Branch string `json:"branch,omitempty"`

	// Mode may be changed.
	// +kubebuilder:validation:XValidation:rule="self != ''"
	Mode string `json:"mode"`
}

// Spec is what somebody wants.
type Spec struct {
	Source Source `json:"source"`

	// Holder is always there.
	// +kubebuilder:validation:Required
	Holder *Owner `json:"holderRef"`

	// Reader may be null.
	// +kubebuilder:validation:Required
	// +nullable
	Reader *Owner `json:"readerRef"`

	// Writer is optional.
	// +optional
	Writer *Owner `json:"writerRef,omitempty"`
}

// An Owner is somebody.
type Owner struct {
	Name string `json:"name"`
}

// A Repo is one kind.
type Repo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Repo) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// A Fork is another one.
type Fork struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Fork) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// A Tag is a third one.
type Tag struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Tag) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// A Held is another kind.
type Held struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Held) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Read is another kind.
type Read struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Read) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Written is another kind.
type Written struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Written) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Led is another kind.
type Led struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// DeepCopyObject is a copy.
func (x *Led) DeepCopyObject() runtime.Object {
	out := *x
	x.DeepCopyInto(&out.ObjectMeta)
	return &out
}
