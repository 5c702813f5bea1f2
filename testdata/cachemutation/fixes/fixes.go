// Package fixes writes to what a lister gives, where a copy can be made before.
package fixes

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
)

func unlimited(ctx context.Context, lister listers.LimitRangeLister, set kubernetes.Interface, ns, name string) error {
	limits, err := lister.LimitRanges(ns).Get(name)
	if err != nil {
		return err
	}
	limits.Spec.Limits = nil // want write "mutates Limits of the LimitRange returned by lister: all readers of the informer cache see the change, even if the request on line 19 fails; modify a DeepCopy" @14 "read from the cache here, without a copy"
	_, err = set.CoreV1().LimitRanges(ns).Update(ctx, limits, metav1.UpdateOptions{})
	return err
}

// ownMap gives the copy of the struct a map where it has none.
func ownMap(lister listers.PodLister, ns, name string) (*corev1.Pod, error) {
	pod, err := lister.Pods(ns).Get(name)
	if err != nil {
		return nil, err
	}
	out := *pod
	if out.Labels == nil {
		out.Labels = map[string]string{}
	}
	out.Labels["a"] = "b" // ok: whether the pod of the cache has labels is not known
	return &out, nil
}

var _ = []any{unlimited, ownMap}
