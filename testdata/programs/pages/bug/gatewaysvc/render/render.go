// Package render makes the objects of a gateway.
package render

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// GatewayService is the service through which a gateway is reached.
func GatewayService(namespace, name string, ports []int32, annotations map[string]string) *corev1.Service {
	labels := map[string]string{
		"app.kubernetes.io/name":       "gateway",
		"app.kubernetes.io/instance":   name,
		"app.kubernetes.io/managed-by": "floodgate",
	}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   namespace,
			Name:        name + "-public",
			Labels:      labels,
			Annotations: annotations,
		},
		Spec: corev1.ServiceSpec{
			Type:                  corev1.ServiceTypeLoadBalancer,
			ExternalTrafficPolicy: corev1.ServiceExternalTrafficPolicyLocal,
			Selector:              labels,
		},
	}
	for _, p := range ports {
		svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{
			Name: fmt.Sprintf("tcp-%d", p), Port: p, TargetPort: intstr.FromInt32(p),
		})
	}
	return svc
}
