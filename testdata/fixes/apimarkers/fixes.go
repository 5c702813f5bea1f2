// Package apimarkers has markers that a fix corrects.
package apimarkers

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Garden has columns that are always empty.
//
// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Case",type=string,JSONPath=".spec.soiltype"
// +kubebuilder:printcolumn:name="Letter",type=integer,JSONPath=`.spec.are`
// +kubebuilder:printcolumn:name="Text",type=string,JSONPath=`.spec.are`
// +kubebuilder:printcolumn:name="Inner",type=string,JSONPath=.Spec.bed.soil
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GardenSpec `json:"spec,omitempty"`
}

// GardenSpec is what is wanted.
type GardenSpec struct {
	SoilType string `json:"soilType"`
	Area     int32  `json:"area"`
	Bed      Bed    `json:"bed"`
}

// Bed is a part of a garden.
type Bed struct {
	Soil string `json:"soil"`
}

// Box has markers that controller-gen drops.
type Box struct {
	// +kubebuilder:Minimum=1
	// +kubebuilder:validation:default=8
	Depth int32 `json:"depth"`
	// kubebuilder:validation:Pattern=`^a`
	// +kubebuilder:validation:Items:Pattern=`^a`
	// +kubebuilder:validation:XValidaton:rule="true"
	Words []string `json:"words"`
}

var conditions = []metav1.Condition{{Type: "Garden Ready", Reason: "not found"}, {Type: "Ready", Reason: "404"}}
