// Package tea has a custom resource.
package tea

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Pot is a custom resource.
type Pot struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec PotSpec
}

type PotSpec struct {
	Leaf    string
	Minutes int
	Lid     Lid
	Cups    []string
	Sugar   int
}

type Lid struct {
	Closed bool
	Knob   string
}

// DeepCopyObject reads all fields, and works with none.
func (p *Pot) DeepCopyObject() runtime.Object { return p.DeepCopy() }

func (p *Pot) DeepCopy() *Pot {
	c := &Pot{Spec: PotSpec{Leaf: p.Spec.Leaf, Minutes: p.Spec.Minutes, Lid: p.Spec.Lid, Cups: append([]string{}, p.Spec.Cups...), Sugar: p.Spec.Sugar}}
	c.TypeMeta, c.ObjectMeta = p.TypeMeta, p.ObjectMeta
	return c
}

// Cup is another version of it.
type Cup struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct{ Sweet bool }
}

func (c *Cup) DeepCopyObject() runtime.Object { d := *c; return &d }
