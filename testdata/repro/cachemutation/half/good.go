package half

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Good creates an agent for the node, and uncordons it.
func Good(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	if _, err := client.CoreV1().Pods("default").Create(ctx, agentOnItsOwn(node), metav1.CreateOptions{}); err != nil {
		return err
	}
	node.Spec.Unschedulable = false
	_, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// agentOnItsOwn gives the pod a map of its own, whatever the node has.
func agentOnItsOwn(node *corev1.Node) *corev1.Pod {
	labels := map[string]string{}
	maps.Copy(labels, node.GetLabels())
	labels["example.com/node"] = node.Name
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent", Labels: labels}}
}
