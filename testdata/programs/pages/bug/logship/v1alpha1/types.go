// Package v1alpha1 has the LogPipeline.
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// LogPipelineSpec says what is shipped where.
type LogPipelineSpec struct {
	Source      string            `json:"source"`
	Destination string            `json:"destination"`
	Paused      bool              `json:"paused,omitempty"`
	BufferSize  int32             `json:"bufferSize,omitempty"`
	ExtraFields map[string]string `json:"extraFields,omitempty"`
}

// LogPipeline ships logs.
type LogPipeline struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LogPipelineSpec `json:"spec"`
	Status            struct {
		ObservedGeneration int64  `json:"observedGeneration,omitempty"`
		ConfigHash         string `json:"configHash,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (in *LogPipeline) DeepCopyObject() runtime.Object {
	out := &LogPipeline{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.ExtraFields != nil {
		out.Spec.ExtraFields = make(map[string]string, len(in.Spec.ExtraFields))
		for k, v := range in.Spec.ExtraFields {
			out.Spec.ExtraFields[k] = v
		}
	}
	return out
}
