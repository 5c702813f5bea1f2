// Package api has the SnapshotPlan.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// SnapshotPlan takes snapshots and takes care of old ones.
type SnapshotPlan struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PlanSpec `json:"spec"`
}

// PlanSpec is the wish.
type PlanSpec struct {
	Claim    string `json:"claim"`
	Schedule string `json:"schedule"`
	Keep     int32  `json:"keep"`
}

// DeepCopyObject implements runtime.Object.
func (in *SnapshotPlan) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}
