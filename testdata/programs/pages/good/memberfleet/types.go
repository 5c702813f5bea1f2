package memberfleet

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// MemberCluster is a cluster that belongs to the fleet.
type MemberCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MemberClusterSpec   `json:"spec,omitempty"`
	Status MemberClusterStatus `json:"status,omitempty"`
}

// MemberClusterSpec says where it is.
type MemberClusterSpec struct {
	Endpoint string `json:"endpoint"`
}

// MemberClusterStatus says what it has.
type MemberClusterStatus struct {
	Nodes      int                `json:"nodes,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// DeepCopyObject implements runtime.Object.
func (m *MemberCluster) DeepCopyObject() runtime.Object {
	if m == nil {
		return nil
	}
	out := &MemberCluster{TypeMeta: m.TypeMeta, Spec: m.Spec}
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Nodes = m.Status.Nodes
	for i := range m.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *m.Status.Conditions[i].DeepCopy())
	}
	return out
}
