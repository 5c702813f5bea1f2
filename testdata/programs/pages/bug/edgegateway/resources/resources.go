// Package resources builds what a gateway consists of.
package resources

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Service gives the public side of the gateway that a ConfigMap describes.
func Service(gateway *corev1.ConfigMap) *corev1.Service {
	selector := map[string]string{"gateway.edge.io/name": gateway.Name}
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name:      gateway.Name + "-public",
			Namespace: gateway.Namespace,
			Labels:    selector,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(gateway, corev1.SchemeGroupVersion.WithKind("ConfigMap")),
			},
		},
		Spec: corev1.ServiceSpec{
			Type:     corev1.ServiceTypeLoadBalancer,
			Selector: selector,
			Ports: []corev1.ServicePort{
				{Name: "http", Port: 80, TargetPort: intstr.FromString("http")},
				{Name: "https", Port: 443, TargetPort: intstr.FromString("https")},
			},
			LoadBalancerSourceRanges: ranges(gateway.Data),
		},
	}
}

func ranges(data map[string]string) []string {
	if cidr := data["allow"]; cidr != "" {
		return []string{cidr}
	}
	return nil
}
