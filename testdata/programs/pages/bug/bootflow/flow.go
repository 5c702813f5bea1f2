package bootflow

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var GroupVersion = schema.GroupVersion{Group: "metal.example.com", Version: "v1alpha1"}

type Phase string

const (
	PhaseNew       Phase = ""
	PhaseImaging   Phase = "Imaging"
	PhaseBooting   Phase = "Booting"
	PhaseAvailable Phase = "Available"
)

// BootFlow brings up one bare metal host.
type BootFlow struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BootFlowSpec   `json:"spec,omitempty"`
	Status            BootFlowStatus `json:"status,omitempty"`
}

type BootFlowSpec struct {
	Host  string `json:"host"`
	Image string `json:"image"`
}

type BootFlowStatus struct {
	Phase Phase `json:"phase,omitempty"`
}

func (f *BootFlow) DeepCopyObject() runtime.Object {
	c := *f
	f.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}
