// Package controllergen has fields with and without a validation in the schema that controller-gen makes of them.
//
// +groupName=gardens.example.com
// +versionName=v1
package controllergen

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Garden is a kind.
//
// +kubebuilder:object:root=true
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GardenSpec `json:"spec"`
}

// GardenSpec is its spec.
type GardenSpec struct {
	// +kubebuilder:validation:Minimum=1
	Known int `json:"known"`
	// +kubebuilder:Minimum=1 // want unknown "controller-gen does not know +kubebuilder:Minimum, and drops it without a word: write kubebuilder:validation:Minimum"
	Unknown int `json:"unknown"`
	// +kubebuilder:validation:minimum=1 // want unknown "controller-gen does not know +kubebuilder:validation:minimum, and drops it without a word: write kubebuilder:validation:Minimum"
	OtherCase int `json:"otherCase"`
	// kubebuilder:validation:Minimum=1 // want unknown "without a plus sign kubebuilder:validation:Minimum is part of the description, and not in the schema: write +kubebuilder:validation:Minimum, or remove it"
	WithoutPlus int `json:"withoutPlus"`
	/* +kubebuilder:validation:Minimum=1 */
	Block  int `json:"block"`
	Behind int `json:"behind"` // +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Minimum=1

	// Above has a comment above its documentation.
	Above int `json:"above"`
}
