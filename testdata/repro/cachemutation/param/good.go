package param

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Good deletes the annotation from a copy.
func Good(nodes cache.SharedIndexInformer, tell func(*corev1.Node)) error {
	_, err := nodes.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			node := obj.(*corev1.Node).DeepCopy()
			delete(node.Annotations, "example.com/seen")
			tell(node)
		},
	})
	return err
}
