// Package shape makes Services, and does nothing else.
package shape

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func of(name string, kind corev1.ServiceType) *corev1.Service {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name}}
	svc.Spec.Type = kind
	return svc
}

// Outside is one with a load balancer, which another function makes.
func Outside(name string) *corev1.Service {
	svc := of(name, corev1.ServiceTypeLoadBalancer)
	svc.Labels = map[string]string{"shape": name}
	return svc
}

// Inside is one without.
func Inside(name string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP}}
}

// Labelled is svc with a label.
func Labelled(svc *corev1.Service) *corev1.Service {
	svc.Labels = map[string]string{"shape": svc.Name}
	return svc
}
