// Package callee hands a pod of a lister to a function that writes to it.
package callee

import (
	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Bad has the annotation set on the pod in the cache.
func Bad(pods corelisters.PodLister, namespace, name string) (*corev1.Pod, error) {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	markBad(pod) // want write "markBad (bad.go:20) mutates an entry of Annotations of the Pod returned by pods: all readers of the informer cache see the change, and concurrent access can crash; pass a DeepCopy" @11 "read from the cache here, without a copy" @20 "written here"
	return pod, nil
}

func markBad(pod *corev1.Pod) {
	pod.Annotations["example.com/seen"] = "true"
}
