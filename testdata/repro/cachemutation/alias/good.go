package alias

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Good gives the pod a map of its own.
func Good(nodes corelisters.NodeLister, name string) (*corev1.Pod, error) {
	node, err := nodes.Get(name)
	if err != nil {
		return nil, err
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "agent-", Labels: maps.Clone(node.Labels)}}
	pod.Labels["example.com/node"] = name
	return pod, nil
}
