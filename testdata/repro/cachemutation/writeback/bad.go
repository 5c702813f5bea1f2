// Package writeback patches a pod of a lister with a client of controller-runtime.
package writeback

import (
	"context"

	corelisters "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Bad has the server's answer decoded into the pod in the cache.
func Bad(ctx context.Context, c client.Client, pods corelisters.PodLister, namespace, name string, patch client.Patch) error {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return err
	}
	return c.Patch(ctx, pod, patch) // want writeback "Patch writes the server's answer into the Pod that pods still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @13 "it comes from the cache here, and is not copied"
}
