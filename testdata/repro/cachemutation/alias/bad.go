// Package alias makes a pod with the labels of a node of a lister.
package alias

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad gives the pod the map of the node in the cache.
func Bad(nodes corelisters.NodeLister, name string) (*corev1.Pod, error) {
	node, err := nodes.Get(name)
	if err != nil {
		return nil, err
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "agent-", Labels: node.Labels}}
	pod.Labels["example.com/node"] = name // want write "mutates an entry of Labels of the Node returned by nodes: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @12 "read from the cache here, without a copy"
	return pod, nil
}
