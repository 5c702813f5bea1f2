package writeback

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Good has the answer decoded into an object of its own.
func Good(ctx context.Context, c client.Client, pods corelisters.PodLister, namespace, name string, patch client.Patch) error {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return err
	}
	target := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}}
	return c.Patch(ctx, target, patch)
}
