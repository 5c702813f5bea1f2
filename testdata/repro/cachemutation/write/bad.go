// Package write cordons a node of a lister.
package write

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad leaves the node unschedulable in the cache when the update fails.
func Bad(ctx context.Context, client kubernetes.Interface, nodes corelisters.NodeLister, name string) error {
	node, err := nodes.Get(name)
	if err != nil || node.Spec.Unschedulable {
		return err
	}
	node.Spec.Unschedulable = true // want write "this writes Unschedulable of the Node that nodes still holds: all who read it there see the change, even if the request at line 19 fails; change a DeepCopy" @14 "it comes from the cache here, and is not copied"
	_, err = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}
