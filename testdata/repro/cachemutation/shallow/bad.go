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
	renamed.Annotations["example.com/was"] = name // want write "this writes an entry of Annotations of the Pod that pods still holds: all who read it there see the change, until the server sends another one; change a DeepCopy" @11 "it comes from the cache here, and is not copied"
	return &renamed, nil
}
