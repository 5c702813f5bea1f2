// Package pods makes pods, under names that do not always say so.
package pods

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Sync(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	if pod.ResourceVersion != "" {
		return c.Update(ctx, pod)
	}
	return place(ctx, c, pod)
}

func place(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	return c.Create(ctx, pod)
}

// CreateName asks nobody.
func CreateName(pod *corev1.Pod) (string, error) {
	if pod.GenerateName == "" {
		return "", errors.New("no name")
	}
	return pod.GenerateName + "x", nil
}
