// Package apply brings objects into the cluster.
package apply

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
)

// Service creates a Service, or brings the stored one to what is wanted.
func Service(ctx context.Context, clients kubernetes.Interface, desired *corev1.Service) error {
	services := clients.CoreV1().Services(desired.Namespace)

	current, err := services.Get(ctx, desired.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		klog.InfoS("Creating service", "service", klog.KObj(desired))
		_, err = services.Create(ctx, desired, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return fmt.Errorf("reading service %s: %w", klog.KObj(desired), err)
	}
	if !metav1.IsControlledBy(current, &metav1.ObjectMeta{UID: desired.OwnerReferences[0].UID}) {
		return fmt.Errorf("service %s belongs to somebody else", klog.KObj(desired))
	}

	// What the cluster has filled in stays.
	desired.ResourceVersion = current.ResourceVersion
	desired.Spec.ClusterIP = current.Spec.ClusterIP
	desired.Spec.ClusterIPs = current.Spec.ClusterIPs
	desired.Spec.HealthCheckNodePort = current.Spec.HealthCheckNodePort
	for i := range desired.Spec.Ports {
		for _, port := range current.Spec.Ports {
			if port.Name == desired.Spec.Ports[i].Name {
				desired.Spec.Ports[i].NodePort = port.NodePort
			}
		}
	}
	if equality.Semantic.DeepDerivative(desired.Spec, current.Spec) {
		return nil
	}
	if _, err := services.Update(ctx, desired, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("updating service %s: %w", klog.KObj(desired), err)
	}
	return nil
}
