// Package v1 has constants that the enums of their types do not list.
//
// +kubebuilder:object:generate=true
// +groupName=gardens.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Policy has the marker itself.
// +kubebuilder:validation:Enum={patch,"replace",none}
type Policy string

// The policies.
const (
	Patch   Policy = "patch"
	Replace Policy = "replace"
	OnlyAdd Policy = "add" // want enum `no object has OnlyAdd: the enum of Policy does not list "add"; list it, or delete what handles it`
	None    Policy = "none"
	Never   Policy = "never" // ok: nobody handles it
	Unset   Policy = ""      // ok: the field is optional
	// Deprecated: objects of old versions have it.
	Old Policy = "old" // ok: it is deprecated
)

// Phase has the marker itself.
//
// +kubebuilder:validation:Enum=Growing;Ripe
type Phase string

// The phases.
const (
	Growing  Phase = "Growing"
	Ripe     Phase = "Ripe"
	Rotten   Phase = "Rotten"   // want enum `the API server refuses objects with Rotten: the enum of Phase does not list "Rotten"; list it`
	Unknown  Phase = "Unknown"  // ok: the program makes it, and no object has it
	Withered Phase = "Withered" // want enum `the API server refuses objects with Withered: the enum of Phase does not list "Withered"; list it`
)

// Soil has the marker where it is used.
type Soil string

// The soils.
const (
	Clay  Soil = "clay"
	Sand  Soil = "sand"
	Water Soil = "water" // want enum `no object has Water: the enum of Soil does not list "water"; list it, or delete what handles it`
)

// Tool has the marker in one of two fields.
type Tool string

// The tools.
const (
	Spade  Tool = "spade"
	Tongue Tool = "tongue" // ok: Spare may have it
)

// Corner has a marker, and is the key of a map.
// +kubebuilder:validation:Enum=north;south
type Corner string

// The corners.
const (
	North Corner = "north"
	East  Corner = "east" // ok: nothing checks the keys of maps
)

// Local is used in this package alone.
// +kubebuilder:validation:Enum=a
type Local string

// The locals.
const (
	A Local = "a"
	B Local = "b" // want enum `no object has B: the enum of Local does not list "b"; list it, or delete what handles it`
)

// GardenSpec is a spec.
type GardenSpec struct {
	// +optional
	Policy Policy `json:"policy,omitempty"`
	// +kubebuilder:validation:Enum=clay
	Soil Soil `json:"soil"`
	// +kubebuilder:validation:Enum=clay;sand
	Below *Soil `json:"below"`
	// +kubebuilder:validation:Enum=spade
	Tool  Tool            `json:"tool"`
	Spare Tool            `json:"spare"`
	Walls map[Corner]bool `json:"walls"`
	Local Local           `json:"local"`
}

// GardenStatus is a status.
type GardenStatus struct {
	Phase Phase `json:"phase,omitempty"`
}

// Garden is a kind.
//
// +kubebuilder:object:root=true
type Garden struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GardenSpec   `json:"spec,omitempty"`
	Status GardenStatus `json:"status,omitempty"`
}

// DeepCopyObject makes it one.
func (g *Garden) DeepCopyObject() runtime.Object { c := *g; return &c }

// IsB reports whether the garden is local.
func (g *Garden) IsB() bool { return B == g.Spec.Local }
