// Package returned writes to what a helper has from a lister.
package returned

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad taints the node in the cache.
func Bad(nodes corelisters.NodeLister) (*corev1.Node, error) {
	node, err := firstBad(nodes)
	if err != nil {
		return nil, err
	}
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: "example.com/draining", Effect: corev1.TaintEffectNoSchedule}) // want returned "mutates Taints of the Node returned by firstBad(): all readers of the informer cache see the change; modify a DeepCopy" @14 "read from the cache here, without a copy" @23 "firstBad() reads it from the cache here"
	return node, nil
}

func firstBad(nodes corelisters.NodeLister) (*corev1.Node, error) {
	all, err := nodes.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("no nodes")
	}
	return all[0], nil
}
