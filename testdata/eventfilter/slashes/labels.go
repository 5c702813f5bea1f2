package slashes

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// labelled compares the value of a label with a namespaced name.
func labelled(o client.Object, key types.NamespacedName) bool {
	return o.GetLabels()["of"] == key.String() // want constant "labelled compares what always has a slash with what never has one, so that the comparison has the same answer for all objects"
}

// labelledPod has it tested whether there is one.
func labelledPod(pod *corev1.Pod, key types.NamespacedName) bool {
	of, ok := pod.Labels["of"]
	return ok && of == key.Namespace+"/"+key.Name // want constant "labelledPod compares what always has a slash with what never has one, so that the comparison has the same answer for all objects"
}

// annotated compares an annotation, which may have one.
func annotated(o client.Object, key types.NamespacedName) bool {
	return o.GetAnnotations()["of"] == key.String() // ok: it may be any text
}

// listed looks into a map of its own.
func listed(o client.Object, all map[string]string, key types.NamespacedName) bool {
	return all[o.GetName()] == key.String() // ok: whatever was put there
}
