// Package fields has a kind with optional fields, and what a controller does with them.
package fields

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Gateway is a kind.
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GatewaySpec   `json:"spec,omitempty"`
	Status GatewayStatus `json:"status,omitempty"`
}

// DeepCopyObject is a copy.
func (g *Gateway) DeepCopyObject() runtime.Object {
	out := *g
	return &out
}

// GatewaySpec has fields that are never checked.
type GatewaySpec struct {
	// Proxy is a struct.
	Proxy *Proxy `json:"proxy,omitempty"`
	// Replicas is a number.
	//
	// +optional
	Replicas *int32 `json:"replicas"`
	// Timeout has a method of a value.
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	Rules   []Rule           `json:"rules,omitempty"`

	Checked Checked `json:"checked"`
	Built   Built   `json:"built"`
	Markers Markers `json:"markers"`
	Union   Union   `json:"union"`
	Counted Counted `json:"counted"`
	Store   Store   `json:"store"`
	Kind    Kind    `json:"kind"`

	Uncalled *int32 `json:"uncalled,omitempty"`

	// Guarded is followed under a guard in some places, and without in others.
	Guarded *Proxy `json:"guarded,omitempty"`
	// Called is guarded where it is followed, or by the caller.
	Called *Proxy `json:"called,omitempty"`
	// Told is asked for on behalf of others.
	Told *Proxy `json:"told,omitempty"`
}

// Proxy is in the spec.
type Proxy struct {
	Host string `json:"host"`
	Port *int32 `json:"port,omitempty"`
}

// Rule is in the spec, in a list.
type Rule struct {
	Weight *int32 `json:"weight,omitempty"`
	Limit  *int32 `json:"limit,omitempty"`
}

// Checked has fields that the package asks for.
type Checked struct {
	Compared  *Proxy `json:"compared,omitempty"`
	Asked     *Proxy `json:"asked,omitempty"`
	Passed    *Proxy `json:"passed,omitempty"`
	Reflected *Proxy `json:"reflected,omitempty"`
	Got       *Proxy `json:"got,omitempty"`
	Size      *int32 `json:"size,omitempty"`
	Valid     *Proxy `json:"valid,omitempty"`
	Kept      *Proxy `json:"kept,omitempty"`
	Merged    *Proxy `json:"merged,omitempty"`
	Captured  *Proxy `json:"captured,omitempty"`
}

// Built has fields that the package sets.
type Built struct {
	Stored    *Proxy `json:"stored,omitempty"`
	Literal   *Proxy `json:"literal,omitempty"`
	Addressed *Proxy `json:"addressed,omitempty"`
	Copied    *Proxy `json:"copied,omitempty"`
}

// Old is an older version of Built.
type Old struct {
	Copied *Proxy
}

// Markers has fields that are there.
//
// +kubebuilder:validation:XValidation:rule="has(self.ruled)",message="the rule demands it"
type Markers struct {
	// +kubebuilder:default={}
	Default *Proxy `json:"default1,omitempty"`
	// +kubebuilder:default:=3
	Number *int32 `json:"number,omitempty"`
	// +default={}
	Generated *Proxy `json:"generated,omitempty"`
	// +kubebuilder:validation:Required
	Required *Proxy `json:"required1,omitempty"`

	// +required

	Detached *Proxy `json:"detached,omitempty"`
	Plain    *Proxy `json:"plain"`
	Ruled    *Proxy `json:"ruled,omitempty"`
	// +kubebuilder:default={inner:{host:"web"}}
	Outer Outer `json:"outer,omitempty"`
}

// Outer has a default as a whole.
type Outer struct {
	Inner *Proxy `json:"inner,omitempty"`
}

// Union has one of its fields.
//
// +union
type Union struct {
	First  *Proxy `json:"first,omitempty"`
	Second *Proxy `json:"second,omitempty"`
}

// Counted has one of its fields, too.
//
// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=1
type Counted struct {
	First  *Proxy `json:"first,omitempty"`
	Second *Proxy `json:"second,omitempty"`
}

// Store says by a text which of its fields is there.
type Store struct {
	// +kubebuilder:validation:Enum=disk;cloud
	Type  string `json:"type"`
	Disk  *Proxy `json:"disk,omitempty"`
	Cloud *Proxy `json:"cloud,omitempty"`
	// Elsewhere is there for one type, too.
	Elsewhere *Proxy `json:"elsewhere,omitempty"`
	// Away is there for one type, as callers say.
	Away *Proxy `json:"away,omitempty"`
}

// A KindName is one of the constants.
type KindName string

// These are all.
const (
	OneKind   KindName = "One"
	OtherKind KindName = "Other"
)

// Kind says it by constants.
type Kind struct {
	Name  KindName `json:"name"`
	One   *Proxy   `json:"one,omitempty"`
	Other *Proxy   `json:"other,omitempty"`
}

// GatewayStatus is written by the controller.
type GatewayStatus struct {
	Observed *Observed `json:"observed,omitempty"`
}

// Observed is in no spec.
type Observed struct {
	At *int32 `json:"at,omitempty"`
}
