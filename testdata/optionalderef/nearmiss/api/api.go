// Package api has a kind whose optional fields other packages test in ways of their own.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Site is a kind.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SiteSpec `json:"spec,omitempty"`
}

// DeepCopyObject is a copy.
func (s *Site) DeepCopyObject() runtime.Object {
	out := *s
	return &out
}

// SiteSpec is what users write.
type SiteSpec struct {
	Provider string  `json:"provider"`
	Hosting  Hosting `json:"hosting"`
	Rules    []Rule  `json:"rules,omitempty"`

	// Asked has a method that asks.
	Asked *Part `json:"asked,omitempty"`
	// Generic is passed to a function with type parameters.
	Generic *Part `json:"generic,omitempty"`
	// TLS is guarded by the callers in another package.
	TLS *Part `json:"tls,omitempty"`
	// Converted is asked for in a type of the controller.
	Converted *Part `json:"converted,omitempty"`
}

// Hosting has what one provider needs.
type Hosting struct {
	Own *Part `json:"own,omitempty"`
}

// Rule is in a list.
type Rule struct {
	Weight *int32 `json:"weight,omitempty"`
}

// Part is in the spec.
type Part struct {
	Name string `json:"name"`
}

// Enabled asks.
func (p *Part) Enabled() bool { return p != nil }
