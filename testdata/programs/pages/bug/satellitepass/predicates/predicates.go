// Package predicates says which events matter to the scheduler of passes.
package predicates

import (
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// SatellitePass is a contact of a satellite with a ground station.
type SatellitePass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SatellitePassSpec   `json:"spec"`
	Status SatellitePassStatus `json:"status,omitempty"`
}

type SatellitePassSpec struct {
	NoradID int         `json:"noradID"`
	Station string      `json:"station"`
	Rise    metav1.Time `json:"rise"`
	Set     metav1.Time `json:"set"`
}

type SatellitePassStatus struct {
	Reservation string  `json:"reservation,omitempty"`
	Elevation   float64 `json:"elevation,omitempty"`
}

func (p *SatellitePass) DeepCopyObject() runtime.Object {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Rise, out.Spec.Set = *p.Spec.Rise.DeepCopy(), *p.Spec.Set.DeepCopy()
	return &out
}

// PlanChanged lets the updates through that change the plan of a pass. The tracker writes the elevation into the
// status each second.
type PlanChanged struct {
	predicate.Funcs
}

// Update implements predicate.Predicate.
func (PlanChanged) Update(e event.UpdateEvent) bool {
	if e.ObjectOld == nil || e.ObjectNew == nil {
		log.Log.Error(nil, "Update event without an object", "event", e)
		return false
	}
	was, ok := e.ObjectOld.(*SatellitePass)
	if !ok {
		return true
	}
	is, ok := e.ObjectNew.(*SatellitePass)
	if !ok {
		return true
	}
	return !equality.Semantic.DeepEqual(was.Spec, is.Spec)
}
