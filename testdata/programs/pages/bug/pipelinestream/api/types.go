// Package api has the types of group streams.example.org.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion of the types in this package.
var GroupVersion = schema.GroupVersion{Group: "streams.example.org", Version: "v1alpha1"}

// PipelineSpec says where records come from and where they go.
type PipelineSpec struct {
	Source   string `json:"source"`
	Sink     string `json:"sink"`
	PollSecs int32  `json:"pollSecs,omitempty"`
}

// PipelineStatus is what the operator has seen.
type PipelineStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Pipeline copies records from a source to a sink.
type Pipeline struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PipelineSpec   `json:"spec,omitempty"`
	Status PipelineStatus `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (p *Pipeline) DeepCopyObject() runtime.Object {
	out := &Pipeline{TypeMeta: p.TypeMeta, Spec: p.Spec}
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.ObservedGeneration = p.Status.ObservedGeneration
	for i := range p.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *p.Status.Conditions[i].DeepCopy())
	}
	return out
}
