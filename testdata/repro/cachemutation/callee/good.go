package callee

import (
	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Good has the annotation set on a copy.
func Good(pods corelisters.PodLister, namespace, name string) (*corev1.Pod, error) {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	pod = pod.DeepCopy()
	markGood(pod)
	return pod, nil
}

func markGood(pod *corev1.Pod) {
	pod.Annotations["example.com/seen"] = "true"
}
