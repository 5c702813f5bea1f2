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
	node.Spec.Unschedulable = true // want write "mutates Unschedulable of the Node returned by nodes: all readers of the informer cache see the change, even if the request on line 19 fails; modify a DeepCopy" @14 "read from the cache here, without a copy"
	_, err = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}
