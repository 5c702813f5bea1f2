package write

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Good changes a copy.
func Good(ctx context.Context, client kubernetes.Interface, nodes corelisters.NodeLister, name string) error {
	node, err := nodes.Get(name)
	if err != nil || node.Spec.Unschedulable {
		return err
	}
	node = node.DeepCopy()
	node.Spec.Unschedulable = true
	_, err = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}
