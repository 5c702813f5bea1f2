// Package inventory answers questions about nodes out of the informer's cache.
package inventory

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
)

// Nodes are the nodes of the cluster.
type Nodes struct {
	lister corelisters.NodeLister
}

// New makes Nodes of a lister.
func New(lister corelisters.NodeLister) *Nodes { return &Nodes{lister: lister} }

// InPool goes over the ready and unready nodes of a pool.
func (n *Nodes) InPool(pool string) iter.Seq[*corev1.Node] {
	return func(yield func(*corev1.Node) bool) {
		nodes, err := n.lister.List(labels.SelectorFromSet(labels.Set{"pool": pool}))
		if err != nil {
			klog.ErrorS(err, "nodes not listed", "pool", pool)
			return
		}
		for _, node := range nodes {
			if node.DeletionTimestamp != nil {
				continue
			}
			if !yield(node) {
				return
			}
		}
	}
}

// Ready says whether the kubelet of a node reports.
func Ready(node *corev1.Node) bool {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
