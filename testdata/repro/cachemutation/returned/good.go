package returned

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Good taints the copy that the helper gives.
func Good(nodes corelisters.NodeLister) (*corev1.Node, error) {
	node, err := firstGood(nodes)
	if err != nil {
		return nil, err
	}
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: "example.com/draining", Effect: corev1.TaintEffectNoSchedule})
	return node, nil
}

func firstGood(nodes corelisters.NodeLister) (*corev1.Node, error) {
	all, err := nodes.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("no nodes")
	}
	return all[0].DeepCopy(), nil
}
