// Package v1alpha1 holds the kinds of the messaging operator.
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const BindingFinalizer = "messaging.acme.io/unbind"

type Broker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BrokerSpec `json:"spec"`
}

type BrokerSpec struct {
	ManagementURL string `json:"managementURL"`
}

func (b *Broker) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

type QueueBinding struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="make a new binding instead"
	Spec QueueBindingSpec `json:"spec"`
}

type QueueBindingSpec struct {
	BrokerName string `json:"brokerName"`
	Exchange   string `json:"exchange"`
	Queue      string `json:"queue"`
	RoutingKey string `json:"routingKey,omitempty"`
}

func (b *QueueBinding) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}
