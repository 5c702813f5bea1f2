// Package asked has functions for other packages, which look at what they have given them, or do not.
package asked

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Thrown is given copies that nobody looks at again.
func Thrown(pod *corev1.Pod) map[string]string {
	tags := pod.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b" // ok
	return map[string]string{"is": tags["is"]}
}

// Kept is given one that its caller goes on with.
func Kept(pod *corev1.Pod) map[string]string {
	tags := pod.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b" // want half "this writes an entry of tags of pod, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @21 "this may be the object's own"
	return map[string]string{"is": tags["is"]}
}

// Value is somebody's function.
func Value(pod *corev1.Pod) map[string]string {
	tags := pod.GetLabels()
	if tags == nil {
		tags = map[string]string{}
	}
	tags["a"] = "b" // want half "this writes an entry of tags of pod, which the caller has, where it has such a map, and else of one that is made here and never given to it; change a copy, or set it" @31 "this may be the object's own"
	return map[string]string{"is": tags["is"]}
}

// Typed is given objects of types of their own, whose content is always made anew.
func Typed(obj runtime.Object) (map[string]any, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, err
	}
	delete(content, "status") // ok
	return map[string]any{"object": content}, nil
}
