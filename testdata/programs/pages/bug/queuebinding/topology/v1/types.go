// Package v1 has the types of the messaging topology.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	GroupVersion  = schema.GroupVersion{Group: "messaging.hopper.io", Version: "v1"}
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
)

func init() { SchemeBuilder.Register(&Binding{}, &Broker{}) }

type BrokerReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
}

type BindingSpec struct {
	BrokerRef BrokerReference `json:"brokerRef"`
	Source    string          `json:"source"`
	Queue     string          `json:"queue"`
}

type BindingStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	PropertiesKey      string `json:"propertiesKey,omitempty"`
}

type Binding struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BindingSpec   `json:"spec,omitempty"`
	Status            BindingStatus `json:"status,omitempty"`
}

func (b *Binding) DeepCopyObject() runtime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &out
}

type BrokerStatus struct {
	AdminURL string `json:"adminURL,omitempty"`
}

type Broker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            BrokerStatus `json:"status,omitempty"`
}

func (b *Broker) DeepCopyObject() runtime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	return &out
}
