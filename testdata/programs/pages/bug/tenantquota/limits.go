package tenantquota

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// parse reads the limits of a tenant.
func parse(data map[string]string) (corev1.ResourceList, error) {
	out := corev1.ResourceList{}
	for name, text := range data {
		q, err := resource.ParseQuantity(text)
		if err != nil {
			return nil, fmt.Errorf("limit %s: %w", name, err)
		}
		out[corev1.ResourceName(name)] = q
	}
	return out, nil
}
