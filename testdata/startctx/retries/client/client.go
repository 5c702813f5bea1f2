// Package client asks the API server for what package retries waits for.
package client

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Pods are those of a cluster.
type Pods struct{ Clientset kubernetes.Interface }

// Get fails when ctx has ended.
func (p *Pods) Get(ctx context.Context, namespace, name string) (*corev1.Pod, error) {
	pod, err := p.Clientset.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return pod, nil
}

// Maybe does not: what it remembers it gives without asking.
func (p *Pods) Maybe(ctx context.Context, seen map[string]*corev1.Pod, namespace, name string) (*corev1.Pod, error) {
	if pod := seen[name]; pod != nil {
		return pod, nil
	}
	return p.Get(ctx, namespace, name)
}
