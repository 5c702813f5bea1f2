// Package library has filters that call a library which is no part of Kubernetes: what it writes to is seen in its source.
package library

import (
	"github.com/awslabs/operatorpkg/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Pool keeps its conditions as the library wants them.
type Pool struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Conditions []status.Condition
}

func (p *Pool) GetConditions() []status.Condition           { return p.Conditions }
func (p *Pool) SetConditions(conditions []status.Condition) { p.Conditions = conditions } // want mutates "this filter mutates Conditions of the event's ObjectNew: the object is shared with the informer cache; modify a DeepCopy" @36 "the object is passed on here"

func (p *Pool) DeepCopyObject() runtime.Object {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	out.Conditions = append([]status.Condition(nil), p.Conditions...)
	return &out
}

// StatusConditions sets what is missing to unknown: For does that, through SetConditions.
func (p *Pool) StatusConditions(opts ...status.ForOption) status.ConditionSet {
	return status.NewReadyConditions("Validated").For(p, opts...)
}

var ready = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectNew.(*Pool).StatusConditions().Root().IsTrue()
	},
}

var observed = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectNew.(*Pool).StatusConditions(status.WithObservedOnly()).Root().IsTrue() // ok: For only reads then
	},
}

var copied = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		p := e.ObjectNew.DeepCopyObject().(*Pool)
		return p.StatusConditions().Root().IsTrue() // ok: of a copy
	},
}

var looks = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		for _, c := range e.ObjectNew.(*Pool).GetConditions() { // ok: it only reads
			if c.Type == status.ConditionReady && c.IsTrue() {
				return true
			}
		}
		return false
	},
}

// A ConditionSet that somebody else has made does not write when it is read.
func read(set status.ConditionSet) bool { return set.IsTrue(status.ConditionReady) }
