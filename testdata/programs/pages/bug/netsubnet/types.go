package netsubnet

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	networkFinalizer = "vpc.tidewater.io/network"
	subnetFinalizer  = "vpc.tidewater.io/subnet"
)

type Network struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   struct{ CIDR string }
	Status struct{ RouterID string }
}

func (n *Network) DeepCopyObject() runtime.Object {
	out := *n
	out.ObjectMeta = *n.ObjectMeta.DeepCopy()
	return &out
}

type Subnet struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec struct {
		NetworkName string
		CIDR        string
	}
	Status struct{ PortID string }
}

func (s *Subnet) DeepCopy() *Subnet {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	return &out
}

func (s *Subnet) DeepCopyObject() runtime.Object { return s.DeepCopy() }

type SubnetList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []Subnet
}

func (l *SubnetList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = make([]Subnet, 0, len(l.Items))
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return &out
}
