// Command cmd calls what other packages have, with objects that it looks at afterwards, or does not.
package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/operators/cachemutation/half"
	"example.com/operators/cachemutation/half/asked"
)

func main() {
	config, pod := &corev1.ConfigMap{}, &corev1.Pod{}
	child := half.Child(config)
	half.Lost(child)
	fmt.Println(config, child)
	obj := &unstructured.Unstructured{}
	snapshot, err := half.NewSnapshot(obj)
	fmt.Println(snapshot, err, obj)
	fmt.Println(asked.Thrown(pod.DeepCopy()))
	fmt.Println(asked.Kept(pod))
	fmt.Println(asked.Typed(pod))
	fmt.Println(pod)
	each([]*corev1.Pod{pod}, asked.Value)
}

func each(pods []*corev1.Pod, does func(*corev1.Pod) map[string]string) {
	for _, pod := range pods {
		fmt.Println(does(pod))
	}
}
