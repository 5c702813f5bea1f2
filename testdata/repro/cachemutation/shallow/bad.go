// Package shallow renames a pod of a lister.
package shallow

import (
	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad copies the struct only, and so has the map of the pod in the cache.
func Bad(pods corelisters.PodLister, namespace, name, next string) (*corev1.Pod, error) {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	renamed := *pod
	renamed.Name = next
	renamed.Annotations["example.com/was"] = name // want write "mutates an entry of Annotations of the Pod returned by pods: all readers of the informer cache see the change, and concurrent access can crash; modify a DeepCopy" @11 "read from the cache here, without a copy"
	return &renamed, nil
}
