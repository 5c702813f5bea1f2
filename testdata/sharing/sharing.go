// Package sharing holds functions whose summaries are checked: who writes to what its parameters lead to, and who gives out what.
package sharing

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
)

func field(pod *corev1.Pod) { pod.Name = "a" } // want field:"writes p0.ObjectMeta.Name"

func ofCopy(pod corev1.Pod, other *corev1.Pod) { pod.Name, other.Name = "a", "" } // want ofCopy:"writes p1.ObjectMeta.Name"

func ofCopyDeep(pod corev1.Pod) { pod.Labels["a"] = "b" } // want ofCopyDeep:"writes p0.ObjectMeta.Labels->"

func deep(pod *corev1.Pod) { delete(pod.Labels, "a") } // want deep:"writes p0.ObjectMeta.Labels->"

func element(pods []*corev1.Pod) { // want element:"writes p0[]->"
	for _, pod := range pods {
		field(pod)
	}
}

func copied(pod, other *corev1.Pod) *corev1.Pod { // want copied:"writes p1.ObjectMeta.Name"
	other.Name = ""
	pod = pod.DeepCopy()
	field(pod)
	return pod // which is all that the caller is given
}

func cloned(pods []corev1.Pod, other *corev1.Pod) { // want cloned:"writes p1.ObjectMeta.Name"
	pods = slices.Clone(pods)
	pods[0].Name, other.Name = "a", ""
}

func ordered(pods []corev1.Pod) { slices.Reverse(pods) } // want ordered:"writes p0"

func part(pod *corev1.Pod) map[string]string { return pod.Labels } // want part:"r0 of p0.ObjectMeta.Labels"

func same(pod *corev1.Pod) *corev1.Pod { return pod } // want same:"r0 of p0"

type holder struct{ pod *corev1.Pod }

func held(pod *corev1.Pod) holder { return holder{pod} } // want held:"r0.pod of p0"

func read(lister listers.PodLister) (*corev1.Pod, error) { return lister.Pods("a").Get("b") } // want read:"r0 of a cache"

func readThrough(lister listers.PodLister) *corev1.Pod { // want readThrough:"r0 of a cache"
	pod, err := read(lister)
	if err != nil {
		return nil
	}
	return same(pod)
}

func readCopy(lister listers.PodLister, other *corev1.Pod) *corev1.Pod { // want readCopy:"writes p1.ObjectMeta.Name"
	pod, _ := read(lister)
	return copied(pod, other)
}

func listed(lister listers.PodLister) ([]*corev1.Pod, error) { return lister.List(labels.Everything()) } // want listed:"r0[] of a cache"

func even(pod *corev1.Pod, n int) { // want even:"writes p0.ObjectMeta.Name"
	if n > 0 {
		odd(pod, n-1)
	}
}

func odd(pod *corev1.Pod, n int) { // want odd:"writes p0.ObjectMeta.Name"
	field(pod)
	even(pod, n-1)
}

func ownMap(pod *corev1.Pod) corev1.Pod { // want ownMap:"r0 of p0"
	out := *pod
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations["a"] = "b"
	return out
}

func listedCopies(lister listers.PodLister, other *corev1.Pod) ([]*corev1.Pod, error) { // want listedCopies:"writes p1.ObjectMeta.Name"
	other.Name = ""
	pods, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	for i := range pods {
		pods[i] = pods[i].DeepCopy()
	}
	return pods, nil
}

func listedSomeCopies(lister listers.PodLister) ([]*corev1.Pod, error) { // want listedSomeCopies:"r0[] of a cache"
	pods, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	for i := range pods {
		if pods[i].Name != "" {
			pods[i] = pods[i].DeepCopy()
		}
	}
	return pods, nil
}

func listedCopiesTo(lister listers.PodLister, name string) ([]*corev1.Pod, error) { // want listedCopiesTo:"r0[] of a cache"
	pods, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(pods); i++ {
		pods[i] = pods[i].DeepCopy()
		if pods[i].Name == name {
			break
		}
	}
	return pods, nil
}

func listedCopiesAll(lister listers.PodLister, other *corev1.Pod) ([]*corev1.Pod, error) { // want listedCopiesAll:"writes p1.ObjectMeta.Name"
	other.Name = ""
	pods, err := lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(pods); i++ {
		pods[i] = pods[i].DeepCopy()
	}
	return pods, nil
}

// cloneAndAdd gives a map of its own, if there is something to add.
func cloneAndAdd(m map[string]string, key string) map[string]string { // want cloneAndAdd:"r0 of p0 if p1 == \"\""
	if key == "" {
		return m
	}
	out := map[string]string{key: ""}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func cloneWith(pod, other *corev1.Pod) map[string]string { // want cloneWith:"writes p1.ObjectMeta.Name"
	other.Name = ""
	return cloneAndAdd(pod.Labels, "a")
}

func cloneWithout(pod *corev1.Pod) map[string]string { return cloneAndAdd(pod.Labels, "") } // want cloneWithout:"r0 of p0.ObjectMeta.Labels"
