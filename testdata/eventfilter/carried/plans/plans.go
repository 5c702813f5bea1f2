// Package plans reads annotations for reconcilers of other packages.
package plans

import corev1 "k8s.io/api/core/v1"

const (
	crop = "plans.example.com/crop"
	soil = "plans.example.com/soil"
)

// Crop is what grows; the annotation is read two calls below.
func Crop(pod *corev1.Pod) string { return lookup(pod) } // want Crop:"reads annotation plans.example.com/crop of p0"

func lookup(pod *corev1.Pod) string { return chosen(pod, crop) } // want lookup:"reads annotation plans.example.com/crop of p0"

func chosen(pod *corev1.Pod, key string) string { return pod.Annotations[key] } // want chosen:"reads annotation p1 of p0"

// Other looks at a pod that it makes itself.
func Other(name string) string { // ok: no fact
	pod := &corev1.Pod{}
	pod.Name = name
	return chosen(pod, soil)
}
