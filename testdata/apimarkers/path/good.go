package path

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Good has markers that are right.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:scale:specpath=.spec.area,statuspath=.status.plants,selectorpath=.status.selector
// +kubebuilder:selectablefield:JSONPath=`.spec.bed.soil`
// +kubebuilder:printcolumn:name="Area, in all",type=integer,JSONPath=`.spec.area`,priority=1
// +kubebuilder:printcolumn:name="Fence",type=string,JSONPath=`.spec.fence`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="Label",type=string,JSONPath=`.metadata.labels.example\.com/label`
// +kubebuilder:printcolumn:name="Kind",type=string,JSONPath=`.kind`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Last",type=string,JSONPath=".status.conditions[-1:].reason"
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.template.spec.containers[*].image`
// +kubebuilder:printcolumn:name="Meta",type=string,JSONPath=`.spec.template.metadata.anything`
// +kubebuilder:printcolumn:name="Port",type=string,JSONPath=`.spec.port.value`
// +kubebuilder:printcolumn:name="Value",type=string,JSONPath=`.spec.labels.example`
// +kubebuilder:printcolumn:name="Raw",type=string,JSONPath=`.spec.raw.example`
// +kubebuilder:printcolumn:name="Nothing",type=string,JSONPath=`.spec.nothing.example`
// +kubebuilder:printcolumn:name="Any",type=string,JSONPath=`.spec.any.example`
// +kubebuilder:printcolumn:name="More",type=string,JSONPath=`.spec.more.example`
// +kubebuilder:printcolumn:name="Watered",type=date,JSONPath=`.status.watered`
// +kubebuilder:printcolumn:name="All",type=string,JSONPath=`.spec..soil`
// +kubebuilder:printcolumn:name="Quoted",type=string,JSONPath=`.spec['are']`
// // +kubebuilder:printcolumn:name="Gone",type=string,JSONPath=`.spec.gone`
type Good struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GardenSpec   `json:"spec,omitempty"`
	Status GardenStatus `json:"status,omitempty"`
}

// Encoded has its own JSON.
//
// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Soil",type=string,JSONPath=`.spec.soil`
type Encoded struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Own `json:"spec,omitempty"`
}

// Own is a text in JSON.
type Own struct {
	Text string `json:"text"`
}

// MarshalJSON writes something else.
func (Own) MarshalJSON() ([]byte, error) { return []byte(`{"soil":"clay"}`), nil }
