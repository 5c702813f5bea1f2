// Package half makes a pod with the labels of a node, which may have none, and updates the node.
package half

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Bad creates an agent for the node, and uncordons it.
func Bad(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	if _, err := client.CoreV1().Pods("default").Create(ctx, agent(node), metav1.CreateOptions{}); err != nil {
		return err
	}
	node.Spec.Unschedulable = false
	_, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// agent gives the pod the map of the node, or one that it makes where the node has none.
func agent(node *corev1.Node) *corev1.Pod {
	labels := node.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels["example.com/node"] = node.Name // want half "this writes an entry of labels of node, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @24 "this may be the object's own"
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent", Labels: labels}}
}
