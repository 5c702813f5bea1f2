// Package accessor has interfaces that look as listers do.
package accessor

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
)

// Copying gives copies: all that implement it here do, or give nothing.
type Copying interface {
	List(selector labels.Selector) ([]*corev1.Pod, error)
	Copies()
}

type copying struct{ lister listers.PodLister }

func (c *copying) List(selector labels.Selector) ([]*corev1.Pod, error) {
	pods, err := c.lister.List(selector)
	if err != nil {
		return nil, err
	}
	var out []*corev1.Pod
	for _, pod := range pods {
		out = append(out, pod.DeepCopy())
	}
	return out, nil
}

func (*copying) Copies() {}

type none struct{}

func (none) Copies() {}

func (none) List(labels.Selector) ([]*corev1.Pod, error) { return nil, nil }

// Mixed gives copies in one case, and what the cache has in another.
type Mixed interface {
	List(selector labels.Selector) (ret []*corev1.Pod, err error)
	Mixes()
}

type first struct{ copying }

func (*first) Mixes() {}

type second struct{ lister listers.PodLister }

func (*second) Mixes() {}

func (s *second) List(selector labels.Selector) ([]*corev1.Pod, error) {
	return s.lister.List(selector)
}

// New makes what is made here.
func New(lister listers.PodLister) (Copying, Mixed, Mixed) {
	if lister == nil {
		return none{}, nil, nil
	}
	return &copying{lister}, &first{}, &second{lister}
}
