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
	limits.Spec.Limits = nil // want write "this writes Limits of the LimitRange that lister still holds: all who read it there see the change, even if the request at line 19 fails; change a DeepCopy" @14 "it comes from the cache here, and is not copied"
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
