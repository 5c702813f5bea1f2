// Package param tells of new nodes, without an annotation.
package param

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Bad deletes the annotation from the node in the cache.
func Bad(nodes cache.SharedIndexInformer, tell func(*corev1.Node)) error {
	_, err := nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			node := obj.(*corev1.Node)
			delete(node.Annotations, "example.com/seen") // want param "this writes an entry of Annotations of the Node that the informer still holds and has given to its handlers: all who read it there see the change, until the server sends another one; change a DeepCopy"
			tell(node)
		},
	})
	return err
}
