// Package api holds the kinds of the edge network.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion of the kinds.
var GroupVersion = schema.GroupVersion{Group: "edge.netops.io", Version: "v1beta1"}

// WithdrawFinalizer keeps a prefix until no site announces it.
const WithdrawFinalizer = "edge.netops.io/withdraw"

type AnycastPrefixSpec struct {
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="the CIDR cannot be changed"
	CIDR string `json:"cidr"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="make a new prefix for other sites"
	Sites       []string `json:"sites"`
	Communities []string `json:"communities,omitempty"`
}

type Announcement struct {
	Site  string      `json:"site"`
	Since metav1.Time `json:"since"`
}

type AnycastPrefixStatus struct {
	Announcements []Announcement     `json:"announcements,omitempty"`
	Conditions    []metav1.Condition `json:"conditions,omitempty"`
}

type AnycastPrefix struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   AnycastPrefixSpec   `json:"spec"`
	Status AnycastPrefixStatus `json:"status,omitempty"`
}

func (p *AnycastPrefix) DeepCopy() *AnycastPrefix {
	out := &AnycastPrefix{TypeMeta: p.TypeMeta}
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.CIDR = p.Spec.CIDR
	out.Spec.Sites = append([]string(nil), p.Spec.Sites...)
	out.Spec.Communities = append([]string(nil), p.Spec.Communities...)
	out.Status.Announcements = append([]Announcement(nil), p.Status.Announcements...)
	for _, c := range p.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *c.DeepCopy())
	}
	return out
}

func (p *AnycastPrefix) DeepCopyObject() runtime.Object { return p.DeepCopy() }

// Announces says whether the prefix is announced at a site.
func (p *AnycastPrefix) Announces(site string) bool {
	for _, a := range p.Status.Announcements {
		if a.Site == site {
			return true
		}
	}
	return false
}
