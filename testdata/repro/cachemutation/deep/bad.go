// Package deep lists the containers of a pod of a lister, without what their environment has.
package deep

import (
	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad hides the values in the cache.
func Bad(pods corelisters.PodLister, namespace, name string) ([]corev1.Container, error) {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	var out []corev1.Container
	for _, container := range pod.Spec.Containers {
		for i := range container.Env {
			container.Env[i].Value = "hidden" // want write "mutates Value of the Pod returned by pods: all readers of the informer cache see the change; modify a DeepCopy" @11 "read from the cache here, without a copy"
		}
		out = append(out, container)
	}
	return out, nil
}
