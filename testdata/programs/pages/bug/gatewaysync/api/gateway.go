// Package api has the types of the gateway operator.
package api

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Gateway takes traffic into the cluster.
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Certificates []string `json:"certificates,omitempty"`
		PolicyMap    string   `json:"policyMap,omitempty"`
	} `json:"spec"`
	Status struct {
		Programmed bool   `json:"programmed"`
		Revision   string `json:"revision,omitempty"`
	} `json:"status,omitempty"`
}

// Uses says whether the gateway has to do with the certificate.
func (in *Gateway) Uses(secret string) bool { return slices.Contains(in.Spec.Certificates, secret) }

// DeepCopyObject implements runtime.Object.
func (in *Gateway) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Certificates = slices.Clone(in.Spec.Certificates)
	return &out
}

// GatewayList is a list.
type GatewayList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Gateway `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (in *GatewayList) DeepCopyObject() runtime.Object {
	out := *in
	out.Items = make([]Gateway, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*Gateway)
	}
	return &out
}
