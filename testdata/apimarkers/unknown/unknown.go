// Package unknown has markers that controller-gen knows, and others that it does not.
//
// +kubebuilder:object:generate=true
// +groupName=gardens.example.com
package unknown

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Garden has validations that are missing in its schema.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolunm:name="Age",type=date,JSONPath=".metadata.creationTimestamp" // want unknown "controller-gen does not know +kubebuilder:printcolunm:name, and drops it without a word: write kubebuilder:printcolumn"
// +kubebuilder:rescource:scope=Cluster // want unknown "controller-gen does not know +kubebuilder:rescource:scope, and drops it without a word: write kubebuilder:resource"
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:Minimum=1 // want unknown "controller-gen does not know +kubebuilder:Minimum, and drops it without a word: write kubebuilder:validation:Minimum"
	Area int32 `json:"area"`
	// +kubebuilder:validation:default=8 // want unknown "controller-gen does not know +kubebuilder:validation:default, and drops it without a word: write kubebuilder:default"
	// +kubebuilder:validation:maxLength=8 // want unknown "controller-gen does not know +kubebuilder:validation:maxLength, and drops it without a word: write kubebuilder:validation:MaxLength"
	Soil string `json:"soil"`
	// +kubebuilder:validation:Items:Pattern=`^a` // want unknown "controller-gen does not know +kubebuilder:validation:Items:Pattern, and drops it without a word: write kubebuilder:validation:items:Pattern"
	// +kubebuilder:validation:Items.MaxLength=3 // want unknown "controller-gen does not know +kubebuilder:validation:Items.MaxLength, and drops it without a word: write kubebuilder:validation:items:MaxLength"
	Beds []string `json:"beds"`
	// want +1 unknown "controller-gen does not know +kubebuilder:validation:Optional for now, and drops it without a word: write nothing behind kubebuilder:validation:Optional"
	// +kubebuilder:validation:Optional for now
	Fence string `json:"fence"`
	// +kubebuilder:immutable=true // want unknown "controller-gen does not know +kubebuilder:immutable, and drops it without a word: remove it, or write one that it knows"
	// +kubebuilder:validation:Immutable=true // want unknown "controller-gen does not know +kubebuilder:validation:Immutable, and drops it without a word: remove it, or write one that it knows"
	Name string `json:"name"`
	// A pattern that is part of the description.
	// kubebuilder:validation:Pattern=`^a` // want unknown "without a plus sign kubebuilder:validation:Pattern is part of the description, and not in the schema: write +kubebuilder:validation:Pattern, or remove it"
	Text string `json:"text"`
	// want +1 unknown "controller-gen does not know +kubebuilder:validation:Minimum:1, and drops it without a word: write an equals sign instead of the last colon"
	// +kubebuilder:validation:Minimum:1
	Count int32 `json:"count"`
}

// Good has markers of controller-gen's, and of other tools.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=g
// +kubebuilder:metadata:labels="a=b"
// +kubebuilder:validation:XValidation:rule="self.area > 1",message="too small"
// +kubebuilder:docs-gen:collapse=Garden
// +kubebuilder:ac:generate=true
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Good struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default:=3
	Area int32 `json:"area"`
	// +kubebuilder:validation:items:items:Pattern=`^a`
	// +kubebuilder:validation:items:MaxItems=3
	Beds [][]string `json:"beds"`
	// The marker kubebuilder:validation:Optional is explained here,
	// // +kubebuilder:validation:Minium=3
	// and
	// kubebuilder:nothing is none.
	//kubebuilder:validation:Minimum=3
	Soil string `json:"soil"`
}

// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
// +kubebuilder:scaffold:imports

func body() {
	// +kubebuilder:nothing
}

var _ = body

// documented says in prose that a kind with
// +kubebuilder:subresource:status and a spec has both, which is no marker.
func documented() {}
