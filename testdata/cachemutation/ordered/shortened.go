package ordered

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// running keeps some of the containers where all of them were.
func running(pods listers.PodLister) []corev1.ContainerStatus {
	pod, err := pods.Pods("").Get("first")
	if err != nil {
		return nil
	}
	kept := pod.Status.ContainerStatuses[:0]
	for _, s := range pod.Status.ContainerStatuses {
		if s.State.Running == nil {
			continue
		}
		kept = append(kept, s) // want write "mutates the elements of ContainerStatuses of the Pod returned by pods: all readers of the informer cache see the change; modify a DeepCopy" @12 "read from the cache here, without a copy"
	}
	return kept
}

// onNode keeps some of the pods in a list that is its own.
func onNode(pods listers.PodLister, node string) []*corev1.Pod {
	all, err := pods.List(labels.Everything())
	if err != nil {
		return nil
	}
	kept := all[:0]
	for _, p := range all {
		if p.Spec.NodeName == node {
			kept = append(kept, p) // ok: a lister makes a list for each that asks
		}
	}
	return kept
}

// tree has itself for its parts.
type tree []tree

func leaves(store cache.Store) int {
	obj, ok, err := store.GetByKey("tree")
	if err != nil || !ok {
		return 0
	}
	t, _ := obj.(tree)
	return len(t)
}

var _ = []any{running, onNode, leaves}
