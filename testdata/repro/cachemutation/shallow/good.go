package shallow

import (
	corev1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Good copies the map as well.
func Good(pods corelisters.PodLister, namespace, name, next string) (*corev1.Pod, error) {
	pod, err := pods.Pods(namespace).Get(name)
	if err != nil {
		return nil, err
	}
	renamed := *pod.DeepCopy()
	renamed.Name = next
	renamed.Annotations["example.com/was"] = name
	return &renamed, nil
}
