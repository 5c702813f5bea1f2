// Package api has the kinds of the mesh.
package api

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type TrafficSplitSpec struct {
	Service  string           `json:"service"`
	Backends map[string]int32 `json:"backends"`
}

type TrafficSplitStatus struct {
	Phase  string `json:"phase,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type TrafficSplit struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              TrafficSplitSpec   `json:"spec"`
	Status            TrafficSplitStatus `json:"status,omitempty"`
}

// Check says whether the weights make sense.
func (t *TrafficSplit) Check() error {
	var sum int32
	for _, w := range t.Spec.Backends {
		if w < 0 {
			return errors.New("negative weight")
		}
		sum += w
	}
	if sum != 100 {
		return errors.New("weights do not add up to 100")
	}
	return nil
}

// IsPaused says whether somebody has the split in his own hands.
func (t *TrafficSplit) IsPaused() bool {
	_, ok := t.Annotations["mesh.lattice.run/paused"]
	return ok
}

func (t *TrafficSplit) DeepCopyObject() runtime.Object {
	out := *t
	out.ObjectMeta = *t.ObjectMeta.DeepCopy()
	if t.Spec.Backends != nil {
		out.Spec.Backends = make(map[string]int32, len(t.Spec.Backends))
		for k, v := range t.Spec.Backends {
			out.Spec.Backends[k] = v
		}
	}
	return &out
}
