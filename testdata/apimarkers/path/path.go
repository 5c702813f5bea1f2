// Package path has paths in markers that lead to a field, and others that do not.
//
// +kubebuilder:object:generate=true
// +groupName=gardens.example.com
package path

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Garden has columns that are always empty.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size` // want path "column Size reads .spec.size, but GardenSpec has no field size: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Soil",type=string,JSONPath=`.spec.soilType` // want path "column Soil reads .spec.soilType, but GardenSpec has no field soilType: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Case",type=string,JSONPath=".spec.nodeselector" // want path "column Case reads .spec.nodeselector, but GardenSpec has no field nodeselector: it is always empty; write nodeSelector"
// want +1 path "column Letter reads .status.plnts, but GardenStatus has no field plnts: it is always empty; write plants"
// +kubebuilder:printcolumn:name="Letter",type=integer,JSONPath=.status.plnts
// want +1 path "column Other reads .status.plnts, but GardenStatus has no field plnts: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Other",type=string,JSONPath=.status.plnts
// +kubebuilder:printcolumn:name="Deep",type=string,JSONPath=`.spec.bed.soilType.name` // want path "column Deep reads .spec.bed.soilType.name, but Bed has no field soilType: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].state` // want path `column Ready reads .status.conditions[?(@.type=="Ready")].state, but Condition has no field state: it is always empty; name a field that it has`
// +kubebuilder:printcolumn:name="List",type=string,JSONPath=`.status.conditions.status` // want path "column List reads .status.conditions.status, but conditions is a list: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.template.spec.containers[0].images` // want path "column Image reads .spec.template.spec.containers[0].images, but Container has no field images: it is always empty; write image"
// +kubebuilder:printcolumn:name="Bed",type=string,JSONPath=`.spec.beds[*].depth` // want path "column Bed reads .spec.beds[*].depth, but Bed has no field depth: it is always empty; name a field that it has"
// +kubebuilder:printcolumn:name="Inner",type=string,JSONPath=`{.spec.inline.fence}` // want path "column Inner reads {.spec.inline.fence}, but GardenSpec has no field inline: it is always empty; name a field that it has"
// +kubebuilder:selectablefield:JSONPath=`.spec.color` // want path "the selectable field reads .spec.color, but GardenSpec has no field color: the API server refuses the CRD; name a field that it has"
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GardenSpec   `json:"spec,omitempty"`
	Status GardenStatus `json:"status,omitempty"`
}

// GardenSpec is what is wanted.
type GardenSpec struct {
	Fenced       `json:",inline"`
	Area         int32                   `json:"area"`
	NodeSelector metav1.LabelSelector    `json:"nodeSelector"`
	Bed          Bed                     `json:"bed"`
	Beds         []Bed                   `json:"beds"`
	Template     *corev1.PodTemplateSpec `json:"template"`
	Port         intstr.IntOrString      `json:"port"`
	Labels       map[string]string       `json:"labels"`
	Raw          runtime.RawExtension    `json:"raw"`
	Nothing      struct{}                `json:"nothing"`
	Secret       string                  `json:"-"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Any  Bed  `json:"any"`
	More Open `json:"more"`
}

// Fenced is part of others.
type Fenced struct {
	Fence string `json:"fence"`
}

// Bed is a part of a garden.
type Bed struct {
	Soil string `json:"soil"`
}

// Open has more fields than it declares.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	Known string `json:"known"`
}

// GardenStatus is what there is.
type GardenStatus struct {
	Plants     int32              `json:"plants"`
	Selector   string             `json:"selector"`
	Conditions []metav1.Condition `json:"conditions"`
	Watered    *metav1.Time       `json:"watered"`
}

// Scaled cannot be scaled.
//
// +kubebuilder:object:root=true
// want +1 path "specpath reads .spec.replicas, but GardenSpec has no field replicas: scaling fails; name a field that it has" path "statuspath reads .status.plant, but GardenStatus has no field plant: the scale always says 0; write plants" path "selectorpath reads .status.labelSelector, but GardenStatus has no field labelSelector: no HorizontalPodAutoscaler works; name a field that it has"
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.plant,selectorpath=.status.labelSelector
type Scaled struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GardenSpec   `json:"spec,omitempty"`
	Status GardenStatus `json:"status,omitempty"`
}

// Stateless has no status.
//
// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase` // want path "column Phase reads .status.phase, but Stateless has no field status: it is always empty; name a field that it has"
type Stateless struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GardenSpec `json:"spec,omitempty"`
}

// SpecOfNoKind is the spec of a kind, and no kind itself.
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size` // want path "SpecOfNoKind is no kind, so that this marker has no effect: write it above the kind whose column Size it is"
type SpecOfNoKind struct {
	Size int `json:"size"`
}
